/** The official Go SDK, in a module that is made once for all runs. It needs go and a module proxy. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const WANTED = 'github.com/modelcontextprotocol/go-sdk'
const VERSION = 'v1.7.0'

export type GoSdk = { readonly path: string } | { readonly missing: string }

type Patient = (ms: number) => number

/** @param root of the project @returns a folder with the `go.mod` and `go.sum` of a module that requires the SDK, or why there is none */
const install = async (root: string, patient: Patient): Promise<GoSdk> => {
  const path = join(root, '.cache/go-sdk-1')
  if (existsSync(path)) return { path }
  await mkdir(dirname(path), { recursive: true })
  const folder = await mkdtemp(`${path}.`)
  try {
    await writeFile(join(folder, 'go.mod'), 'module example\n')
    // For its `go.sum`, a module needs a file that imports the package.
    await writeFile(join(folder, 'main.go'), `package main\n\nimport _ "${WANTED}/mcp"\n\nfunc main() {}\n`)
    const options = { cwd: folder, env: { ...process.env, GO111MODULE: 'on', GOFLAGS: '-mod=mod', GOWORK: 'off' } }
    await run('go', ['get', `${WANTED}@${VERSION}`], { ...options, timeout: patient(60_000) })
    // Needs a Go that is new enough, or can download one.
    await run('go', ['build', '-o', join(folder, 'built'), '.'], { ...options, timeout: patient(240_000) })
    await rm(join(folder, 'built'))
    await rename(folder, path).catch((error: unknown) => {
      if (!existsSync(path)) throw error
    })
    return { path }
  } catch (error) {
    // The first line only repeats the command.
    const { stderr, message } = error as Error & { stderr?: string }
    const said = (stderr ?? '').trim().split('\n').at(-1)
    return {
      missing: `the Go SDK can't be installed: ${said === undefined || said === '' ? message.split('\n')[0]! : said}`,
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

let installed: Promise<GoSdk> | undefined

/**
 * Tried once: without a proxy each attempt takes its time.
 * @param patient of the runner, because Vitest's can't be imported by journeys
 */
export const goSdk = (root: string, patient: Patient): Promise<GoSdk> => (installed ??= install(root, patient))
