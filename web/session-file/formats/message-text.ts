/** The text of what was sent or received, as far as the trace still holds it. */
import type { FrameOf, MessageFrame } from '../../mcp/index.ts'

/** `undefined`: its body was let go, or left out of a file. */
export const textOfMessage = ({ raw, message }: Pick<MessageFrame, 'raw' | 'message'>): string | undefined =>
  raw ?? (message === undefined ? undefined : JSON.stringify(message))

interface EventFields {
  readonly id?: string
  readonly name?: string
  readonly data: string
}

export type StreamPart = MessageFrame | FrameOf<'stream'>

/** A part of an event stream as its server may have written it. What is none, such as an opening, has no text. */
export const eventText = (part: EventFields | StreamPart): string => {
  if (!('kind' in part)) return event(part)
  if (part.kind === 'message') {
    const { eventId, eventName } = part
    const head = {
      ...(eventId === undefined ? {} : { id: eventId }),
      ...(eventName === undefined ? {} : { name: eventName }),
    }
    return event({ ...head, data: textOfMessage(part) ?? '' })
  }
  switch (part.event) {
    case 'data':
      return event({ ...part, data: part.data ?? '' })
    case 'comment':
      return (
        part.text
          .split(LINES)
          .map((line) => `:${line}\n`)
          .join('') + '\n'
      )
    case 'retry':
      return `retry: ${part.delay}\n\n`
    default:
      return ''
  }
}

const LINES = /\r\n|\n|\r/

const event = ({ id, name, data }: EventFields): string =>
  [
    // No name and no id can hold a line end: none came out of a stream.
    ...(id === undefined ? [] : [`id: ${id.replace(/[\r\n]/g, ' ')}\n`]),
    ...(name === undefined ? [] : [`event: ${name.replace(/[\r\n]/g, ' ')}\n`]),
    ...data.split(LINES).map((line) => `data: ${line}\n`),
    '\n',
  ].join('')
