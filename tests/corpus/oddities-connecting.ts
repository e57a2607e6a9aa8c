/** Observed server behaviour at startup and on the stdio stream. */
import { inFile, type Oddity } from './oddity.ts'

const detection = inFile('web/mcp/eras/detection.test.ts')
const session = inFile('web/mcp/session.test.ts')
const http = inFile('web/mcp/transports/hostile-http.test.ts')
const stdio = inFile('web/mcp/transports/hostile-stdio.test.ts')
const bridge = inFile('web/mcp/transports/stdio-bridge.test.ts')
const failure = inFile('web/app/failures/failure.test.ts')
const connection = inFile('web/app/server/connection-fold.test.ts')
const overview = inFile('web/features/overview/overview.test.ts')
const health = inFile('web/features/overview/health-fold.test.ts')
const trouble = inFile('tests/e2e/trouble.spec.ts')
const child = inFile('proxy/stdio-child.test.ts')
const frames = inFile('web/mcp/trace.test.ts')

const ERA_STDIO = 'VN-20, VN-21, VN-22: %s ends in %s'
const ERA_HTTP = 'VN-23, VN-24: %s ends in %s'

export const whileConnecting: readonly Oddity[] = [
  {
    of: 1,
    what: 'server/discover ends the process: a fresh one is started',
    servers: ['onshape-mcp-linux-x64'],
    tests: [detection(ERA_STDIO, 'discover-dies')],
  },
  {
    of: 1,
    what: 'server/discover is never answered',
    tests: [detection('VN-21: silence means older: the handshake follows on the same process')],
  },
  {
    of: 1,
    what: 'server/discover is refused with -32601, -32603, -32000 or 0',
    servers: ['mcp-server-filesystem', 'mcp-prometheus-linux-amd64', 'notionhq-notion-mcp-server'],
    tests: [
      detection(ERA_HTTP, 'discover-error-32601'),
      detection(ERA_HTTP, 'discover-error-32603'),
      detection(ERA_HTTP, 'discover-error-32000'),
      detection(ERA_HTTP, 'discover-error0'),
      detection(ERA_STDIO, 'discover-error0'),
    ],
  },
  {
    of: 1,
    what: 'after server/discover the same process refuses initialize',
    servers: ['upstash-context7-mcp', 'kubernetes-mcp-server'],
    tests: [detection(ERA_STDIO, 'discover-2025-spoils-handshake')],
  },
  {
    of: 2,
    what: 'server/discover is answered, and lists only revisions of 2025',
    servers: ['kubernetes-mcp-server'],
    tests: [detection(ERA_HTTP, 'discover-lists-2025'), detection(ERA_STDIO, 'discover-lists-2025')],
  },
  {
    of: 3,
    what: 'one request is served, and HTTP 500 answers all that follow',
    servers: ['aashari-mcp-server-atlassian-jira'],
    tests: [failure('a server that answered the probe and then 500 to all may have spent its only request on it')],
  },
  {
    of: 4,
    what: 'an older revision is negotiated',
    servers: ['mcp-server-github', 'mcp-server-puppeteer', 'mcp-server-commands', 'kanoniv-mcp-linux-x64'],
    tests: [session('LC-07: a server that answers %s is spoken to in %s', '2024-11-05')],
  },
  {
    of: 4,
    what: 'serverInfo is empty; capabilities hold unknown keys, or a client’s',
    tests: [
      http('%s connects', 'empty-info'),
      overview(
        "capabilities are told apart: known, of another revision, a client's, unknown, malformed; none is dropped",
      ),
    ],
  },
  {
    of: 5,
    what: 'notifications arrive before the answer to initialize',
    tests: [
      session('LC-05: what the server says before its answer is heard and not lost'),
      http('%s connects', 'notification-before-init-answer'),
    ],
  },
  {
    of: 5,
    what: 'initialize is answered by an error',
    tests: [session('a server that refuses initialize is quoted'), http('%s is told as it is', 'init-error')],
  },
  {
    of: 5,
    what: 'initialize is never answered, and stopping works meanwhile',
    servers: ['apify-actors-mcp-server'],
    tests: [
      session('can be stopped while the server keeps silent, and LC-13: initialize is not cancelled'),
      trouble('a server that never answers: the step is named with its limit, and Stop works'),
    ],
  },
  {
    of: 5,
    what: 'the process ends late, or at once, with or without a word on stderr',
    servers: ['obsidian-mcp-server', 'sveltejs-mcp', 'heroku-mcp-server'],
    tests: [
      stdio('one that dies at once is told with its last words, and its start comes before all it said'),
      failure('a process that ended points at its stderr only when there is one'),
    ],
  },
  {
    of: 6,
    what: 'banners and coloured log lines on stdout',
    servers: ['time-mcp'],
    tests: [
      stdio('TR-STDIO-05: banners, log lines and JSON that is no message come between messages and hinder none'),
      bridge('TR-STDIO-05: a line that is no message is shown as noise, in its place, and kills nothing'),
    ],
  },
  {
    of: 6,
    what: 'lines of over 1 MB',
    tests: [bridge('a line of 20 MB arrives whole, and the next one after it')],
  },
  {
    of: 6,
    what: 'answers to ids that nobody sent',
    tests: [stdio('BP-06: answers to ids nobody sent are orphans, and the right ones find their calls')],
  },
  {
    of: 6,
    what: 'string ids are ignored: ours are integers',
    tests: [session('answers find their calls in any order, with integer ids that never come back (BP-02, BP-04)')],
  },
  {
    of: 6,
    what: 'stderr is a log, not an error',
    servers: ['cyanheads-git-mcp-server', 'mui-mcp', 'aashari-mcp-server-atlassian-jira'],
    tests: [
      connection('a flood of stderr keeps the last lines only'),
      frames('a flood on stderr stays within the budget too'),
    ],
  },
  {
    of: 7,
    what: 'stays after stdin is closed, and needs SIGTERM or SIGKILL',
    servers: ['mui-mcp', 'apify-actors-mcp-server'],
    tests: [
      stdio('TR-STDIO-08: one that ignores the end is taken through all steps, in their order'),
      child('a stubborn one and what it started are gone after stdin, SIGTERM and SIGKILL, in this order'),
    ],
  },
  {
    of: 7,
    what: 'dies of a call, as one does of an unknown tool',
    tests: [stdio('TR-STDIO-09: one that dies in a call fails that call with its code and last words')],
  },
  {
    of: 7,
    what: 'ping is refused',
    servers: ['kanoniv-mcp-linux-x64'],
    tests: [
      health(
        'a ping is timed by its answer, an error being one; what is asked before a session is open is none (UT-PING-02)',
      ),
    ],
  },
]
