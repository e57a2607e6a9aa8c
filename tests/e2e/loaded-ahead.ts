/** Runs in the page: whether everything has arrived that it loads when it is idle, a while after the first screen. */
export const hasLoadedAhead = (): boolean => {
  const arrived = new Set(performance.getEntriesByType('resource').map(({ name }) => name))
  const last = ['connection', 'Decision'].every((chunk) => [...arrived].some((name) => name.includes(`/${chunk}-`)))
  const links = document.querySelectorAll<HTMLLinkElement>('link[rel=modulepreload], link[rel=stylesheet]')
  return last && [...links].every(({ href }) => arrived.has(href))
}
