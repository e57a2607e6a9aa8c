/** `periscope play`: acts as the recorded server, for any client. */
import { LIMITS } from '../limits.ts'
import { LineSplitter } from '../lines.ts'
import { playbackServer, type PlaybackServer, firstLink } from '../../web/replay/index.ts'
import { PlaybackHttp } from './play-http.ts'
import { CannotRun, describeDamage, readRecording, type Recording } from './recording-file.ts'
import type { PlayOptions } from '../cli.ts'

export interface PlayStreams {
  readonly input: NodeJS.ReadableStream
  readonly output: (text: string) => void
  /** For messages to the user: stdout carries the protocol. */
  readonly err: (text: string) => void
}

/** Plays until its input ends or `signal` aborts. @returns the exit code: 0, or 2 if it could not start */
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
  if (link === undefined) throw new CannotRun(`\`${file}\` contains no messages to play.`)
  if (links.includes(link)) return link
  throw new CannotRun(`\`${file}\` has no connection ${link}. It has ${links.join(', ')}.`)
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
    // Immediate responses to the last requests are still sent.
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
    throw new CannotRun(`Can't listen on port ${port}: ${why}. Use another port, or 0 for any free port.`)
  }
  err(`Playing the recording at ${address}\nPress Ctrl+C to stop.\n`)
  await new Promise<void>((resolve) => {
    if (signal?.aborted) resolve()
    else signal?.addEventListener('abort', () => resolve())
  })
  await http.close()
}
