/**
 * Verifies published servers against recordings of themselves: each is recorded through `periscope record`, verified
 * three times with the default rules, and then two altered versions must fail. Then the recording is redacted, including
 * local folders, and verified three times in another folder; servers that have it, also over HTTP. Prints a Markdown
 * table. Not part of the tests: the servers are third-party and must be installed first.
 *
 *     --corpus FOLDER   its lists and install.sh   (../shared/corpus)
 *     --root FOLDER     where its servers are installed
 *     --only ID,ID      these servers only
 *     --keep FOLDER     where the recordings and reports are stored
 *
 * Exits with 1 if any server has an unexpected result.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { readRecording } from '../../proxy/commands/recording-file.ts'
import { messageOf } from '../../web/mcp/index.ts'
import { sessionText } from '../../web/session-file/index.ts'
import { DEFAULT_REDACTIONS } from '../../web/secrets/redaction.ts'
import { redact } from '../../web/share/redact.ts'
import { root as project, runTool } from '../command.ts'
import { commandOf, environmentOf, fill, readCorpus, setUp, type Places, type Server } from './corpus.ts'
import { endStrays, freePort, listenOn } from './processes.ts'
import { recordSession } from './record-session.ts'
import { verifyWith, type Verified } from './verified.ts'

const TIMES = 3
/** ms until a server listens. */
const START_LIMIT = 20_000

const { values } = parseArgs({
  options: {
    corpus: { type: 'string', default: join(project, '../shared/corpus') },
    root: { type: 'string' },
    only: { type: 'string' },
    keep: { type: 'string' },
  },
})

interface Row {
  readonly id: string
  readonly steps: number
  readonly passed: readonly number[]
  readonly accepted: Readonly<Record<string, number>>
  readonly description: string
  readonly answer: string
  /** Steps that passed in each run of the redacted recording, and of that over HTTP. */
  readonly redacted: readonly number[]
  readonly http: readonly number[]
  readonly faults: readonly string[]
}

const CHANGES = { description: /^\/tools\/0\/description$/, answer: /^\/content\/\d+\/text$/ } as const

/** Writes the recording as it is shared, local folders removed as well. */
const writeRedacted = async (file: string, to: string): Promise<void> => {
  const { head, frames } = await readRecording(file)
  const rules = DEFAULT_REDACTIONS.map((rule) => (rule.kind === 'paths' ? { ...rule, off: false } : rule))
  const clean = await redact(head, frames, { rules })
  writeFileSync(to, [...sessionText(clean.head, clean.frames)].join(''))
}

interface HttpRun {
  readonly periscope: string
  readonly file: string
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
  readonly url: string
}

/** Records a session between the corpus client and a server over HTTP. */
const recordOverHttp = async ({ periscope, file, env, cwd, url }: HttpRun): Promise<void> => {
  const args = [periscope, 'record', '--overwrite', '--out', file, '--listen', '0', url]
  const recorder = spawn(process.execPath, args, { env, cwd, stdio: ['pipe', 'pipe', 'pipe'] })
  const closed = once(recorder, 'close')
  try {
    let said = ''
    const address = await new Promise<string>((resolve, reject) => {
      const read = (chunk: Buffer) => {
        const found = /http:\/\/(?:127\.0\.0\.1|localhost):\d+\/\S*/.exec((said += chunk.toString()))
        if (found) resolve(found[0])
      }
      recorder.stdout.on('data', read)
      recorder.stderr.on('data', read)
      recorder.once('close', () => reject(new Error(`The recorder ended: ${said.trim()}`)))
    })
    await recordSession({ command: address, env, cwd })
  } finally {
    recorder.kill('SIGTERM')
    await closed
  }
}

/** @param periscope the built command */
const hold = async (server: Server, root: string, fixtures: string, periscope: string, keep: string): Promise<Row> => {
  // Always the same folder, so that what a server says about its files doesn't change.
  const TMP = realpathSync(mkdtempSync(join(tmpdir(), 'periscope-verify-')))
  const places: Places = { ROOT: root, FIXTURES: fixtures, TMP, PORT: '' }
  const command = [commandOf(server.command, places), ...server.args.map((arg) => fill(arg, places))]
  const env = environmentOf(server.env, places)
  const fresh = () => {
    rmSync(TMP, { recursive: true, force: true })
    mkdirSync(TMP)
    setUp(server, places)
    writeFileSync(join(TMP, 'demo.txt'), 'The content of a file\n')
  }
  const file = join(keep, `${server.id}.periscope.jsonl`)
  const faults: string[] = []
  const verify = async (label: string, changing: readonly string[] = []): Promise<Verified> => {
    fresh()
    const target = ['--', ...changing, ...command]
    const report = await verifyWith({ periscope, file, target, env, cwd: TMP })
    writeFileSync(join(keep, `${server.id}.${label}.json`), report.text)
    return report
  }
  /** Three times the redacted recording. @returns the passed steps of each run */
  const verifyRedacted = async (
    label: string,
    recording: string,
    target: readonly string[],
    there: { readonly env: Readonly<Record<string, string>>; readonly cwd: string },
    restart: () => Promise<void> = async () => {},
  ): Promise<number[]> => {
    const shared = recording.replace(/\.periscope\.jsonl$/, '.redacted.periscope.jsonl')
    await writeRedacted(recording, shared)
    const passed: number[] = []
    for (let time = 1; time <= TIMES; time++) {
      await restart()
      const report = await verifyWith({ periscope, file: shared, target, ...there })
      writeFileSync(join(keep, `${server.id}.${label}-${time}.json`), report.text)
      if (report.code !== 0) faults.push(`${label} ${time}: exit code ${report.code}, ${report.faults.join('; ')}`)
      passed.push(report.passed)
    }
    return passed
  }
  const inOtherFolder = async (): Promise<number[]> => {
    const other = realpathSync(mkdtempSync(join(tmpdir(), 'periscope-elsewhere-')))
    const there: Places = { ROOT: root, FIXTURES: fixtures, TMP: other, PORT: '' }
    try {
      setUp(server, there)
      writeFileSync(join(other, 'demo.txt'), 'The content of a file\n')
      const moved = [commandOf(server.command, there), ...server.args.map((arg) => fill(arg, there))]
      return await verifyRedacted('redacted', file, ['--', ...moved], {
        env: environmentOf(server.env, there),
        cwd: other,
      })
    } finally {
      await endStrays(other)
      rmSync(other, { recursive: true, force: true })
    }
  }
  const overHttp = async (): Promise<number[]> => {
    const mode = server.http?.find(({ transport }) => transport === 'streamable-http')
    // Some serve one request only, so there is nothing to verify.
    if (!mode || mode.expect.brokenAfterInitialize !== undefined) return []
    const port = await freePort()
    const there: Places = { ...places, PORT: String(port) }
    fresh()
    const start = {
      command: commandOf(mode.command ?? server.command, there),
      args: mode.args.map((arg) => fill(arg, there)),
      cwd: TMP,
      env: environmentOf({ ...server.env, ...mode.env }, there),
    }
    let listening = await listenOn(start, port, START_LIMIT)
    // Some serve one session only.
    const restart = async () => {
      await listening.stop()
      listening = await listenOn(start, port, START_LIMIT)
    }
    const recording = join(keep, `${server.id}-http.periscope.jsonl`)
    const url = `http://localhost:${port}${mode.path ?? '/mcp'}`
    try {
      await recordOverHttp({ periscope, file: recording, env, cwd: TMP, url })
      return await verifyRedacted('http', recording, ['--server', url], { env, cwd: TMP }, restart)
    } finally {
      await listening.stop()
    }
  }
  try {
    fresh()
    const recorder = [process.execPath, periscope, 'record', '--overwrite', '--out', file, '--', ...command]
    await recordSession({ command: recorder, env, cwd: TMP })
    const runs: Verified[] = []
    for (let time = 1; time <= TIMES; time++) {
      const report = await verify(`${time}`)
      runs.push(report)
      if (report.code !== 0) faults.push(`run ${time}: exit code ${report.code}, ${report.faults.join('; ')}`)
    }
    const changed = async (what: keyof typeof CHANGES): Promise<string> => {
      const report = await verify(what, [process.execPath, fileURLToPath(import.meta.resolve('./changing.mjs')), what])
      // Without text content, there is nothing to alter.
      if (what === 'answer' && !report.texts) return 'no text'
      const [only, ...more] = report.pointers
      const named = report.code === 1 && more.length === 0 && only !== undefined && CHANGES[what].test(only.pointer)
      if (!named) faults.push(`${what} changed: exit code ${report.code}, ${JSON.stringify(report.pointers)}`)
      return named ? `${only.title} ${only.pointer}` : '**not named**'
    }
    const [description, answer] = [await changed('description'), await changed('answer')]
    const { steps = 0, accepted = {} } = runs[0] ?? {}
    const [redacted, http] = [await inOtherFolder(), await overHttp()]
    const passed = runs.map((run) => run.passed)
    return { id: server.id, steps, passed, accepted, description, answer, redacted, http, faults }
  } finally {
    await endStrays(TMP)
    rmSync(TMP, { recursive: true, force: true })
  }
}

const line = (cells: readonly string[]): string =>
  `| ${cells.map((cell) => cell.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|').slice(0, 400)).join(' | ')} |`

const rowLine = ({ id, steps, passed, accepted, description, answer, redacted, http, faults }: Row): string =>
  line([
    id,
    String(steps),
    passed.map((count) => `${count}/${steps}`).join(', '),
    Object.entries(accepted)
      .map(([rule, count]) => `${rule} ${count}`)
      .join(', '),
    description,
    answer,
    redacted.join(', '),
    http.join(', '),
    faults.length === 0 ? 'yes' : `**no**: ${faults.join('; ')}`,
  ])

const main = async (): Promise<void> => {
  if (values.root === undefined) throw new Error('Where are the servers installed? Say it with --root FOLDER')
  const root = resolve(values.root)
  const corpus = readCorpus(resolve(values.corpus))
  const only = values.only?.split(',')
  const servers = corpus.servers.filter(
    ({ id, dir, expect }) => (only?.includes(id) ?? expect.fails === undefined) && existsSync(join(root, dir)),
  )
  if (servers.length === 0) throw new Error(`None of the servers is installed in ${root}`)
  const folder = mkdtempSync(join(tmpdir(), 'periscope-verify-build-'))
  const keep = values.keep === undefined ? join(folder, 'kept') : resolve(values.keep)
  mkdirSync(keep, { recursive: true })
  const args = ['build', '--ssr', '--mode', 'proxy', '--outDir', folder, '--logLevel', 'warn']
  const rows: Row[] = []
  try {
    const { problem } = await runTool('vite', args)
    if (problem !== undefined) throw new Error(`The command was not built: ${problem}`)
    const titles = [
      'Server',
      'Steps',
      'Passed',
      'Accepted by rules',
      'Other description',
      'Other answer',
      'Redacted, elsewhere',
      'Redacted, over HTTP',
      'As it should',
    ]
    console.log(`${line(titles)}\n${line(titles.map(() => '---'))}`)
    for (const server of servers) {
      const untried = {
        id: server.id,
        steps: 0,
        passed: [],
        accepted: {},
        description: '',
        answer: '',
        redacted: [],
        http: [],
      }
      const row = await hold(server, root, corpus.fixtures, join(folder, 'periscope.js'), keep).catch(
        (error: unknown) => ({ ...untried, faults: [messageOf(error)] }),
      )
      rows.push(row)
      console.log(rowLine(row))
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  const good = rows.filter(({ faults }) => faults.length === 0).length
  console.log(`\n${good} of ${rows.length} are held as they should be`)
  if (good < rows.length) process.exitCode = 1
}

try {
  await main()
} catch (error) {
  console.error(messageOf(error))
  process.exitCode = 1
}
