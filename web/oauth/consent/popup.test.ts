import { expect, test } from 'vitest'
import { openPopup, type OpenedWindow } from './consent.ts'

const URL_OF_OURS = 'http://127.0.0.1:6275/oauth/callback.html#opening'

/** A window that records what is done to it. */
const stand = () => {
  const asked: [url: string, name: string, features: string][] = []
  const went: string[] = []
  const opened = {
    opener: {} as unknown,
    closed: false,
    focused: 0,
    location: { replace: (url: string) => void went.push(url) },
    close: () => void (opened.closed = true),
    focus: () => void opened.focused++,
  }
  const open = (...args: [string, string, string]) => {
    asked.push(args)
    return opened as OpenedWindow
  }
  return { asked, went, opened, open }
}

test('the window is there before the call returns, over the window it belongs to', () => {
  const { asked, open } = stand()
  const popup = openPopup(open, { url: URL_OF_OURS, over: { x: 100, y: 50, width: 1280, height: 800 } })
  expect(popup.blocked).toBe(false)
  expect(asked).toEqual([[URL_OF_OURS, '_blank', 'popup=yes,width=520,height=720,left=480,top=90']])
})

test('the authorization server gets no handle on the page of Periscope', () => {
  const { opened, open } = stand()
  openPopup(open, { url: URL_OF_OURS })
  expect(opened.opener).toBeNull()
})

test.each<[what: string, open: () => OpenedWindow | null]>([
  ['returns nothing', () => null],
  [
    'throws',
    () => {
      throw new DOMException('sandboxed', 'InvalidAccessError')
    },
  ],
])('a browser that %s has blocked it, and nothing else goes wrong', (_, open) => {
  const popup = openPopup(open, { url: URL_OF_OURS })
  expect(popup.blocked).toBe(true)
  expect(popup.go('https://as.example/')).toBe('gone')
  expect(() => (popup.focus(), popup.close())).not.toThrow()
})

test('it leads to addresses of https, and of http on this machine, and to nothing else (AU-FLOW-12)', () => {
  const { went, open } = stand()
  const popup = openPopup(open, { url: URL_OF_OURS })
  const good = [
    'https://as.example/authorize?state=x',
    'http://localhost:9000/a',
    'http://127.0.0.1/a',
    'http://[::1]:80/a',
    `https://as.example/?scope=${'a%20'.repeat(3000)}`,
  ]
  for (const url of good) expect(popup.go(url), url).toBe('sent')
  expect(went).toEqual(good.map((url) => new URL(url).href))
  for (const url of [
    'javascript:alert(document.domain)',
    ' JavaScript:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,<script>1</script>',
    'file:///etc/passwd',
    'vbscript:x',
    'blob:https://as.example/1',
    'about:blank',
    'http://as.example/authorize',
    'http://127.0.0.1.evil.example/',
    'intent://x#Intent;end',
    '/authorize',
    '',
  ]) {
    expect(popup.go(url), url).toBe('refused')
  }
  expect(went).toHaveLength(good.length)
})

test('one that its user closed meanwhile is gone, and so is one that refuses to be led', () => {
  const { opened, went, open } = stand()
  const popup = openPopup(open, { url: URL_OF_OURS })
  popup.focus()
  expect(opened.focused).toBe(1)
  opened.location.replace = () => {
    throw new DOMException('blocked', 'SecurityError')
  }
  expect(popup.go('https://as.example/')).toBe('gone')
  popup.close()
  expect(popup.go('https://as.example/')).toBe('gone')
  expect(went).toEqual([])
})
