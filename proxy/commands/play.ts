/** `periscope play`: a recording answers as its server did, for any client. */
import { LIMITS } from '../limits.ts'
import { LineSplitter } from '../lines.ts'
import { playbackServer, type PlaybackServer, firstLink } from '../../web/replay/index.ts'
import { PlaybackHttp } from './play-http.ts'
import { CannotRun, describeDamage, readRecording, type Recording } from './recording-file.ts'
import type { PlayOptions } from '../cli.ts'

export interface PlayStreams {
  readonly input: NodeJS.ReadableStream
  readonly output: (text: string) => void
  /** For people: stdout belongs to the protocol. */
  readonly err: (text: string) => void
}

/** Plays until its input ends, or until it is stopped. @returns the exit code: 0, or 2 where it could not begin */
export async function play(options: PlayOptions, streams: PlayStreams, signal?: AbortSignal): Promise<number> {
  const { err } = streams
  try {
    const recording = await readRecording(options.file, signal)
    const link = linkOf(recording, options.link)
    for (const line of describeDamage(recording)) err(`periscope play: the recording is damaged: ${line}.\n`)
    const server = playbackServer(recording.frames, { link, delays: options.delays })
    if (options.port === undefined) await overStdio(server, streams, signal)
    else await overHttp(server, options.port, err, signal)
    return 0
  } catch (error) {
    if (signal?.aborted) return 0
    if (!(error instanceof CannotRun)) throw error
    err(`periscope play: ${error.message}\n`)
    return 2
  }
}

function linkOf({ frames, file }: Recording, wanted: string | undefined): string {
  const links = [...new Set(frames.map((frame) => frame.link))]
  const link = wanted ?? firstLink(frames)
  if (link === undefined) throw new CannotRun(`\`${file}\` holds no messages: nothing in it could answer.`)
  if (links.includes(link)) return link
  throw new CannotRun(`There is no connection ${link} in \`${file}\`; there are ${links.join(', ')}.`)
}

function overStdio(
  server: PlaybackServer,
  { input, output }: PlayStreams,
  signal: AbortSignal | undefined,
): Promise<void> {
  const connection = server.connect((text) => output(`${text}\n`))
  const lines = new LineSplitter(LIMITS.line, {
    line: ({ text }) => {
      if (text.trim() !== '') connection.receive(text)
    },
    lost: () => {},
  })
  return new Promise((resolve) => {
    const over = () => {
      connection.close()
      resolve()
    }
    input.on('data', (chunk: Buffer) => lines.push(chunk))
    // What was asked last is still answered, where that takes no time.
    input.once('end', () => {
      lines.end()
      setImmediate(over)
    })
    input.once('error', over)
    signal?.addEventListener('abort', over)
  })
}

async function overHttp(
  server: PlaybackServer,
  port: number,
  err: PlayStreams['err'],
  signal: AbortSignal | undefined,
): Promise<void> {
  const http = new PlaybackHttp(server)
  let address: string
  try {
    address = await http.listen(port)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const why = code === 'EADDRINUSE' ? 'it is in use by another program' : message
    throw new CannotRun(`Port ${port} cannot be listened on: ${why}. Give another one, or 0 for any free one.`)
  }
  err(`The recording answers at ${address}\nPress Ctrl+C to end it.\n`)
  await new Promise<void>((resolve) => {
    if (signal?.aborted) resolve()
    else signal?.addEventListener('abort', () => resolve())
  })
  await http.close()
}
