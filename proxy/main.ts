/** The `periscope` command. Loads only the modules of the command that runs, to keep the start fast. */
import { readCommandLine, type CommandLine } from './cli.ts'
import { HELP } from './commands/options.ts'

await run(readCommandLine(process.argv.slice(2)))

async function run(options: CommandLine): Promise<void> {
  switch (options.kind) {
    case 'help':
      process.stdout.write(HELP)
      return
    case 'version':
      process.stdout.write(`${__VERSION__}\n`)
      return
    case 'usage-error':
      process.stderr.write(`${options.message}\n`)
      process.exitCode = 2
      return
    case 'serve':
      return (await import('./serve.ts')).serve(options)
    default:
      return (await import('./commands/run.ts')).runCommand(options)
  }
}
