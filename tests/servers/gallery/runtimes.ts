/** Interpreters, runtimes and engines that start a server, and what each prints if it can't. */
import { printing, targetsOf, type Target } from './target.ts'

const target = targetsOf('process')
/** A process has no CORS. */
const WEB = /\bCORS\b|Access-Control/i

export const runtimes: readonly Target[] = [
  target(
    'python-module',
    'The Python interpreter that starts the server has no module mcp_server_weather, because the package is installed in another environment or not at all.',
    printing('python3 -m mcp_server_weather', { stderr: '/usr/bin/python3: No module named mcp_server_weather' }),
    {
      names:
        /mcp_server_weather[^]*(not installed|missing|install|environment|venv)|(not installed|missing|lacks|no) [^.]{0,60}(module|package)/i,
      misleads: /\bCORS\b|Access-Control|python3? (is|was) not (found|installed)/i,
      by: 'user',
      remedy: 'Install the package for this interpreter, or start the interpreter of the right virtual environment.',
    },
  ),
  target(
    'python-import',
    "server.py imports dotenv, which the interpreter lacks: most likely it is not the one of the project's virtual environment.",
    printing('python server.py', {
      stderr: `Traceback (most recent call last):
  File "/srv/weather/server.py", line 4, in <module>
    from dotenv import load_dotenv
ModuleNotFoundError: No module named 'dotenv'`,
    }),
    {
      names: /dotenv[^]*(install|missing|venv|virtual)|(install|missing|needs|lacks)[^]{0,120}dotenv/i,
      misleads: /\bCORS\b|Access-Control|server\.py (was )?not found|python3? (is|was) not (found|installed)/i,
      by: 'user',
      remedy: 'Start the interpreter of the project (.venv/bin/python or uv run), or install python-dotenv.',
    },
  ),
  target(
    'python-too-old',
    'The server uses the syntax X | None of Python 3.10, but the interpreter is older.',
    printing('python3 server.py', {
      stderr: `Traceback (most recent call last):
  File "/srv/notes/server.py", line 11, in <module>
    def search(query: str, limit: int | None = None) -> list[str]:
TypeError: unsupported operand type(s) for |: 'type' and 'NoneType'`,
    }),
    {
      names:
        /python[^]{0,90}(3\.1\d|too old|older|newer|version|upgrade)|(too old|older|newer|version)[^]{0,90}(python|runtime)/i,
      misleads: WEB,
      by: 'user',
      remedy: 'Start the server with Python 3.10 or newer.',
    },
  ),
  target(
    'python-library-changed',
    'The installed version of the library no longer accepts the argument “description” that server.py passes.',
    printing('python3 server.py', {
      stderr: `Traceback (most recent call last):
  File "/srv/crm-mcp/server.py", line 9, in <module>
    mcp = FastMCP("crm", description="CRM tools", port=8000)
          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
TypeError: FastMCP.__init__() got an unexpected keyword argument 'description'`,
    }),
    {
      names: /version|unexpected (keyword )?argument|does(n.t| not) (accept|know|take|support)|no longer|incompatib/i,
      misleads: /\bCORS\b|Access-Control|isn't installed|not installed/i,
      by: 'server',
      remedy: 'Remove the argument, or pin the version of the library that the code was written for.',
    },
  ),
  target(
    'python-syntax',
    'server.py has a syntax error.',
    printing('python3 server.py', {
      stderr: `  File "/srv/notes/server.py", line 22
    async def main()
                    ^
SyntaxError: expected ':'`,
    }),
    { names: /error in \S*server\.py:22/i, misleads: WEB, by: 'server', remedy: 'Fix line 22.' },
  ),
  target(
    'node-too-old',
    'A dependency needs Node.js 20.18.1, but 18.19.1 runs.',
    printing('npx -y @acme/search-mcp', {
      stderr: `npm warn EBADENGINE Unsupported engine {
npm warn EBADENGINE   package: 'undici@7.10.0',
npm warn EBADENGINE   required: { node: '>=20.18.1' },
npm warn EBADENGINE   current: { node: 'v18.19.1', npm: '10.2.4' }
npm warn EBADENGINE }
/srv/node_modules/undici/lib/web/webidl/index.js:531
webidl.is.File = webidl.util.MakeTypeAssertion(File)
                                               ^

ReferenceError: File is not defined
    at Object.<anonymous> (/srv/node_modules/undici/lib/web/webidl/index.js:531:48)
    at Module._compile (node:internal/modules/cjs/loader:1364:14)

Node.js v18.19.1`,
    }),
    {
      names:
        /node(\.js)?[^]{0,80}(20|too old|older|newer|version|upgrade|update)|(newer|older|too old|version)[^.]{0,40}(node|runtime)/i,
      misleads: /\bCORS\b|Access-Control|file (was |is )?(not found|missing)|node (is|was) not (found|installed)/i,
      by: 'user',
      remedy: 'Install Node.js 20.18.1 or newer.',
    },
  ),
  target(
    'node-native-module',
    'A native module was built for another version of Node.js.',
    printing('node server.js', {
      stderr: `Error: The module '/srv/notes/node_modules/better-sqlite3/build/Release/better_sqlite3.node'
was compiled against a different Node.js version using
NODE_MODULE_VERSION 115. This version of Node.js requires
NODE_MODULE_VERSION 127. Please try re-compiling or re-installing
the module (for instance, using \`npm rebuild\` or \`npm install\`).
    at Object..node (node:internal/modules/cjs/loader:1925:18) {
  code: 'ERR_DLOPEN_FAILED'
}

Node.js v22.20.0`,
    }),
    {
      names: /(another|different|other)[^]{0,40}(version|runtime)|NODE_MODULE_VERSION|rebuild|reinstall/i,
      misleads: WEB,
      by: 'user',
      remedy: 'Run npm rebuild with the Node.js that starts the server.',
    },
  ),
  target(
    'java-class-version',
    'The jar is compiled for Java 21, but Java 17 runs.',
    printing('java -jar weather-mcp.jar', {
      stderr: `Error: LinkageError occurred while loading main class com.acme.weather.Main
	java.lang.UnsupportedClassVersionError: com/acme/weather/Main has been compiled by a more recent version of the Java Runtime (class file version 65.0), this version of the Java Runtime only recognizes class file versions up to 61.0`,
    }),
    {
      names:
        /java[^]{0,90}(21|17|newer|older|too old|version|upgrade|update)|(newer|older|version)[^.]{0,60}(java|runtime)/i,
      misleads: /\bCORS\b|Access-Control|java (is|was) not (found|installed)/i,
      by: 'user',
      remedy: 'Install Java 21, and start that one.',
    },
  ),
  target(
    'java-no-jar',
    "The jar file doesn't exist at this path.",
    printing('java -jar target/weather-mcp.jar', { stderr: 'Error: Unable to access jarfile target/weather-mcp.jar' }),
    {
      names: /weather-mcp\.jar[^]*(exist|found|path|access)|(exist|found|path|access)[^]*weather-mcp\.jar/i,
      misleads: /\bCORS\b|Access-Control|java (is|was) not (found|installed)/i,
      by: 'user',
      remedy: 'Build it, or correct the path.',
    },
  ),
  target(
    'dotnet-runtime',
    'The server needs the runtime of .NET 9, but only .NET 8 is installed.',
    printing('dotnet Acme.Mcp.dll', {
      stderr: `You must install or update .NET to run this application.

App: /opt/acme/Acme.Mcp.dll
Architecture: x64
Framework: 'Microsoft.NETCore.App', version '9.0.0' (x64)
.NET location: /usr/share/dotnet

The following frameworks were found:
  8.0.11 at [/usr/share/dotnet/shared/Microsoft.NETCore.App]

Learn more:
https://aka.ms/dotnet/app-launch-failed`,
      code: 150,
    }),
    {
      names: /\.NET[^]{0,90}(9|install|runtime|version|newer|update)|runtime[^.]{0,60}\.NET/i,
      misleads: /\bCORS\b|Access-Control|dotnet (is|was) not (found|installed)/i,
      by: 'user',
      remedy: 'Install the runtime of .NET 9.',
    },
  ),
  target(
    'go-outside-module',
    "go run was started outside the Go module: the working directory isn't the folder of the project.",
    printing('go run ./cmd/mcp', {
      stderr: "go: go.mod file not found in current directory or any parent directory; see 'go help modules'",
    }),
    {
      names: /go\.mod|(working|current|wrong|project|other) (directory|folder)|\bcwd\b|outside/i,
      misleads: /\bCORS\b|Access-Control|\bgo (is|was) not (found|installed)/i,
      by: 'client',
      remedy: 'Set the working directory to the project, or use go run -C.',
    },
  ),
  target(
    'deno-permission',
    'Deno may not read environment variables, because --allow-env is missing.',
    printing('deno run --allow-net server.ts', {
      stderr: `error: Uncaught (in promise) NotCapable: Requires env access to "LINEAR_API_KEY", run again with the --allow-env flag
    at Object.getEnv [as get] (ext:deno_os/30_os.js:125:10)
    at file:///srv/linear/server.ts:7:26`,
    }),
    {
      names: /--allow-env|permission|allow[^.]{0,40}env/i,
      misleads: /\bCORS\b|Access-Control|LINEAR_API_KEY[^.]{0,20} (is )?(not set|missing|unset)|chmod|not executable/i,
      by: 'client',
      remedy: 'Add --allow-env to the command.',
    },
  ),
  target(
    'bun-script',
    'The package.json of the working directory has no script “start”.',
    printing('bun run start', { stderr: 'error: Script not found "start"' }),
    {
      names:
        /script[^]{0,60}(start|not (found|defined)|no such|missing)|package\.json|(working|wrong|project) (directory|folder)/i,
      misleads: /\bCORS\b|Access-Control|\bbun (is|was) not (found|installed)/i,
      by: 'client',
      remedy: 'Name a script that exists, or set the working directory to the project.',
    },
  ),
  target(
    'ruby-gem',
    "The gem mcp isn't installed for this Ruby, or the script needs bundle exec.",
    printing('ruby server.rb', {
      stderr: `<internal:/usr/lib/ruby/3.3.0/rubygems/core_ext/kernel_require.rb>:136:in \`require': cannot load such file -- mcp (LoadError)
	from <internal:/usr/lib/ruby/3.3.0/rubygems/core_ext/kernel_require.rb>:136:in \`require'
	from server.rb:2:in \`<main>'`,
    }),
    {
      names: /\bgem\b|bundle|Ruby[^.]{0,50}(library|package)|module mcp isn't installed/i,
      misleads:
        /\bCORS\b|Access-Control|server\.rb (was |is )?(not found|missing)|ruby (is|was) not (found|installed)/i,
      by: 'user',
      remedy: 'Run gem install mcp, or start it with bundle exec.',
    },
  ),
  target(
    'rust-panic',
    'The server panics, because its configuration has no key “index”.',
    printing('acme-index-mcp', {
      stderr: `thread 'main' panicked at src/main.rs:41:10:
called \`Result::unwrap()\` on an \`Err\` value: MissingKey("index")
note: run with \`RUST_BACKTRACE=1\` environment variable to display a backtrace`,
      code: 101,
    }),
    {
      names: /crash|panic/i,
      misleads: /\bCORS\b|Access-Control|environment variable RUST_BACKTRACE is missing/i,
      by: 'server',
      remedy: "Add the key, and report that the error isn't handled.",
    },
  ),
  target(
    'docker-daemon',
    "The Docker daemon isn't running.",
    printing('docker run -i --rm mcp/time', {
      stderr: `docker: Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?

Run 'docker run --help' for more information`,
      code: 125,
    }),
    {
      names: /daemon|container engine isn't running|start Docker/i,
      misleads: /\bCORS\b|Access-Control|docker (is|was) not (found|installed)/i,
      by: 'user',
      remedy: 'Start Docker Desktop, or the service docker.',
    },
  ),
  target(
    'docker-no-stdin',
    'docker run lacks -i, so the container has no stdin and ends at once with exit code 0.',
    printing('docker run --rm mcp/time', { before: 'sleep 1', code: 0 }),
    {
      names: /(^|[\s'"`(,“])-i\b|--interactive|keeps? (its )?(stdin|standard input)/i,
      misleads: /\bCORS\b|Access-Control|daemon is not running|docker (is|was) not (found|installed)/i,
      by: 'client',
      remedy: 'Use docker run -i --rm mcp/time.',
    },
  ),
  target(
    'docker-tty',
    'docker run has -t, which requires a terminal, but clients use pipes.',
    printing('docker run -it --rm mcp/time', { stderr: 'the input device is not a TTY' }),
    {
      names: /\bTTY\b|(^|[\s'"`(,])-i?t\b|terminal/i,
      misleads: /\bCORS\b|Access-Control|docker (is|was) not (found|installed)/i,
      by: 'client',
      remedy: 'Use -i instead of -it.',
    },
  ),
  target(
    'docker-architecture',
    'The image is built for arm64, but this machine is amd64.',
    printing('docker run -i --rm acme/mcp:latest', {
      stderr: `WARNING: The requested image's platform (linux/arm64) does not match the detected host platform (linux/amd64/v4) and no specific platform was requested
exec /usr/local/bin/node: exec format error`,
      code: 255,
    }),
    {
      names: /arm64|amd64|architecture|platform|another (operating system or )?processor/i,
      misleads: /\bCORS\b|Access-Control|permission/i,
      by: 'server',
      remedy: 'Publish the image for several platforms, or run it with --platform.',
    },
  ),
  target(
    'docker-no-image',
    'No registry has an image acme/weather-mcp, or it is private.',
    printing('docker run -i --rm acme/weather-mcp', {
      stderr: `Unable to find image 'acme/weather-mcp:latest' locally
docker: Error response from daemon: pull access denied for acme/weather-mcp, repository does not exist or may require 'docker login': denied: requested access to the resource is denied

Run 'docker run --help' for more information`,
      code: 125,
    }),
    {
      names: /(image|package|repository|registry)[^]{0,120}(exist|found|have|denied|sign-in|login)/i,
      misleads: /\bCORS\b|Access-Control|daemon (is not|isn't) running|container engine isn't running/i,
      by: 'user',
      remedy: 'Correct the name, or sign in to the registry.',
    },
  ),
  target(
    'glibc',
    'The program needs glibc 2.38, but this system has an older one.',
    printing('acme-mcp serve', {
      stderr: "acme-mcp: /lib/x86_64-linux-gnu/libc.so.6: version `GLIBC_2.38' not found (required by acme-mcp)",
    }),
    {
      names: /glibc|\blibc\b|C library|(newer|older)[^.]{0,30}(Linux|system|distribution)/i,
      misleads: /\bCORS\b|Access-Control|acme-mcp (is|was) not (found|installed)/i,
      by: 'server',
      remedy: 'Use a newer distribution, a container, or a static build.',
    },
  ),
  target(
    'shared-library',
    'The system library libpq.so.5 is missing.',
    printing('acme-pg-mcp', {
      stderr:
        'acme-pg-mcp: error while loading shared libraries: libpq.so.5: cannot open shared object file: No such file or directory',
      code: 127,
    }),
    {
      names: /libpq/i,
      misleads: /\bCORS\b|Access-Control|acme-pg-mcp[^.]{0,20}(not found|doesn't exist)/i,
      by: 'user',
      remedy: 'Install the PostgreSQL client library.',
    },
  ),
]
