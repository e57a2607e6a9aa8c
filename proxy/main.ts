/** The command `periscope`. Each of its commands is loaded when it is asked for: none waits for the others. */
import { HELP, readCommandLine, type Wish } from './cli.ts'

await run(readCommandLine(process.argv.slice(2)))

async function run(wish: Wish): Promise<void> {
  switch (wish.kind) {
    case 'help':
      process.stdout.write(HELP)
      return
    case 'version':
      process.stdout.write(`${__VERSION__}\n`)
      return
    case 'mistake':
      process.stderr.write(`${wish.message}\n`)
      process.exitCode = 2
      return
    case 'serve':
      return (await import('./serve.ts')).serve(wish)
    default:
      return (await import('./commands/run.ts')).runCommand(wish)
  }
}
