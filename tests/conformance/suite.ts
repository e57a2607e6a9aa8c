/** The official conformance suite as installed: how to start it, and what it requires of a client. */
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import * as fs from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { root } from '../command.ts'
import { bundleProgram } from './bundle.ts'

const PACKAGE = '@modelcontextprotocol/conformance'
const installed = join(root, 'node_modules', PACKAGE)

/** Inside node_modules, so that it finds the suite's dependencies; never committed, never published. */
const COPY = '.cache/periscope-conformance'

/**
 * The suite as `runTool` names it: a copy of its program as one script, which starts in two thirds of the time. It
 * imports `globSync` from `node:fs`, which Node has only from version 22, for a command we don't use; for older
 * versions, that import is removed.
 *
 * @throws {Error} if the import isn't where it was, or the build fails
 */
export const suiteTool = async (): Promise<string> => {
  const folder = join(root, 'node_modules', COPY)
  const source = readFileSync(join(installed, 'dist/index.js'), 'utf8')
  const program = 'globSync' in fs ? source : withoutGlob(source)
  const entry = join(folder, 'program.js')
  if (!existsSync(entry) || readFileSync(entry, 'utf8') !== program) {
    mkdirSync(folder, { recursive: true })
    cpSync(join(installed, 'requirements'), join(folder, 'requirements'), { recursive: true })
    const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as object
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ ...manifest, bin: { conformance: 'dist/client.js' } }))
    // Concurrent runs must not read a partial file.
    const draft = `${entry}.${process.pid}`
    writeFileSync(draft, program)
    renameSync(draft, entry)
  }
  await bundleProgram(entry, join(folder, 'dist'))
  return `${COPY}:conformance`
}

/** @throws {Error} if there isn't exactly one such import */
export const withoutGlob = (source: string): string => {
  const found = source.match(/\bglobSync as [\w$]+,/g) ?? []
  const [name] = found
  if (name === undefined || found.length > 1) {
    throw new Error(
      `The conformance suite imports globSync ${found.length} times, not once: correct tests/conformance/suite.ts, or use Node 22`,
    )
  }
  return source.replace(name, '')
}

export interface Scenario {
  readonly name: string
  readonly revision: string
  /** Why it doesn't count for the suite's own rate; it does for ours. */
  readonly notScored?: string
}

/** The part of `requirements/*.yaml` read here. */
interface RequirementSet {
  readonly client: readonly string[]
  readonly not_scored?: readonly { readonly scenario: string; readonly leg: string; readonly reason: string }[]
}

/** Protocol versions that have a requirement set. */
export const SETS = ['2025-11-25', '2026-07-28'] as const

/** All client scenarios of one protocol version, including those that aren't scored. */
export const scenariosOf = (revision: string): readonly Scenario[] => {
  const { parse } = createRequire(join(installed, 'package.json'))('yaml') as { parse(text: string): unknown }
  const file = join(installed, 'requirements', `${revision}.yaml`)
  const { client, not_scored: rest = [] } = parse(readFileSync(file, 'utf8')) as RequirementSet
  return [
    ...client.map((name) => ({ name, revision })),
    ...rest
      .filter(({ leg }) => leg === 'client')
      .map(({ scenario, reason }) => ({ name: scenario, revision, notScored: reason })),
  ]
}
