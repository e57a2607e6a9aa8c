/**
 * Stands between a client and a server, and lets it be another one: `node changing.mjs description|answer COMMAND ARGS…`. The first
 * tool has other words of itself; or the first answer of a tool has one word more. All else passes.
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
