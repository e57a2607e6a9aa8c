/** Programs that end because of what surrounds them: version managers, containers, registries, limits and files. */
import { printing, targetsOf, type Target } from './target.ts'

const target = targetsOf('process')
const MISLEADS = /\bCORS\b|Access-Control|nothing (is )?listening|disk is full|server's own credentials/i

export const environments: readonly Target[] = [
  target(
    'pyenv-version',
    'The version of Python that .python-version names is not installed.',
    printing('python server.py', { stderr: "pyenv: version `3.12.1' is not installed (set by /srv/notes/.python-version)" }), // prettier-ignore
    { names: /3\.12\.1[^]*(isn't|not) installed/i, misleads: MISLEADS, by: 'user', remedy: 'Install it with pyenv.' },
  ),
  target(
    'asdf-no-version',
    'asdf knows no version of node for this folder, and ends with 126.',
    printing('npx -y @acme/notes-mcp', {
      stderr: `No version is set for command npx
Consider adding one of the following versions in your config file at /srv/notes/.tool-versions
nodejs 22.11.0`,
      code: 126,
    }),
    {
      names: /version/i,
      misleads: /permission denied|chmod/i,
      by: 'user',
      remedy: 'Set a version with asdf.',
    },
  ),
  target(
    'registry-401',
    'The token for the private registry has expired.',
    printing('npx -y @acme/notes-mcp', {
      stderr: `npm error code E401
npm error Incorrect or missing password.
npm error If you were trying to login, change your password, create an
npm error authentication token or enable two-factor authentication then`,
    }),
    {
      names: /registry[^]*sign/i,
      misleads: /server's own credentials|doesn't have the package/i,
      by: 'user',
      remedy: 'Run npm login.',
    },
  ),
  target(
    'docker-pull-limit',
    'Docker Hub serves no more images to this address for now.',
    printing('docker run -i --rm mcp/notes', {
      stderr: 'docker: Error response from daemon: toomanyrequests: You have reached your pull rate limit. You may increase the limit by authenticating and upgrading.', // prettier-ignore
      code: 125,
    }),
    { names: /rate limit/i, misleads: MISLEADS, by: 'user', remedy: 'Run docker login, or wait.' },
  ),
  target(
    'docker-name-taken',
    'A container of this name is left from an earlier start.',
    printing('docker run -i --name notes mcp/notes', {
      stderr: 'docker: Error response from daemon: Conflict. The container name "/notes" is already in use by container "4f1c". You have to remove (or rename) that container to be able to reuse that name.', // prettier-ignore
      code: 125,
    }),
    { names: /container[^]*notes[^]*already/i, misleads: MISLEADS, by: 'user', remedy: 'Remove it, and use --rm.' },
  ),
  target(
    'docker-not-running',
    'The container that should run the server is stopped.',
    printing('docker exec -i notes node server.js', { stderr: 'Error response from daemon: container notes is not running' }), // prettier-ignore
    { names: /container notes[^]*running/i, misleads: MISLEADS, by: 'user', remedy: 'Start the container.' },
  ),
  target(
    'watchers',
    'The server watches files, but the limit of watchers is reached, which has the code of a full disk.',
    printing('node server.js', {
      stderr: `node:internal/fs/watchers:247
    const error = new UVException({
                  ^
Error: ENOSPC: System limit for number of file watchers reached, watch '/srv/notes'
    at FSWatcher.<computed> (node:internal/fs/watchers:247:19)`,
    }),
    { names: /watch(ed|ers?)[^]*(limit|no more)|no more[^]*watch/i, misleads: MISLEADS, by: 'user', remedy: 'Raise fs.inotify.max_user_watches.' }, // prettier-ignore
  ),
  target(
    'python-shadowed',
    'The folder has a file mcp.py, which hides the package mcp.',
    printing('python3 server.py', {
      stderr: `Traceback (most recent call last):
  File "/srv/notes/server.py", line 2, in <module>
    from mcp.server.fastmcp import FastMCP
ModuleNotFoundError: No module named 'mcp.server'; 'mcp' is not a package`,
    }),
    { names: /hides|shadow|rename/i, misleads: /isn't installed|pip install/i, by: 'server', remedy: 'Rename mcp.py.' },
  ),
  target(
    'node-missing-export',
    'The installed version of the SDK lacks what the server imports.',
    printing('node server.js', {
      stderr: `file:///srv/notes/server.js:1
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
         ^^^^^^^^^
SyntaxError: The requested module '@modelcontextprotocol/sdk/server/mcp.js' does not provide an export named 'McpServer'`,
    }),
    { names: /doesn't export|version/i, misleads: /JSON file|fix the error shown/i, by: 'server', remedy: 'Install the version in the lock file.' }, // prettier-ignore
  ),
  target(
    'compose-no-file',
    'The working directory has no compose.yaml.',
    printing('docker compose run -T notes', { stderr: 'no configuration file provided: not found' }),
    { names: /configuration file/i, misleads: /program provided/i, by: 'user', remedy: 'Set the working directory.' },
  ),
  target(
    'zod-environment',
    'A schema of the environment reports a variable that is not set, on several lines.',
    printing('node server.js', {
      stderr: `ZodError: [
  {
    "code": "invalid_type",
    "expected": "string",
    "received": "undefined",
    "path": [
      "NOTES_API_TOKEN"
    ],
    "message": "Required"
  }
]`,
    }),
    { names: /NOTES_API_TOKEN is missing/i, misleads: MISLEADS, by: 'user', remedy: 'Add the variable.' },
  ),
  target(
    'database-locked',
    'Another instance of the server holds the database.',
    printing('python3 server.py', {
      stderr: `Traceback (most recent call last):
  File "/srv/notes/server.py", line 31, in <module>
    db.execute("PRAGMA journal_mode=WAL")
sqlite3.OperationalError: database is locked`,
    }),
    { names: /another process/i, misleads: MISLEADS, by: 'user', remedy: 'Stop the other instance.' },
  ),
  target(
    'windows-encoding',
    'The console has another encoding than UTF-8, so a log line with a check mark ends the program.',
    printing('python server.py', {
      stderr: `Traceback (most recent call last):
  File "C:\\\\srv\\\\notes\\\\server.py", line 9, in <module>
    print("\\u2713 ready", file=sys.stderr)
UnicodeEncodeError: 'charmap' codec can't encode character '\\u2713' in position 0: character maps to <undefined>`,
    }),
    { names: /encoding|UTF-?8/i, misleads: MISLEADS, by: 'user', remedy: 'Set PYTHONUTF8=1.' },
  ),
  target(
    'sso-expired',
    'The session with the cloud provider has expired.',
    printing('python3 server.py', {
      stderr: 'botocore.exceptions.ClientError: An error occurred (ExpiredTokenException) when calling the GetCallerIdentity operation: The security token included in the request is expired', // prettier-ignore
    }),
    { names: /credentials|expired/i, misleads: /\bCORS\b|not installed|disk/i, by: 'user', remedy: 'Sign in again.' },
  ),
  target(
    'java-missing',
    'No Java is installed, which the start script says in terms of JAVA_HOME.',
    printing('./gradlew -q run', { stderr: "ERROR: JAVA_HOME is not set and no 'java' command could be found in your PATH." }), // prettier-ignore
    { names: /Java[^]*(wasn't found|install)/i, misleads: /variable JAVA_HOME is missing/i, by: 'user', remedy: 'Install Java.' }, // prettier-ignore
  ),
  target(
    'browser-missing',
    'The server drives a browser that was never downloaded.',
    printing('node server.js', {
      stderr: `browserType.launch: Executable doesn't exist at /home/u/.cache/ms-playwright/chromium-1140/chrome-linux/chrome
║ Please run the following command to download new browsers: ║
║     npx playwright install                                 ║`,
    }),
    { names: /chrome[^]*(wasn't found|install)|browser/i, misleads: MISLEADS, by: 'user', remedy: 'Run npx playwright install.' }, // prettier-ignore
  ),
]
