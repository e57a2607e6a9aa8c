/** The identity of a client or server, with the icons and titles that listed items have as well. */
import { array, by, from, literal, object, optional, string } from './shape.ts'

export const icon = by(
  'ICON-06',
  object({
    src: string(),
    mimeType: optional(string()),
    sizes: optional(array(string())),
    theme: optional(literal('light', 'dark')),
  }),
)
export const icons = from('2025-11-25', optional(array(icon)))
/** The display name. */
export const title = from('2025-06-18', optional(string()))

/** LC-14: its other members were added later. */
const fields = {
  name: string(),
  version: string(),
  title,
  icons,
  description: from('2025-11-25', optional(string())),
  websiteUrl: from('2025-11-25', optional(string())),
}
/** Of a client, or of either side. */
export const implementation = object(fields)
/** Of a server. LC-14 exists since 2025-06-18. */
export const serverImplementation = by('LC-01 2025-06-18 LC-14', object(fields))
