/**
 * What the suite passes to a client command: the server's URL as the last argument, everything else in the environment.
 */
import { isObject, type JsonObject } from '../../web/mcp/index.ts'
import { parsedUrl } from '../../web/mcp/url.ts'
import type { ConformanceRun } from './client.ts'

export interface CommandLine {
  readonly run: ConformanceRun
  /** Names and values of `--name value`; `true` for a name without a value. */
  readonly options: Readonly<Record<string, string | true>>
}

type Environment = Readonly<Record<string, string | undefined>>

/**
 * @param flags options that take no value
 * @throws {Error} that says what is missing or wrong
 */
export const readCommandLine = (
  args: readonly string[],
  environment: Environment,
  flags: readonly string[] = ['detect'],
): CommandLine => {
  const options: Record<string, string | true> = {}
  let serverUrl: string | undefined
  for (let at = 0; at < args.length; at++) {
    const [, name] = /^--(.+)$/.exec(args[at]!) ?? []
    if (name === undefined) serverUrl = args[at]
    else options[name] = flags.includes(name) ? true : (args[++at] ?? '')
  }
  if (serverUrl === undefined || !parsedUrl(serverUrl)) {
    throw new Error(`The last argument must be the URL of the server; it is ${serverUrl ?? 'not there'}`)
  }
  const scenario = environment['MCP_CONFORMANCE_SCENARIO']
  if (!scenario) throw new Error('MCP_CONFORMANCE_SCENARIO must name the scenario')
  const context = contextOf(environment['MCP_CONFORMANCE_CONTEXT'])
  const revision = environment['MCP_CONFORMANCE_PROTOCOL_VERSION']
  return {
    options,
    run: {
      serverUrl,
      scenario,
      ...(context ? { context } : {}),
      ...(revision ? { protocolVersion: revision } : {}),
      // The suite expects clients to use the lifecycle of the given protocol version; this option negotiates it
      // instead.
      ...(options['detect'] ? { detect: true } : {}),
    },
  }
}

const contextOf = (text: string | undefined): JsonObject | undefined => {
  if (!text) return
  const value: unknown = JSON.parse(text)
  if (!isObject(value)) throw new Error('MCP_CONFORMANCE_CONTEXT is no JSON object')
  return value
}
