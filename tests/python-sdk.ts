/** The official Python SDK, installed once for all runs. It needs python3 and an index of packages. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const WANTED = 'mcp>=2,<3'

/**
 * @param root of the project
 * @param patient of the runner, because Vitest's can't be imported by journeys
 * @returns a folder for `PYTHONPATH`, or why there is none
 */
export const pythonSdk = async (
  root: string,
  patient: (ms: number) => number,
): Promise<{ readonly path: string } | { readonly missing: string }> => {
  const path = join(root, '.cache/python-sdk-2')
  if (existsSync(path)) return { path }
  await mkdir(dirname(path), { recursive: true })
  const folder = await mkdtemp(`${path}.`)
  try {
    // An index that can't be reached is no reason to wait.
    const options = ['--quiet', '--retries', '0', '--timeout', '15', '--disable-pip-version-check']
    await run('python3', ['-m', 'pip', 'install', ...options, '--target', folder, WANTED], {
      timeout: patient(120_000),
    })
    // Two runs may install it at the same time: the second one finds it there.
    await rename(folder, path).catch((error: unknown) => {
      if (!existsSync(path)) throw error
    })
    return { path }
  } catch (error) {
    return { missing: `the Python SDK can't be installed: ${String(error).split('\n')[0]}` }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
