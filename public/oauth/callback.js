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
    openingWhat: 'Periscope is asking the server how to sign in. The sign-in page appears in this window in a moment.',
    openingSlow:
      'This takes longer than usual. The Periscope page shows which step it is waiting for. To give up, close this window.',
    handing: 'Handing the answer to Periscope',
    back: 'Going back to Periscope',
    taken: 'Periscope has the answer',
    takenWhat: 'It is checking it now. Its own page says whether you are signed in.',
    takenNext: 'You can close this window.',
    alone: 'No Periscope page took the answer',
    aloneWhat: 'The sign-in page sent you back here, but no open Periscope page is waiting for this answer. Either',
    aloneWhy: [
      'the page that asked for it was closed or reloaded, or gave up waiting;',
      'it is open in another browser, profile or private window;',
      'or it is embedded in another site, where the browser keeps the two apart.',
    ],
    aloneNext: 'Is that page still open? Go there and start the sign-in again. You can close this window.',
    aloneHere:
      'Otherwise go on here: Periscope opens in this tab with the answer. If this tab knows nothing of the sign-in, Periscope says so, and you start it again.',
    aloneButton: 'Continue in this tab',
    fragment: 'The answer was not accepted',
    fragmentWhat:
      'The sign-in page put its answer behind the “#” of the address. Tokens are handed out that way in the implicit flow, which is no longer safe to use: Periscope asks for a code, and reads nothing from there. Nothing was kept.',
    fragmentNext:
      'The authorization server must send its answer in the query (response_type=code, response_mode=query). Then start the sign-in again in Periscope.',
    'no-state': 'The answer belongs to no sign-in',
    'no-stateWhat':
      'It does not have exactly one usable “state”, so nobody can tell which sign-in it answers. It was thrown away.',
    'no-stateNext':
      'Start the sign-in again in Periscope. If this happens again, the authorization server does not send back the “state” it was given (RFC 6749, section 4.1.2).',
    'too-long': 'The answer is too long',
    'too-longWhat': `It has ${query.length} characters; Periscope takes ${LONGEST_QUERY}. It was thrown away.`,
    'too-longNext': 'Have the authorization server send a short code, then start the sign-in again in Periscope.',
    empty: 'There is nothing to hand over',
    emptyWhat:
      'This page brings the answer of a sign-in page to Periscope. It was opened without one, or reloaded after it had passed it on.',
    emptyNext: 'Start the sign-in in Periscope.',
    unkept: 'This browser refused to keep the answer',
    unkeptWhat: 'Periscope opens in this tab and needs its session storage for that, which is refused or full.',
    unkeptNext: 'Allow this site to store data, then start the sign-in again in Periscope.',
    open: 'Open Periscope',
  }

  const ZH = {
    title: (words) => `${words} · Periscope`,
    opening: '正在准备登录',
    openingWhat: 'Periscope 正在询问服务器如何登录，登录页面马上会出现在这个窗口中。',
    openingSlow: '等待时间比平常长。Periscope 页面上会显示正在等待哪一步。如果不想继续，关闭此窗口即可。',
    handing: '正在把结果交给 Periscope',
    back: '正在返回 Periscope',
    taken: 'Periscope 已收到结果',
    takenWhat: '它正在检查这个结果，是否登录成功请看 Periscope 页面。',
    takenNext: '现在可以关闭此窗口。',
    alone: '没有 Periscope 页面接收这个结果',
    aloneWhat: '登录页面已把你带回这里，但没有打开着的 Periscope 页面在等待这个结果。可能的原因：',
    aloneWhy: [
      '发起登录的页面已关闭、已重新加载，或已不再等待；',
      '它在另一个浏览器、另一个用户配置或隐私窗口中；',
      '它嵌在别的网站里，浏览器把两者隔开了。',
    ],
    aloneNext: '如果那个页面还开着，请回到那里重新登录，并关闭此窗口。',
    aloneHere:
      '否则可以在这里继续：Periscope 会带着结果在此标签页中打开。如果此标签页不认识这次登录，Periscope 会告诉你，届时重新登录即可。',
    aloneButton: '在此标签页中继续',
    fragment: '结果未被接受',
    fragmentWhat:
      '登录页面把结果放在了地址的“#”之后。隐式流程就是这样传递令牌的，这种做法已不再安全：Periscope 请求的是授权码，不会读取那里的任何内容。没有保留任何数据。',
    fragmentNext:
      '授权服务器必须把结果放在查询参数中（response_type=code、response_mode=query）。改正后请在 Periscope 中重新登录。',
    'no-state': '无法判断结果属于哪次登录',
    'no-stateWhat': '结果中没有唯一且可用的“state”，因此无法知道它对应哪次登录。它已被丢弃。',
    'no-stateNext':
      '请在 Periscope 中重新登录。如果再次出现，说明授权服务器没有原样返回收到的“state”（RFC 6749 第 4.1.2 节）。',
    'too-long': '结果过长',
    'too-longWhat': `它有 ${query.length} 个字符，而 Periscope 最多接收 ${LONGEST_QUERY} 个。它已被丢弃。`,
    'too-longNext': '请让授权服务器返回较短的授权码，然后在 Periscope 中重新登录。',
    empty: '没有可以交付的内容',
    emptyWhat: '此页面负责把登录页面的结果交给 Periscope。它打开时没有带结果，或者在交付之后被重新加载了。',
    emptyNext: '请在 Periscope 中登录。',
    unkept: '浏览器拒绝保存结果',
    unkeptWhat: 'Periscope 要在此标签页中打开，需要用到会话存储，但它被拒绝或已满。',
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
