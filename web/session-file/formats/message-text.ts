/** The text of what was sent or received, if the trace still contains it. */
import type { FrameOf, MessageFrame } from '../../mcp/index.ts'

/** `undefined` if its body was released, or omitted from a file. */
export const textOfMessage = ({ raw, message }: Pick<MessageFrame, 'raw' | 'message'>): string | undefined =>
  raw ?? (message === undefined ? undefined : JSON.stringify(message))

interface EventFields {
  readonly id?: string
  readonly name?: string
  readonly data: string
}

export type StreamPart = MessageFrame | FrameOf<'stream'>

/**
 * A part of an event stream as its server may have written it. Other frames, such as the stream's opening, have no
 * text.
 */
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
    // Names and IDs can't contain line ends in a stream.
    ...(id === undefined ? [] : [`id: ${id.replace(/[\r\n]/g, ' ')}\n`]),
    ...(name === undefined ? [] : [`event: ${name.replace(/[\r\n]/g, ' ')}\n`]),
    ...data.split(LINES).map((line) => `data: ${line}\n`),
    '\n',
  ].join('')
