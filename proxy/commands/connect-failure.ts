/** Explains why `verify` can't connect to a server. */
import { type Frame, type Link, messageOf } from '../../web/mcp/index.ts'
import { ConnectionSecrets } from '../../web/secrets/capture.ts'
import type { SessionHead } from '../../web/session-file/index.ts'
import { redact } from '../../web/share/index.ts'
import { visible } from '../../web/ui/index.ts'
import type { Destination } from './destinations.ts'

/** Lines of stderr. A stack trace of Node has some 25, and its first says the most. */
const MOST_LINES = 30
/** UTF-16 units of a line. */
const LONGEST_LINE = 400

/**
 * In English. For a process, also its working directory and its last lines of stderr: without secrets, those of its
 * environment included, and with control characters made visible, because all of it ends up in the logs of builds.
 * @param frames of the attempt
 */
export async function explainFailure(
  error: unknown,
  { name, cwd, env }: Destination,
  frames: readonly Frame[],
  link: Link,
  head: SessionHead,
): Promise<string> {
  const secrets = new ConnectionSecrets()
  if (env) secrets.know({ env })
  const { target, reason } = secrets.mask({ target: name, reason: messageOf(error) })
  const message = `Can't connect to ${visible(target, 1_000)}: ${visible(reason, 2_000)}.`
  if (cwd === undefined) return message
  const said = frames.filter((frame) => frame.link === link && frame.kind === 'process' && frame.event === 'stderr')
  const directory = `Working directory: ${visible(cwd, 1_000)}`
  if (said.length === 0) return `${message}\n${directory}`
  // A session's frames are numbered without gaps.
  const { frames: clean } = await redact(
    { ...head, removed: [] },
    said.map((frame, seq) => secrets.mask({ ...frame, seq })),
  )
  const texts = clean.flatMap((frame) => (frame.kind === 'process' && frame.event === 'stderr' ? [frame.text] : []))
  const lines = texts.slice(-MOST_LINES).map((text) => `  ${visible(text, LONGEST_LINE)}`)
  return [message, directory, 'Last lines of stderr:', ...lines].join('\n')
}
