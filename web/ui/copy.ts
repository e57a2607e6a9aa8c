/**
 * Copies text to the clipboard.
 *
 * `navigator.clipboard` exists only in secure contexts. A page served over plain HTTP from another machine has to use
 * the old API, which works only while a click or a key is being handled.
 * @returns whether the text is on the clipboard now
 */
export const copy = async (text: string): Promise<boolean> => {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyByEvent(text)
  }
}

const copyByEvent = (text: string): boolean => {
  let taken = false
  const fill = (event: ClipboardEvent) => {
    event.clipboardData?.setData('text/plain', text)
    event.preventDefault()
    taken = true
  }
  document.addEventListener('copy', fill, { once: true, capture: true })
  try {
    return document.execCommand('copy') && taken
  } finally {
    document.removeEventListener('copy', fill, { capture: true })
  }
}
