/**
 * The address within the page: `#/s1/tools/echo` is the tool `echo` of server `s1`.
 */

export interface Route {
  /** The link of a server; absent on the connect screen. */
  readonly server?: string
  /** The id of a feature; absent: the server's first screen. */
  readonly feature?: string
  /** The part that belongs to the feature's panel, decoded. */
  readonly place: string
}

export const HOME: Route = { place: '' }

/** Never throws: an address is input like any other. */
export const parseRoute = (hash: string): Route => {
  const path = /^#?\/([^?]*)/.exec(hash)?.[1]
  if (!path) return HOME
  const [server, feature, ...rest] = path.split('/')
  // Ids are short and plain; anything else was not written by this page.
  if (!server || !/^[a-z]\d+$/.test(server)) return HOME
  if (!feature || !/^[a-z][a-z-]*$/.test(feature)) return { server, place: '' }
  return { server, feature, place: decode(rest.join('/')) }
}

export const formatRoute = ({ server, feature, place }: Route): string => {
  if (!server) return '#/'
  if (!feature) return `#/${server}`
  return place === '' ? `#/${server}/${feature}` : `#/${server}/${feature}/${encodeURIComponent(place)}`
}

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

export const signInRoute = ({ link }: { readonly link: string }): Route => ({
  server: link,
  feature: 'authorization',
  place: '',
})
