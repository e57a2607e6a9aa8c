/*
 * The page that an authorization server sends the browser back to. It hands the answer to the Periscope page that waits
 * for it (web/oauth/consent/return.ts is the other end of this conversation), and says in plain words what became of it.
 *
 * It never shows nor judges what stands in the answer: `iss` is not checked yet, and until then not even an error in it
 * may be believed (AU-FLOW-10, RFC 9207). It never reads a token out of the fragment. `opener` is of no use to it:
 * a login page with a Cross-Origin-Opener-Policy takes it away.
 *
 * A classic script without a build, so that this file works on any static host, at one fixed address.
 */
;(() => {
  'use strict'

  const { search, hash, pathname } = location
  const query = search.replace(/^\?/, '')
  const opening = query === '' && hash === '#opening'
  // At once: neither the history nor a glance at the address bar shall keep a code.
  if (!opening && (search !== '' || location.href.includes('#'))) history.replaceState(null, '', pathname)
  // What the sign-in page opened or was opened by is none of its business, nor ours.
  try {
    window.opener = null
  } catch {
    // Then nobody opened this.
  }

  const CHANNEL = 'periscope.oauth'
  /** Characters. Real answers have a few hundred. */
  const LONGEST_QUERY = 8192
  const LONGEST_ROUTE = 2048
  /** ms from handing over: to the second road, to the words that nobody took it, to taking it out of storage again. */
  const STORE_AFTER = 500
  const ALONE_AFTER = 2000
  const STORED_FOR = 60000
  /** ms until a page that asked for the answer and fell silent must let another have it. */
  const SILENT_AFTER = 1000
  const SLOW_AFTER = 15000

  const EN = {
    title: (words) => `${words} · Periscope`,
    opening: 'Preparing the sign-in',
    openingWhat: 'Periscope is discovering how to sign in. The sign-in page opens in this window shortly.',
    openingSlow:
      'This is taking longer than usual. The Periscope page shows the current step. To cancel, close this window.',
    handing: 'Passing the response to Periscope',
    back: 'Returning to Periscope',
    taken: 'Periscope received the response',
    takenWhat: 'The Periscope page shows whether you are signed in.',
    takenNext: 'You can close this window.',
    alone: 'No Periscope page received the response',
    aloneWhat: 'The sign-in page sent you back here, but no open Periscope page is waiting for this response. Possible causes:',
    aloneWhy: [
      'The page that started the sign-in was closed or reloaded, or stopped waiting.',
      'It is open in another browser, profile or private window.',
      'It is embedded in another site, and the browser isolates it from this page.',
    ],
    aloneNext: 'If that page is still open, go there and start the sign-in again. You can close this window.',
    aloneHere:
      "Otherwise, continue here: Periscope opens in this tab with the response. If this tab didn't start the sign-in, Periscope asks you to start it again.",
    aloneButton: 'Continue in this tab',
    fragment: 'The response was rejected',
    fragmentWhat:
      "The response is in the fragment of the URL, after “#”. The implicit flow returns tokens this way, which is no longer considered safe. Periscope requests a code and doesn't read the fragment. Nothing was stored.",
    fragmentNext:
      'The authorization server must send its response in the query (response_type=code, response_mode=query). Then start the sign-in again in Periscope.',
    'no-state': "The response can't be matched to a sign-in",
    'no-stateWhat':
      "It doesn't have exactly one valid “state”. The response was discarded.",
    'no-stateNext':
      "Start the sign-in again in Periscope. If this happens again, the authorization server doesn't return the “state” it received (RFC 6749, section 4.1.2).",
    'too-long': 'The response is too long',
    'too-longWhat': `It has ${query.length} characters, but the limit is ${LONGEST_QUERY}. It was discarded.`,
    'too-longNext': 'Make the authorization server send a shorter code, then start the sign-in again in Periscope.',
    empty: 'No response to pass on',
    emptyWhat:
      'This page passes the response from a sign-in page to Periscope. It was opened without a response, or reloaded afterwards.',
    emptyNext: 'Start the sign-in in Periscope.',
    unkept: "The browser couldn't store the response",
    unkeptWhat: 'To open in this tab, Periscope needs session storage, which is blocked or full.',
    unkeptNext: 'Allow this site to store data, then start the sign-in again in Periscope.',
    open: 'Open Periscope',
  }

  const ZH = {
    title: (words) => `${words} · Periscope`,
    opening: '正在准备登录',
    openingWhat: 'Periscope 正在检测登录方式，登录页面即将在此窗口中打开。',
    openingSlow: '等待时间比平常长。Periscope 页面显示当前步骤。要取消，请关闭此窗口。',
    handing: '正在将响应传给 Periscope',
    back: '正在返回 Periscope',
    taken: 'Periscope 已收到响应',
    takenWhat: '是否已登录，请查看 Periscope 页面。',
    takenNext: '现在可以关闭此窗口。',
    alone: '没有 Periscope 页面收到响应',
    aloneWhat: '登录页面已将你带回这里，但没有打开的 Periscope 页面在等待此响应。可能的原因：',
    aloneWhy: [
      '发起登录的页面已关闭、已重新加载，或已停止等待。',
      '它在另一个浏览器、用户配置或隐私窗口中打开。',
      '它嵌入在另一个网站中，浏览器将它与此页面隔离。',
    ],
    aloneNext: '如果那个页面仍打开，请在那里重新开始登录。你可以关闭此窗口。',
    aloneHere:
      '否则请在此继续：Periscope 会带着响应在此标签页中打开。如果登录不是由此标签页发起的，Periscope 会请你重新开始。',
    aloneButton: '在此标签页中继续',
    fragment: '响应被拒绝',
    fragmentWhat:
      '响应位于 URL 的片段中（“#”之后）。隐式流程以这种方式返回令牌，已不再被视为安全。Periscope 请求授权码，不读取片段。没有存储任何内容。',
    fragmentNext:
      '授权服务器必须在查询参数中发送响应（response_type=code、response_mode=query）。改正后请在 Periscope 中重新登录。',
    'no-state': '无法将响应对应到登录',
    'no-stateWhat': '它没有唯一有效的“state”。响应已被丢弃。',
    'no-stateNext':
      '请在 Periscope 中重新登录。如果再次出现，说明授权服务器没有原样返回收到的“state”（RFC 6749 第 4.1.2 节）。',
    'too-long': '响应过长',
    'too-longWhat': `它有 ${query.length} 个字符，上限为 ${LONGEST_QUERY} 个。它已被丢弃。`,
    'too-longNext': '请让授权服务器返回较短的授权码，然后在 Periscope 中重新登录。',
    empty: '没有可传递的响应',
    emptyWhat: '此页面将登录页面的响应传给 Periscope。它打开时没有响应，或在传递之后被重新加载。',
    emptyNext: '请在 Periscope 中开始登录。',
    unkept: '浏览器无法存储响应',
    unkeptWhat: '要在此标签页中打开，Periscope 需要会话存储，但它被阻止或已满。',
    unkeptNext: '请允许此网站存储数据，然后在 Periscope 中重新登录。',
    open: '打开 Periscope',
  }

  /** Storage is refused in some embeddings, and even reading the property throws there. */
  const storage = (which) => {
    try {
      return window[which]
    } catch {
      return null
    }
  }
  const read = (which, key) => {
    try {
      return storage(which)?.getItem(key) ?? null
    } catch {
      return null
    }
  }
  const write = (which, key, value) => {
    try {
      const found = storage(which)
      found?.setItem(key, value)
      return found?.getItem(key) === value
    } catch {
      return false
    }
  }
  const remove = (which, key) => {
    try {
      storage(which)?.removeItem(key)
    } catch {
      // Nothing was kept there, then.
    }
  }

  // As the page itself chooses: what was picked there, else the browser's first language that there is.
  const wanted = read('localStorage', 'periscope.language') ?? navigator.languages.find((tag) => /^(zh|en)\b/.test(tag))
  const chinese = (wanted ?? 'en').startsWith('zh')
  const t = chinese ? ZH : EN
  const theme = read('localStorage', 'periscope.theme')
  document.documentElement.lang = chinese ? 'zh-CN' : 'en'
  if (theme === 'light' || theme === 'dark') document.documentElement.style.colorScheme = theme

  const element = (name, text, attributes = {}) => {
    const made = document.createElement(name)
    made.textContent = text
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value)
    return made
  }

  let shown
  /** @param parts strings are paragraphs, arrays lists */
  const show = (state, ...parts) => {
    shown = () => {
      document.title = t.title(t[state])
      const words = document.getElementById('words')
      words.dataset.state = state
      words.replaceChildren(
        element('h1', t[state]),
        ...parts.map((part) => {
          if (part instanceof Node) return part
          if (typeof part === 'string') return element('p', part)
          const list = document.createElement('ul')
          list.append(...part.map((item) => element('li', item)))
          return list
        }),
      )
    }
    if (document.readyState !== 'loading') shown()
  }
  // This runs before the body is read.
  addEventListener('DOMContentLoaded', () => shown())

  const next = (text) => element('p', text, { class: 'next' })
  const openLink = () => element('a', t.open, { href: '../', class: 'button', 'data-testid': 'callback-open' })

  if (opening) {
    show('opening', t.openingWhat)
    setTimeout(() => show('opening', t.openingWhat, t.openingSlow), SLOW_AFTER)
    return
  }

  let channel
  try {
    channel = new BroadcastChannel(CHANNEL)
  } catch {
    // An old browser: the storage is the only road.
  }

  /** The `state` of the answer, or why there is nothing to hand over. */
  const examine = () => {
    // Only whether something is there is looked at, never what. A stray fragment beside an answer (`#_=_`) is nothing.
    const tokens = /[#&?](access_token|id_token|token_type|refresh_token|code|error|response)=/i.test(hash)
    if (tokens || (query === '' && hash.length > 1)) return { reason: 'fragment' }
    if (query === '') return { reason: 'empty' }
    if (query.length > LONGEST_QUERY) return { reason: 'too-long' }
    const states = new URLSearchParams(query).getAll('state')
    if (states.length !== 1 || !/^[\x20-\x7e]{1,512}$/.test(states[0])) return { reason: 'no-state' }
    return { state: states[0] }
  }

  const { state, reason } = examine()
  if (reason) {
    // Without a word of the answer: whoever waits may tell its user that something came that is no good.
    if (reason !== 'empty') channel?.postMessage({ type: 'astray', reason })
    show(reason, t[`${reason}What`], next(t[`${reason}Next`]), openLink())
    return
  }

  const RETURNED = `periscope.oauth.returned.${state}`
  const answer = () => JSON.stringify({ at: Date.now(), query })

  /** What this tab knows of the sign-in: it does after a full-page redirect. */
  const pending = (() => {
    try {
      const known = JSON.parse(read('sessionStorage', `periscope.oauth.pending.${state}`) ?? 'null')
      return typeof known === 'object' ? known : null
    } catch {
      return null
    }
  })()

  /** Opens Periscope in this tab, with the answer in the tab's own storage. */
  const goBack = () => {
    if (!write('sessionStorage', RETURNED, answer())) {
      show('unkept', t.unkeptWhat, next(t.unkeptNext), openLink())
      return false
    }
    const route = pending?.returnTo
    // Behind `../` a fragment can lead nowhere but to Periscope.
    const good =
      typeof route === 'string' && route.length <= LONGEST_ROUTE && /^#[^\x00-\x1f\x7f]*$/.test(route) ? route : '#/'
    location.replace(`../${good}`)
    return true
  }

  if (pending?.mode === 'redirect') {
    show('back')
    goBack()
    return
  }

  let done = false
  let given
  let givenAt = 0
  const timers = []

  const finish = () => {
    done = true
    timers.forEach(clearTimeout)
    remove('localStorage', RETURNED)
  }

  const taken = () => {
    if (done) return
    finish()
    channel?.close()
    show('taken', t.takenWhat, next(t.takenNext))
    // Only a window that a script opened may be closed by one; in any other the words stay.
    window.close()
  }

  // The answer goes to one page only, though many may hear: two with the same sign-in (a tab and its duplicate) would
  // otherwise use the code twice, for which authorization servers take back all that it gave (RFC 6749, section 4.1.2).
  const give = (waiter) => {
    if (done || (given !== undefined && given !== waiter && Date.now() - givenAt < SILENT_AFTER)) return
    given = waiter
    givenAt = Date.now()
    channel.postMessage({ type: 'returned', state, query, to: waiter })
  }

  channel?.addEventListener('message', ({ data }) => {
    if (typeof data !== 'object' || data === null || data.state !== state) return
    if (data.type === 'waiting' && typeof data.waiter === 'string') give(data.waiter)
    else if (data.type === 'taken') taken()
  })
  addEventListener('storage', (event) => {
    if (event.key === RETURNED && event.newValue === 'taken') taken()
  })
  // Nothing is left behind by a window that its user closes.
  addEventListener('pagehide', () => remove('localStorage', RETURNED))

  const store = () => {
    if (write('localStorage', RETURNED, answer())) {
      timers.push(setTimeout(() => remove('localStorage', RETURNED), STORED_FOR))
    }
  }

  show('handing')
  // Who waits for it? Whoever does answers `waiting`, and is given the rest.
  channel?.postMessage({ type: 'returned', state })
  // The second road leaves a trace on the disk for a moment, so it is taken only where the first led nowhere.
  if (channel) timers.push(setTimeout(store, STORE_AFTER))
  else store()
  timers.push(
    setTimeout(() => {
      const button = element('button', t.aloneButton, { type: 'button', 'data-testid': 'callback-continue' })
      button.addEventListener('click', () => {
        if (done) return
        finish()
        // Where it cannot be kept, a page that asks for it can still have it.
        if (!goBack()) done = false
      })
      show('alone', t.aloneWhat, t.aloneWhy, next(t.aloneNext), t.aloneHere, button)
    }, ALONE_AFTER),
  )
})()
