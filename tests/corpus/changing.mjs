/**
 * Sits between a client and a server and alters the server: `node changing.mjs description|answer COMMAND ARGS…`.
 * Either the first tool's description changes, or the first response of a tool gets an extra word. Everything else
 * passes unchanged.
 */
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

const [what, command, ...args] = process.argv.slice(2)
const child = spawn(/** @type {string} */ (command), args, { stdio: ['pipe', 'pipe', 'inherit'] })
process.stdin.pipe(child.stdin)
child.on('exit', (code) => process.exit(code ?? 1))
for (const name of /** @type {const} */ (['SIGINT', 'SIGTERM'])) process.on(name, () => child.kill(name))

let changed = false
createInterface({ input: child.stdout }).on('line', (line) => {
  process.stdout.write(`${changed ? line : change(line)}\n`)
})

/** @param {string} line */
function change(line) {
  try {
    const message = JSON.parse(line)
    const [tool] = message.result?.tools ?? []
    const part = message.result?.content?.find?.(
      (/** @type {{ text?: unknown }} */ each) => typeof each.text === 'string',
    )
    if (what === 'description' && tool) tool.description = `${tool.description ?? ''} Changed.`
    else if (what === 'answer' && part) part.text += ' Changed.'
    else return line
    changed = true
    return JSON.stringify(message)
  } catch {
    return line
  }
}
