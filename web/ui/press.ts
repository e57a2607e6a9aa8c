/** What a user presses, with the pointer or a key. */
const PRESSED = ':is(button, summary, label, input):active'

/** What may end a press. The `blur` of any element arrives here too, so look again after each. */
const RELEASES = ['pointerup', 'pointercancel', 'keyup', 'blur']

/** ms. The click follows the release: of a mouse or a key in the same task, of a finger in a later one. */
const CLICK = 50

/**
 * Resolves when nothing is pressed. Wait for it before moving a control: if it moves before its release, it gets no
 * click.
 */
export const endOfPress = async (): Promise<void> => {
  while (document.querySelector(PRESSED)) await release()
}

const release = async (): Promise<void> => {
  const stop = new AbortController()
  await new Promise<void>((resolve) => {
    const released = () => void setTimeout(resolve, CLICK)
    for (const type of RELEASES) addEventListener(type, released, { capture: true, signal: stop.signal })
  })
  stop.abort()
}
