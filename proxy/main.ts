/** The `periscope` command. Loads only the modules of the command that runs, to keep the start fast. */
import { readCommandLine, type CommandLine } from './cli.ts'
import { helpFor } from './commands/options.ts'
import { ownCommand } from './own-command.ts'

const own = ownCommand()
await run(readCommandLine(process.argv.slice(2), own))

async function run(options: CommandLine): Promise<void> {
  switch (options.kind) {
    case 'help':
      process.stdout.write(helpFor(own))
      return
    case 'version':
      process.stdout.write(`${__VERSION__}\n`)
      return
    case 'usage-error':
      process.stderr.write(`${options.message}\n`)
      process.exitCode = 2
      return
    case 'serve':
      return (await import('./serve.ts')).serve(options, own)
    default:
      return (await import('./commands/run.ts')).runCommand(options)
  }
}
