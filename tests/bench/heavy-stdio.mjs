/** The heavy server over stdio: `node heavy-stdio.mjs`. */
import { createInterface } from 'node:readline'
import { tsImport } from 'tsx/esm/api'

const { heavyAnswer } = await tsImport('./heavy-answers.ts', import.meta.url)

for await (const line of createInterface({ input: process.stdin })) {
  const answer = heavyAnswer(JSON.parse(line))
  if (answer !== undefined) process.stdout.write(`${answer}\n`)
}
