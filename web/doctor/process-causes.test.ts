import { expect, test } from 'vitest'
import { expectWithin } from '../../tests/patience.ts'
import { endsAtStart, mayDownload, processCause, type ProcessOutput } from './process-causes.ts'

const lines = (...texts: string[]) => texts.map((text, seq) => ({ seq, text }))
const runs = (stdout: string[], stderr: string[] = []): ProcessOutput => ({
  stdout: lines(...stdout),
  stderr: lines(...stderr),
})
const ended = (stderr: string[], code: number | null = 1, signal: string | null = null): ProcessOutput => ({
  stdout: [],
  stderr: lines(...stderr),
  exit: { code, signal },
})

const MESSAGE = '{"jsonrpc":"2.0","id":0,"result":{}}'

test.each([
  ['content-length', ['Content-Length: 36', '\r']],
  ['pretty-json', ['{', '  "jsonrpc": "2.0",', '}']],
  ['utf-16', [[...MESSAGE].join('\0') + '\0']],
  ['colour', [`\u001B[32m${MESSAGE}\u001B[0m`]],
  ['concatenated', [MESSAGE + MESSAGE]],
  ['prefix', [`2026-01-01 INFO ${MESSAGE}`]],
  ['prefix', [`${MESSAGE} // sent`]],
  ['not-json', ["{'jsonrpc': '2.0', 'id': 0, 'result': None}"]],
  ['not-json', ['{"jsonrpc": "2.0", "id": 0, "error": None}']],
  ['json-string', [JSON.stringify(MESSAGE)]],
] as const)('%s is recognized on stdout, whatever came before', (is, stdout) => {
  expect(processCause(runs([...stdout]))?.is).toBe(is)
  expect(processCause(runs(['Starting…', ...stdout]))).toMatchObject({ is, line: { seq: 1 } })
})

test('a message without a newline is recognized, also among the headers of another framing and when the process is ended', () => {
  const unfinished = { seq: 7, text: MESSAGE }
  expect(processCause({ ...runs([]), unfinished })).toEqual({ is: 'no-newline', line: unfinished })
  expect(processCause({ ...runs([MESSAGE + MESSAGE]), unfinished })?.is).toBe('no-newline')
  expect(processCause({ ...runs(['Content-Length: 36', '\r']), unfinished })?.is).toBe('content-length')
  expect(processCause({ ...runs([]), unfinished: { seq: 7, text: '{"level":"info"' } })).toBeUndefined()
  expect(processCause({ ...runs([]), unfinished: { seq: 7, text: 'Password: ' } })?.is).toBe('terminal')
})

test.each([
  ['concatenated', (json: string) => json + json],
  ['not-json', (json: string) => json.replace('null', 'None')],
  ['prefix', (json: string) => `${json} // sent`],
  ['colour', (json: string) => `${json}\u001B[0m`],
] as const)('%s is recognized in a message of any length up to 64 KB', (is, write) => {
  const long = JSON.stringify({ jsonrpc: '2.0', id: 0, result: { instructions: 'word '.repeat(5_000), next: null } })
  expect(processCause(runs([write(long)]))?.is).toBe(is)
})

test.each([
  ['missing-module', 'zod', "Error: Cannot find module 'zod'"],
  ['missing-module', 'mcp', "ModuleNotFoundError: No module named 'mcp'"],
  ['missing-file', '/x/server.js', "Error: Cannot find module '/x/server.js'"],
  ['missing-file', '/x/server.py', "python3: can't open file '/x/server.py': [Errno 2] No such file or directory"],
  ['missing-package', 'no-such@*', "npm error 404  'no-such@*' is not in this registry."],
  ['missing-package', 'no-such', 'Because no-such was not found in the package registry and you require no-such'],
  ['no-executable', undefined, 'npm error could not determine executable to run'],
  ['missing-program', 'python3.14', "/usr/bin/env: 'python3.14': No such file or directory"],
  ['missing-program', 'uvx', 'sh: 1: uvx: not found'],
  ['line-endings', undefined, '/usr/bin/env: ‘node\\r’: No such file or directory'],
  ['line-endings', undefined, './run.sh: /bin/bash^M: bad interpreter: No such file or directory'],
  ['line-endings', undefined, "./run.sh: line 2: $'\\r': command not found"],
  ['missing-grant', '--allow-env', 'NotCapable: Requires env access to "API_KEY", run again with the --allow-env flag'],
  ['old-runtime', 'Python', "TypeError: unsupported operand type(s) for |: 'type' and 'NoneType'"],
  ['old-runtime', 'Node.js', 'ReferenceError: fetch is not defined'],
  ['old-runtime', 'Python', "ModuleNotFoundError: No module named 'tomllib'"],
  ['old-runtime', 'Python', "ImportError: cannot import name 'Self' from 'typing' (/usr/lib/python3.9/typing.py)"],
  ['syntax-error', undefined, `SyntaxError: Unexpected token '#', "# Config" is not valid JSON`],
  ['no-network', undefined, 'npm error request to https://registry.example failed, reason: getaddrinfo ENOTFOUND'],
  ['old-runtime', 'GLIBC_2.38', "./server: /lib/libc.so.6: version `GLIBC_2.38' not found (required by ./server)"],
  ['wrong-module', undefined, 'SyntaxError: Cannot use import statement outside a module'],
  ['wrong-module', undefined, "SyntaxError: Unexpected token 'export'"],
  ['syntax-error', './main.go:3', './main.go:3:5: syntax error: unexpected newline'],
  ['permission', '/x/data', "Error: EACCES: permission denied, open '/x/data'"],
  ['wrong-architecture', undefined, '/x/server: cannot execute binary file: Exec format error'],
  ['missing-library', 'libssl.so.3', './server: error while loading shared libraries: libssl.so.3: cannot open'],
  ['missing-folder', '/x/docs', "Error: ENOENT: no such file or directory, stat '/x/docs'"],
  ['missing-variable', 'GITHUB_TOKEN', 'Error: GITHUB_TOKEN environment variable is required'],
  ['missing-variable', 'API_KEY', "KeyError: 'API_KEY'"],
  ['missing-argument', 'db_path', 'server.py: error: the following arguments are required: db_path'],
  ['unknown-argument', '--stdoi', 'server.py: error: unrecognized arguments: --stdoi'],
  ['port-in-use', '3000', 'Error: listen EADDRINUSE: address already in use :::3000'],
  ['docker-daemon', undefined, 'docker: Cannot connect to the Docker daemon at unix:///var/run/docker.sock.'],
  ['disk-full', undefined, 'npm error ENOSPC: no space left on device, write'],
  ['too-many-files', undefined, "Error: ENOSPC: System limit for number of file watchers reached, watch '/x'"],
  ['too-many-files', undefined, 'Error: EMFILE: too many open files, watch'],
  ['registry-refused', undefined, 'npm error code E401'],
  [
    'registry-refused',
    undefined,
    'docker: Error response from daemon: toomanyrequests: You have reached your pull rate limit.',
  ],
  ['shadowed-package', 'mcp', "ModuleNotFoundError: No module named 'mcp.server'; 'mcp' is not a package"],
  ['no-container', 'weather', 'Error response from daemon: No such container: weather'],
  ['no-container', 'weather', 'Error response from daemon: container weather is not running'],
  ['no-container', 'weather-0', 'Error from server (NotFound): pods "weather-0" not found'],
  [
    'container-exists',
    'weather',
    'docker: Error response from daemon: Conflict. The container name "/weather" is already in use by container "ab".',
  ],
  ['missing-environment', '3.12.1', "pyenv: version `3.12.1' is not installed (set by /x/.python-version)"],
  ['missing-environment', 'node', 'No version is set for command node'],
  ['missing-environment', 'mcp', 'EnvironmentNameNotFound: Could not find conda environment: mcp'],
  ['missing-program', 'Java', "ERROR: JAVA_HOME is not set and no 'java' command could be found in your PATH."],
  ['missing-program', '/x/chrome', "browserType.launch: Executable doesn't exist at /x/chrome"],
  ['missing-file', 'configuration file', 'no configuration file provided: not found'],
  ['missing-file', 'pyproject.toml', 'Poetry could not find a pyproject.toml file in /x or its parents'],
  [
    'old-runtime',
    "'Microsoft.NETCore.App', version '9.0.0'",
    "Framework: 'Microsoft.NETCore.App', version '9.0.0' (x64)",
  ],
  [
    'old-runtime',
    'Java',
    'java.lang.UnsupportedClassVersionError: com/acme/Main has been compiled by a more recent version',
  ],
  ['no-main-class', 'target/weather.jar', 'no main manifest attribute, in target/weather.jar'],
  [
    'docker-daemon',
    undefined,
    'Error: unable to connect to Podman socket: Get "http://d/v4.9.3/libpod/_ping": dial unix /run/user/1000/podman/podman.sock: connect: no such file or directory',
  ],
  ['no-container', undefined, 'Error: can only create exec sessions on running containers: container state improper'],
  [
    'missing-program',
    'weather-mcp',
    'Error: crun: executable file `weather-mcp` not found in $PATH: No such file or directory: OCI runtime attempted to invoke a command that was not found',
  ],
  [
    'missing-export',
    '@acme/sdk',
    "SyntaxError: The requested module '@acme/sdk' does not provide an export named 'Server'",
  ],
  ['permission', '/x/db.sqlite', "Error: EROFS: read-only file system, open '/x/db.sqlite'"],
  ['missing-variable', 'NOTION_TOKEN', '      "NOTION_TOKEN"'],
  ['old-runtime', 'Node.js', 'TypeError: globalThis.fetch is not a function'],
] as const)('an exit is explained as %s (%s), and the process is not started again', (is, name, line) => {
  const found = processCause(ended(['Starting…', line, '    at main (/x/server.js:1:1)']))
  if (name === undefined) expect(found).toMatchObject({ is, line: { seq: 1 } })
  else expect(found).toEqual({ is, name, line: { seq: 1, text: line } })
  expect(endsAtStart(ended([line]))).toBe(true)
})

test.each([
  ['backend', 'Error: connect ECONNREFUSED 127.0.0.1:5432', 1, null],
  ['rejected-credentials', 'HttpError: 401 Bad credentials', 1, null],
  ['out-of-memory', 'FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory', 134, null],
  [
    'rejected-credentials',
    'An error occurred (ExpiredTokenException) when calling the GetCallerIdentity operation',
    1,
    null,
  ],
  ['locked', 'sqlite3.OperationalError: database is locked', 1, null],
  ['invalid-config', "json.decoder.JSONDecodeError: Expecting ',' delimiter: line 4 column 3 (char 52)", 1, null],
  ['console-encoding', "UnicodeEncodeError: 'charmap' codec can't encode character '\\u2713' in position 0", 1, null],
  ['crash', "thread 'main' has overflowed its stack", 134, null],
  ['crash', 'Segmentation fault (core dumped)', 139, null],
  ['crash', 'bye', null, 'SIGSEGV'],
  ['crash', 'bye', 3221225477, null],
  ['out-of-memory', 'bye', null, 'SIGKILL'],
] as const)('%s may come after what was sent, so another start is tried', (is, line, code, signal) => {
  expect(processCause(ended([line], code, signal))?.is).toBe(is)
  expect(endsAtStart(ended([line], code, signal))).toBe(false)
})

test.each([
  ['rejected-credentials', 'Error: HTTP status client error (401 Unauthorized) for url (https://api.e.com/v1/me)'],
  ['registry-refused', 'Caused by: HTTP status client error (401 Unauthorized) for url (https://e.com/simple/notes/)'],
  [
    'missing-package',
    "docker: Error response from daemon: pull access denied for acme/notes, repository does not exist or may require 'docker login': denied: requested access to the resource is denied",
  ],
  ['missing-folder', 'open config.json: The system cannot find the file specified.'],
  ['missing-file', 'The system cannot find the path specified.'],
  ['terminal', "fatal: could not read Username for 'https://github.com': terminal prompts disabled"],
  ['invalid-config', 'toml: line 3 (last key "x"): expected value'],
  [undefined, 'Loaded config.toml: 3 servers'],
  [undefined, "UnicodeDecodeError: 'utf-8' codec can't decode byte 0xff in position 0: invalid start byte"],
  // A module that was imported the wrong way, in any version of Node.
  [undefined, 'TypeError: fetch is not a function'],
] as const)('a line that resembles that of another cause is taken for %s: %s', (is, line) => {
  expect(processCause(ended([line]))?.is).toBe(is)
})

test('names in a list that a program prints before it crashes are not taken for missing variables', () => {
  expect(processCause(ended(['[', '  "READ_FILE"', ']', 'Segmentation fault (core dumped)']))?.is).toBe('crash')
})

test.each([
  [
    'syntax-error',
    '/x/tools.js:11',
    ['/x/tools.js:11', '  greet(', '       ^', '', 'SyntaxError: missing ) after argument'],
  ],
  ['syntax-error', '/x/tools.js:2', ['file:///x/tools.js:2', 'let', '', "SyntaxError: Unexpected token '}'"]],
  ['syntax-error', String.raw`C:\x\a b.js:2`, [String.raw`C:\x\a b.js:2`, 'let', "SyntaxError: Unexpected token '}'"]],
  [
    'syntax-error',
    '/x/server.py:3',
    ['  File "/x/server.py", line 3', '    def', '    ^', 'SyntaxError: invalid syntax'],
  ],
  [
    'syntax-error',
    '/x/server.php:4',
    ['PHP Parse error:  syntax error, unexpected end of file in /x/server.php on line 4'],
  ],
  [
    'syntax-error',
    'C:/x/tools.js:2',
    ['10.0.0.1:8080: connected', 'file:///C:/x/tools.js:2', 'let', '', "SyntaxError: Unexpected token '}'"],
  ],
  [
    'syntax-error',
    '/x/server.ts:3',
    [
      '/x/server.ts:3',
      'import { b }',
      '',
      "SyntaxError: The requested module './y.ts' does not provide an export named 'b'",
    ],
  ],
  [
    'wrong-module',
    '/x/server.ts:1',
    ['/x/server.ts:1', 'type A = string', '', "SyntaxError: Unexpected identifier 'A'"],
  ],
] as const)('a program that cannot be parsed: %s at %s', (is, name, stderr) => {
  expect(processCause(ended([...stderr]))).toMatchObject({ is, name })
  expect(endsAtStart(ended([...stderr]))).toBe(true)
})

test('a long path keeps its end, which names the file and the line', () => {
  const { name = '' } = processCause(ended([`/${'x'.repeat(200)}/tools.js:11`, 'SyntaxError: a'])) ?? {}
  expect(name).toMatch(/^…x+\/tools\.js:11$/)
  expect(name).toHaveLength(80)
})

test('a process that serves HTTP, and one that waits for typed input, are recognized while they run', () => {
  expect(processCause(runs([], ['Server listening on http://localhost:3000/mcp.']))).toMatchObject({
    is: 'serves-http',
    name: 'http://localhost:3000/mcp',
  })
  const everywhere = 'INFO:     Uvicorn running on http://0.0.0.0:8000 (Press CTRL+C to quit)'
  expect(processCause(runs([], [everywhere]))?.name).toBe('http://localhost:8000/')
  expect(processCause(runs([], ['Password: ']))?.is).toBe('terminal')
})

test('responses on stderr are recognized, requests that are logged there are not', () => {
  const response = '{"jsonrpc":"2.0","id":1,"result":{}}'
  expect(processCause(runs([], ['starting', response]))).toMatchObject({ is: 'on-stderr', line: { text: response } })
  expect(processCause(runs([], ['{"jsonrpc":"2.0","id":1,"method":"initialize"}']))).toBeUndefined()
  expect(processCause(runs([], [`DEBUG sent ${response}`]))).toBeUndefined()
})

test.each([
  ['a warning about an optional variable', runs([], ['Warning: GITHUB_TOKEN is not set, using anonymous access'])],
  ['such a warning before another end', ended(['WARN GITHUB_TOKEN is not set', 'bye'])],
  ['a log of a healthy server', runs([], ['Server running on stdio', 'Connected to the database'])],
  ['a URL that it connects to', runs([], ['Connecting to remote server: https://x.example/mcp'])],
  ['a dashboard beside stdio', runs([], ['Dashboard running at http://localhost:3000'])],
  ['an error about the probe', ended(["KeyError: 'server/discover'"])],
  ['a missing method', ended(['Error: Method not found: server/discover'])],
  ['an end without a word', ended([], 0)],
  ['an end with an unknown word', ended(['Something went wrong'])],
])('%s is not taken for a cause', (_, output) => {
  expect(processCause(output)).toBeUndefined()
})

test('a container that ends without a word is explained by the stdin that it was not given', () => {
  const run = (command: string, ...args: string[]) => processCause({ ...ended([], 0), spawn: { command, args } })
  expect(run('docker', 'run', '--rm', 'mcp/time')).toEqual({ is: 'no-stdin', name: 'run' })
  expect(run('/usr/bin/podman', 'run', 'mcp/time')?.is).toBe('no-stdin')
  expect(run('docker', 'exec', 'box', 'server')).toEqual({ is: 'no-stdin', name: 'exec' })
  for (const flag of ['-i', '-it', '--interactive', '-ti'])
    expect(run('docker', 'run', flag, 'mcp/time')).toBeUndefined()
  expect(run('docker', 'run', '-i=true', 'mcp/time')).toBeUndefined()
  expect(run('docker', '--context', 'far', 'container', 'run', 'mcp/time')?.is).toBe('no-stdin')
  expect(run('docker', 'compose', 'run', 'time')).toBeUndefined()
  expect(run('docker', 'mcp', 'gateway', 'run')).toBeUndefined()
  expect(run('docker', 'ps')).toBeUndefined()
  expect(run('node', 'run', 'server.js')).toBeUndefined()
  const spawn = { command: 'docker', args: ['run', 'mcp/time'] }
  expect(processCause({ ...ended(['bye'], 0), spawn })).toBeUndefined()
  expect(processCause({ ...ended([], 1), spawn })).toBeUndefined()
})

test('a screenful of hostile lines, each a megabyte, costs little', async () => {
  const long = ['a', '{', ' ', 'A_', '/a.', "'/", 'x: ', '{"jsonrpc":', `${MESSAGE} `].map((text) =>
    text.repeat(1e6 / text.length),
  )
  const stderr = Array.from({ length: 50 }, (_, index) => long[index % long.length]!)
  await expectWithin(200, () => void processCause({ ...ended(stderr), stdout: lines(...stderr.slice(0, 20)) }))
})

test('an old server that crashes on the probe is started again, although the error may look like a library’s', () => {
  for (const line of [
    "AttributeError: module 'h' has no attribute 'server_discover'",
    "TypeError: handle() got an unexpected keyword argument '_meta'",
  ])
    expect(endsAtStart(ended([line]))).toBe(false)
})

test('an error that ended the process is named, if it comes with its stack', () => {
  const node = ['/srv/session.js:41', '    this.x = params.roots.y;', '            ^', '', "TypeError: Cannot read properties of undefined (reading 'y')", '    at Session.onInitialize (/srv/session.js:41:51)', '', 'Node.js v22.11.0'] // prettier-ignore
  expect(processCause(ended(node))).toMatchObject({ is: 'exception', name: "TypeError: Cannot read properties of undefined (reading 'y')", line: { seq: 4 } }) // prettier-ignore
  const python = ['Traceback (most recent call last):', '  File "/srv/a.py", line 3, in main', "    x['y']", "acme.errors.ToolError: no such tool"] // prettier-ignore
  expect(processCause(ended(python))).toMatchObject({ is: 'exception', name: 'acme.errors.ToolError: no such tool' })
  // A log entry, and an exit that was meant.
  expect(processCause(ended(['TypeError: handled']))).toBeUndefined()
  expect(processCause(ended(node, 0))).toBeUndefined()
  // What is known more exactly comes first.
  expect(processCause(ended(["Error: Cannot find module 'zod'", '    at x (y.js:1:1)']))?.is).toBe('missing-module')
})

test('a program that prints its commands lacks one: stdio, if it lists that', () => {
  const help = ['A ticket server', '', 'Usage:', '  tickets [command]', '', 'Available Commands:', '  http        Start HTTP server', '  stdio       Start stdio server'] // prettier-ignore
  const printed = (stdout: string[]): ProcessOutput => ({ ...runs(stdout), exit: { code: 0, signal: null } })
  expect(processCause(printed(help))).toMatchObject({ is: 'missing-argument', name: 'stdio' })
  expect(processCause(printed(help.slice(0, 7)))?.is).toBe('missing-argument')
  expect(processCause(printed(['Listening on stdio']))).toBeUndefined()
  expect(processCause(runs(help))).toBeUndefined()
})

test.each([
  ['REDMINE_API_SCHLUESSEL', 'Fehler: Die Umgebungsvariable REDMINE_API_SCHLUESSEL ist nicht gesetzt.'],
  ['API_CLE', "La variable d'environnement API_CLE n'est pas définie"],
  ['CLAVE_API', 'Falta la variable de entorno CLAVE_API'],
  ['API_KLJUCH', 'Переменная окружения API_KLJUCH не задана'],
  ['GAODE_API_KEY', '错误：未设置环境变量GAODE_API_KEY，请先配置'],
  ['TENKI_KEY', 'TENKI_KEY 環境変数が設定されていません'],
])('a missing variable is found in other languages: %s', (name, line) => {
  expect(processCause(ended([line]))).toMatchObject({ is: 'missing-variable', name })
})

test('the setting that Pydantic misses is named', () => {
  const output = ['pydantic_core._pydantic_core.ValidationError: 1 validation error for Settings', 'confluence_url', '  Field required [type=missing, input_value={}, input_type=dict]'] // prettier-ignore
  expect(processCause(ended(output))).toMatchObject({
    is: 'missing-variable',
    name: 'confluence_url',
    line: { seq: 0 },
  })
})

test.each([
  'Please authorize this client by visiting:',
  'Please open the following URL in your browser: https://auth.example/authorize?x=1',
  '[4711] Waiting for auth code from callback server...',
])('a process that waits for a sign-in in a browser is recognized while it waits: %s', (line) => {
  expect(processCause(runs([], [line]))?.is).toBe('browser-sign-in')
})

test('links to documentation and to the program’s own page are no sign-in', () => {
  for (const line of [
    'Open the docs at https://e.com/docs',
    'Waiting for messages on stdin',
    'See this page for authentication options',
  ])
    expect(processCause(runs([], [line]))?.is).not.toBe('browser-sign-in')
})

test('a prompt of npm to install a package has its own cause', () => {
  const asks = ['Need to install the following packages:', 'weather-mcp@1.4.2', 'Ok to proceed? (y) ']
  expect(processCause(runs([], asks))?.is).toBe('install-prompt')
  expect(processCause({ ...runs([]), unfinished: { seq: 3, text: asks[2]! } })?.is).toBe('install-prompt')
  expect(processCause(runs([], ['Overwrite? (y/n)']))?.is).toBe('terminal')
})

test('a message that came only after stdin was closed shows that the process reads to its end', () => {
  const late = { seq: 9, text: MESSAGE }
  expect(processCause({ ...runs([], ['ready']), late })).toEqual({ is: 'reads-to-end', line: late })
  expect(processCause({ ...runs(['Content-Length: 36', '\r']), late })?.is).toBe('content-length')
})

test('a crash is named with its signal, as the system or a shell reports it', () => {
  expect(processCause(ended(['bye'], null, 'SIGSEGV'))).toEqual({ is: 'crash', name: 'SIGSEGV' })
  expect(processCause(ended(['bye'], 139))).toEqual({ is: 'crash', name: 'SIGSEGV' })
  expect(processCause(ended(['bye'], 134))).toEqual({ is: 'crash', name: 'SIGABRT' })
  expect(processCause(ended(['bye'], 1))).toBeUndefined()
})

test('commands that may download the server first are known, on every system', () => {
  const all = (...lines: readonly string[]) =>
    lines.map((line) => line.split(' ')).map(([command = '', ...args]) => mayDownload({ command, args }))
  expect(all('npx -y thing', '/usr/local/bin/uvx thing', 'C:\\node\\npx.cmd thing', 'docker run x', 'cmd /c npx x')).toEqual(Array(5).fill(true)) // prettier-ignore
  expect(all('node npx', './npx-server', 'cmd /c server.bat npx', 'python -m npx')).toEqual(Array(4).fill(false))
  expect(all('NPX.CMD -y x', 'cmd /d /s /c npx x', 'CMD.EXE //C NPX x', 'env A=1 B=2 npx x', '/usr/bin/env uvx x', 'powershell -NoProfile -Command npx x', 'nohup npx x')).toEqual(Array(7).fill(true)) // prettier-ignore
  expect(all('env A=npx node server', 'sh npx', 'cmd /c node npx', 'bash -x server npx', 'env', 'sh -c')).toEqual(Array(6).fill(false)) // prettier-ignore
  const line = (command: string, flag: string, text: string, ...more: readonly string[]) => mayDownload({ command, args: [flag, text, ...more] }) // prettier-ignore
  for (const [command, flag, text] of [
    ['cmd', '/c', 'npx -y x'],
    ['cmd.exe', '/c', '"C:\\Program Files\\nodejs\\npx.cmd" -y x'],
    ['sh', '-c', 'npx -y x'],
    ['/bin/bash', '-lc', 'cd /srv && exec npx -y x'],
    ['zsh', '-c', 'KEY=1 uvx x 2>/dev/null'],
    ['pwsh', '-c', '& npx x'],
  ] as const)
    expect(line(command, flag, text), text).toBe(true)
  expect(line('cmd', '/c', 'C:\\Program Files\\nodejs\\npx.cmd', '-y', 'x')).toBe(true)
  expect([line('sh', '-c', 'node server.js --with npx'), line('node', '-c', 'npx x')]).toEqual([false, false])
})
