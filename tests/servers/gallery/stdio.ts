/** Programs that start, but lack something, or don't speak MCP over stdio. */
import { createServer } from 'node:net'
import { resolve } from 'node:path'
import { listen } from '../listening.ts'
import { printing, script, targetsOf, type Started, type Target } from './target.ts'

const target = targetsOf('process')
const WEB = /\bCORS\b|Access-Control/i

/** A framing of `unusable-stdio.mjs`. */
const framing = (kind: string) => async (): Promise<Started> => ({
  line: `node ${resolve(import.meta.dirname, '../unusable-stdio.mjs')} ${kind}`,
  close: async () => {},
})

/** Keeps a script alive that reads nothing, until its client ends it. */
const STAY = "process.stdin.resume()\nprocess.stdin.on('end', () => process.exit(0))\n"

export const stdio: readonly Target[] = [
  target(
    'variable-missing',
    "The environment variable GITHUB_PERSONAL_ACCESS_TOKEN isn't set for the process.",
    script(`if (!process.env.GALLERY_NEVER_SET) {
  console.error('Error: GITHUB_PERSONAL_ACCESS_TOKEN environment variable is required')
  process.exit(1)
}`),
    {
      names:
        /(environment|\benv\b|variable|set)[^]{0,120}GITHUB_PERSONAL_ACCESS_TOKEN|GITHUB_PERSONAL_ACCESS_TOKEN[^]{0,120}(environment|\benv\b|variable|not set|missing)/i,
      misleads: /\bCORS\b|Access-Control|GITHUB_PERSONAL_ACCESS_TOKEN[^.]{0,30}(expired|invalid)/i,
      by: 'user',
      remedy: 'Add the variable with a token to the connection.',
    },
  ),
  target(
    'argument-missing',
    'The server requires a directory as its argument, but got none.',
    script(`console.error('Usage: mcp-server-filesystem <allowed-directory> [additional-directories...]')
process.exit(1)`),
    {
      names: /argument|parameter|(needs|requires|expects|missing|add|allowed)[^.]{0,60}(director|folder|path)/i,
      misleads: /\bCORS\b|Access-Control|not installed|not found/i,
      by: 'user',
      remedy: 'Add the directory to the command.',
    },
  ),
  target(
    'argument-unknown',
    "The program doesn't know the option --stdio.",
    printing('weather-mcp --stdio', {
      stderr: `usage: weather-mcp [-h] [--transport {stdio,sse}]
weather-mcp: error: unrecognized arguments: --stdio`,
      code: 2,
    }),
    {
      names: /(know|unknown|unrecognized)[^]{0,60}argument|--stdio/i,
      misleads: /\bCORS\b|Access-Control|argument is missing/i,
      by: 'user',
      remedy: 'Use --transport stdio.',
    },
  ),
  target(
    'port-in-use',
    'The server also listens on a port of its own, which another process holds, and ends because of it.',
    async () => {
      const taken = await listen(createServer() as never)
      const server = await script(`require('./stdio.cjs').serve((response) => console.log(JSON.stringify(response)))
require('node:http').createServer().listen(${new URL(taken.url).port}, '127.0.0.1')`)()
      const close = async () => void (await Promise.all([server.close(), taken.close()]))
      return { line: server.line, close }
    },
    {
      names: /port[^]{0,80}(in use|taken|occupied|already|busy|another)|already (in use|running|listen)|EADDRINUSE/i,
      misleads: /\bCORS\b|Access-Control|nothing (is )?listen/i,
      by: 'user',
      remedy: 'End the other process, or give the server another port.',
    },
  ),
  target(
    'database-down',
    "The server can't reach its database at 127.0.0.1:5432, where nothing listens, and ends.",
    printing('node /opt/pg-mcp/dist/index.js', {
      stderr: `PostgreSQL MCP server starting
Error: connect ECONNREFUSED 127.0.0.1:5432
    at TCPConnectWrap.afterConnect [as oncomplete] (node:net:1611:16) {
  errno: -111,
  code: 'ECONNREFUSED',
  syscall: 'connect',
  address: '127.0.0.1',
  port: 5432
}`,
    }),
    {
      names:
        /5432[^]*(database|postgres|service|backend|behind|needs|depends|itself)|(database|postgres|service it|backend|depends)[^]*5432|postgres/i,
      misleads: /\bCORS\b|Access-Control|check the (server )?URL|port (is )?(already )?in use/i,
      by: 'user',
      remedy: 'Start the database, or correct its URL in the settings of the server.',
    },
  ),
  target(
    'own-key-rejected',
    'The service that the server uses rejects its API key.',
    printing('acme-mcp', {
      stderr: `acme-mcp 2.1.0
Error: Request failed with status code 401: Invalid API key provided`,
    }),
    {
      names: /(credential|key|401)[^]{0,120}(rejected|invalid|expired|wrong)/i,
      misleads: /\bCORS\b|Access-Control|Add Authorization|variable is missing/i,
      by: 'user',
      remedy: 'Give the server a valid key.',
    },
  ),
  target(
    'working-directory',
    "The server reads weather-config.json from its working directory, which isn't the one that its author assumed.",
    script("console.error(require('node:fs').readFileSync('./weather-config.json', 'utf8').length)"),
    {
      names:
        /working (directory|folder)|\bcwd\b|weather-config\.json[^]{0,120}(not found|missing|does|relative|no such)|current (directory|folder)|relative/i,
      misleads: /\bCORS\b|Access-Control|node (is|was) not (found|installed)|npm run build/i,
      by: 'client',
      remedy: 'Set the working directory to the folder of the server.',
    },
  ),
  target(
    'http-mode',
    "The command starts an HTTP server and never responds over stdio: it isn't in stdio mode.",
    script(`require('node:http').createServer((_, response) => response.writeHead(404).end()).listen(0, '127.0.0.1', function () {
  console.error('INFO:     Application startup complete.')
  console.error(\`INFO:     Uvicorn running on http://127.0.0.1:\${this.address().port} (Press CTRL+C to quit)\`)
})
${STAY}`),
    {
      names: /serves HTTP|HTTP (server|mode|transport)|connect to (it|this|that|http)|--transport|stdio mode/i,
      misleads: /\bCORS\b|Access-Control|crash|is not running/i,
      by: 'client',
      remedy: 'Connect to the printed URL, or start the server with --transport stdio.',
    },
  ),
  target(
    'frame-content-length',
    'The server frames messages with a Content-Length header, as language servers do.',
    framing('content-length'),
    {
      names: /Content-Length|LSP|language server|fram/i,
      misleads: /\bCORS\b|Access-Control|compressed|log(s|ging)? (to|on) stdout/i,
      by: 'server',
      remedy: 'Write each message as one line of JSON.',
    },
  ),
  target(
    'frame-several-lines',
    'The server writes each message as indented JSON over several lines.',
    framing('pretty-json'),
    {
      names: /one line|single line|several lines|multiple lines|multi-?line|pretty|indent|spread|newlines?/i,
      misleads: WEB,
      by: 'server',
      remedy: 'Serialize without indentation.',
    },
  ),
  target('frame-no-newline', "The server doesn't end its messages with a newline.", framing('no-newline'), {
    names: /newline|line (break|end)/i,
    misleads: WEB,
    by: 'server',
    remedy: 'Write \\n after each message.',
  }),
  target(
    'frame-log-on-line',
    'The server writes its log to stdout, on the same line as the message.',
    framing('prefix'),
    {
      names: /(log|text|print|other)[^.]{0,90}(stdout|same line|line of a message|before)|not (valid )?JSON/i,
      misleads: WEB,
      by: 'server',
      remedy: 'Log to stderr.',
    },
  ),
  target('frame-utf-16', 'The output is UTF-16, because PowerShell is in between.', framing('utf-16'), {
    names: /UTF-?16|UTF-?8|encod/i,
    misleads: WEB,
    by: 'server',
    remedy: 'Make the shell write UTF-8.',
  }),
  target('frame-colour', 'The server colours its messages with escape codes.', framing('colour'), {
    names: /escape codes?|colou?rs?|ANSI/i,
    misleads: WEB,
    by: 'server',
    remedy: 'Write no colours unless stdout is a terminal.',
  }),
  target('frame-concatenated', 'The server writes two messages on one line.', framing('concatenated'), {
    names: /several messages|one line|concatenat/i,
    misleads: WEB,
    by: 'server',
    remedy: 'End each message with a newline.',
  }),
  target('frame-not-json', 'The server prints objects of its language instead of JSON.', framing('not-json'), {
    names: /aren't JSON|not (valid )?JSON|serialize/i,
    misleads: WEB,
    by: 'server',
    remedy: 'Serialize messages as JSON.',
  }),
  target('stdio-other-id', 'Responses have another id than their requests.', framing('other-id'), {
    names: /\bids?\b/i,
    misleads: WEB,
    by: 'server',
    remedy: 'Repeat the id of the request.',
  }),
  target(
    'responds-on-stderr',
    'The server writes its responses to stderr, so stdout stays empty.',
    script("require('./stdio.cjs').serve((response) => console.error(JSON.stringify(response)))"),
    {
      names:
        /(message|response|JSON)[^.]{0,80}(stderr|standard error|error output)|(stderr|standard error|error output)[^.]{0,80}(message|response|JSON|instead)/i,
      misleads: /\bCORS\b|Access-Control|crash/i,
      by: 'server',
      remedy: 'Write messages to stdout, and logs to stderr.',
    },
  ),
  target(
    'silent',
    'The process runs, but never reads or writes anything.',
    printing('weather-mcp --stdio', { after: 'exec sleep 240' }),
    {
      names: /(no|never|not|n't|nothing|without)[^.]{0,50}(respon|wrote|written|sent|output)|took longer/i,
      misleads: /\bCORS\b|Access-Control|exited|crash|not installed/i,
      by: 'server',
      remedy: 'Find out whether the program is a stdio server, and whether it hangs at its start.',
    },
  ),
  target(
    'asks-user',
    'The command waits for a person: it asks for an API key on the terminal.',
    script(`process.stdout.write('Welcome to Acme MCP setup!\\n? Enter your API key: ')
${STAY}`),
    {
      names: /prompt|interactive|asks?\b|wait(s|ing) for|Enter your API key|typed|terminal/i,
      misleads: WEB,
      by: 'user',
      remedy: 'Run it once in a terminal, or give it the key in a variable.',
    },
  ),
  target(
    'npx-asks',
    'The wrapper starts npx without -y, which asks whether to install the package.',
    script(`process.stderr.write('Need to install the following packages:\\nweather-mcp@1.4.2\\nOk to proceed? (y) ')
${STAY}`),
    { names: /(^|\s)-y\b|--yes/, misleads: WEB, by: 'user', remedy: 'Add -y.' },
  ),
  target(
    'reads-to-eof',
    'The program reads stdin to its end before it responds to anything.',
    script(`const { respond } = require('./stdio.cjs')
let text = ''
process.stdin.on('data', (bytes) => (text += bytes))
process.stdin.on('end', () => {
  for (const line of text.split('\\n').filter(Boolean)) {
    const response = respond(JSON.parse(line))
    if (response) console.log(JSON.stringify(response))
  }
})`),
    { names: /reads stdin to its end/, misleads: WEB, by: 'server', remedy: 'Read line by line.' },
  ),
  target(
    'downloading',
    'The first start downloads gigabytes, which takes longer than clients wait.',
    printing('uvx docling-mcp-server', {
      before: `echo "Downloading torch (783.0MiB)" >&2
i=0; while [ $i -lt 80 ]; do sleep 3; i=$((i+1)); echo " Downloading nvidia-cudnn-cu12 ($((i*9)).0MiB/674.0MiB)" >&2; done`,
      code: 0,
    }),
    {
      names: /download|first (start|run)|still (start|run)|longer|wait/i,
      misleads: /\bCORS\b|Access-Control|crash|exited/i,
      by: 'user',
      remedy: 'Wait, or run the command once in a terminal.',
    },
  ),
  target(
    'exits-after-initialize',
    'The server responds to initialize and exits with code 0, because it handles one message only.',
    script(`const { read, respond } = require('./stdio.cjs')
read((message) => {
  const response = respond(message)
  if (response) process.stdout.write(JSON.stringify(response) + '\\n', () => message.method === 'initialize' && process.exit(0))
})`),
    {
      names:
        /(exit|ended|ends|stopped|closed)[^]{0,160}(initialize|handshake|code 0|right after|after|soon)|(initialize|handshake)[^]{0,160}(exit|ended|ends|stopped|closed)/i,
      // The evidence quotes what the server says of server/discover: “Method not found”.
      misleads: /\bCORS\b|Access-Control|not installed|(?<!Method )not found|skip detection/i,
      by: 'server',
      remedy: 'Keep reading until stdin closes.',
    },
  ),
  target(
    'crashes-at-tools',
    'The handshake succeeds, then the server crashes at tools/list.',
    script(`const { read, respond } = require('./stdio.cjs')
read((message) => {
  if (message.method === 'tools/list') undefined.map((tool) => tool.name)
  const response = respond(message)
  if (response) console.log(JSON.stringify(response))
})`),
    {
      names: /tools\/list|list[^.]{0,30}tools|exit|crash|ended|stopped/i,
      misleads: /\bCORS\b|Access-Control|not installed|working directory/i,
      by: 'server',
      remedy: 'Fix the exception, whose line is in stderr.',
    },
  ),
  target(
    'killed',
    'The system killed the process, because it ran out of memory while loading a model.',
    printing('embeddings-mcp', {
      stderr: 'Loading model weights (7.4 GB) ...',
      before: 'sleep 1',
      after: 'kill -9 $$',
    }),
    {
      names: /SIGKILL|signal|killed|memory|\b137\b|\bOOM\b/i,
      misleads: /\bCORS\b|Access-Control|not installed|exited (normally|by itself)/i,
      by: 'user',
      remedy: 'Give it more memory, or use a smaller model.',
    },
  ),
  target(
    'segmentation-fault',
    'The program crashes in native code.',
    printing('acme-mcp', { after: 'kill -SEGV $$' }),
    {
      names: /SIGSEGV|crash|segmentation/i,
      misleads: /\bCORS\b|Access-Control|memory|not installed/i,
      by: 'server',
      remedy: 'Report the crash to its author.',
    },
  ),
  target(
    'no-message-known',
    'The server responds to initialize with “Method not found”: it speaks JSON-RPC, but not MCP.',
    script(`require('./stdio.cjs').read(({ id, method }) => {
  if (id !== undefined && method) console.log(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32601, message: 'Unhandled method ' + method } }))
})`),
    {
      names: /rejected the handshake|Unhandled method|-32601|not (an )?MCP/i,
      misleads: WEB,
      by: 'user',
      remedy: 'Start an MCP server: this one is for another protocol, such as LSP.',
    },
  ),
  target(
    'crash-at-initialize',
    'The server responds to its first request, and then crashes at initialize with a TypeError.',
    script(`require('./stdio.cjs').read(({ id, method, params }) => {
  if (method === 'initialize') return params.capabilities.nothing.listChanged
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } }))
})`),
    {
      names: /TypeError[^]*listChanged/,
      heading: /TypeError[^]*listChanged/,
      misleads: WEB,
      by: 'server',
      remedy: 'Read capabilities that the client may lack with care.',
    },
  ),
  target(
    'help-without-subcommand',
    'The command lacks its subcommand stdio: the program lists its commands, and ends with 0.',
    script(
      `console.log(['A ticket server', '', 'Usage:', '  tickets [command]', '', 'Available Commands:', '  http        Start HTTP server', '  stdio       Start stdio server'].join('\\n'))`,
    ),
    { names: /\bstdio\b/, heading: /\bstdio\b/, misleads: WEB, by: 'user', remedy: 'Add the argument stdio.' },
  ),
  target(
    'encoded-twice',
    'Every message is a JSON string that contains JSON.',
    script(`require('./stdio.cjs').read(({ id }) => {
  if (id !== undefined) console.log(JSON.stringify(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } })))
})`),
    { names: /twice/i, misleads: WEB, by: 'server', remedy: 'Serialize each message once.' },
  ),
  target(
    'sign-in-in-browser',
    'The process waits until its user has signed in at a URL that it printed to stderr.',
    script(`console.error('Authentication required.\\nPlease authorize this client by visiting:\\nhttps://auth.example/authorize?client_id=x')
${STAY}`),
    { names: /sign in[^]*browser/i, misleads: WEB, by: 'user', remedy: 'Open the URL, and sign in.' },
  ),
  target(
    'variable-in-german',
    'A variable is missing, and the server says so in German.',
    script(`console.error('Fehler: Die Umgebungsvariable REDMINE_API_SCHLUESSEL ist nicht gesetzt.'); process.exit(2)`),
    {
      names: /REDMINE_API_SCHLUESSEL/,
      heading: /REDMINE_API_SCHLUESSEL/,
      misleads: WEB,
      by: 'user',
      remedy: 'Set the variable.',
    },
  ),
  target(
    'echo',
    'The process sends back each line it receives: it is not a server, or a terminal in between echoes.',
    async () => ({ line: 'cat', close: async () => {} }),
    {
      names: /echo|returns (every|each)|repeats/i,
      heading: /echo|returns (every|each)|repeats/i,
      misleads: /\bCORS\b|Access-Control|skip detection|-32601/i,
      by: 'user',
      remedy: 'Start the server itself, without a terminal in between.',
    },
  ),
]
