/** Package managers and shells that download or find a server, and what each prints if they can't. */
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { folderOf, printing, script, targetsOf, type Target } from './target.ts'

const target = targetsOf('process')
const WEB = /\bCORS\b|Access-Control/i

const isOnPath = (name: string) =>
  (process.env['PATH'] ?? '').split(delimiter).some((folder) => existsSync(join(folder, name)))
/** A runner that this machine lacks. */
const absent = ['uvx', 'bunx', 'pipx', 'deno', 'pnpm', 'dotnet', 'cargo'].find((name) => !isOnPath(name)) ?? 'no-runner'

export const packages: readonly Target[] = [
  target(
    'runner-missing',
    'The program that starts the server is not installed, or not on the PATH of the proxy.',
    async () => ({ line: `${absent} mcp-server-git`, close: async () => {} }),
    {
      names: /not (be )?(found|installed)|\bPATH\b|couldn't be started/i,
      misleads: /\bCORS\b|Access-Control|permission denied|not executable/i,
      by: 'user',
      remedy: 'Install it, or enter its full path.',
    },
  ),
  target(
    'uvx-no-package',
    'PyPI has no package mcp-server-postgre: the name is misspelled.',
    printing('uvx mcp-server-postgre', {
      stderr: `  × No solution found when resolving tool dependencies:
  ╰─▶ Because mcp-server-postgre was not found in the package registry and you
      require mcp-server-postgre, we can conclude that your requirements are
      unsatisfiable.`,
    }),
    {
      names:
        /(package|name)[^]{0,120}(not found|does(n.t| not) exist|no such|no package|spell|unknown|typo)|(no|not find|unknown)[^.]{0,40}package|PyPI|registry/i,
      misleads: /\bCORS\b|Access-Control|uvx? (is|was) not (found|installed)|permission/i,
      by: 'user',
      remedy: 'Correct the name.',
    },
  ),
  target(
    'uvx-other-executable',
    'The package weather-mcp is installed, but its executable is named mcp-weather-server.',
    printing('uvx weather-mcp', {
      stderr: `Installed 31 packages in 88ms
An executable named \`weather-mcp\` is not provided by package \`weather-mcp\`.
The following executables are available:
- mcp-weather-server

Use \`uvx --from weather-mcp mcp-weather-server\` instead.`,
    }),
    {
      names:
        /--from|(executable|command|program|script)[^]{0,80}(another|other|different|named|called|not provided|does(n.t| not) (provide|contain))/i,
      misleads:
        /\bCORS\b|Access-Control|package [^.]{0,30}(does not exist|not found)|uvx (is|was) not (found|installed)/i,
      by: 'user',
      remedy: 'Use uvx --from weather-mcp mcp-weather-server.',
    },
  ),
  target(
    'uvx-python-version',
    'The package requires Python 3.12, but uv may only use 3.10.',
    printing('uvx notes-mcp', {
      stderr: `  × No solution found when resolving tool dependencies:
  ╰─▶ Because the current Python version (3.10.12) does not satisfy Python>=3.12
      and notes-mcp==2.1.0 depends on Python>=3.12, we can conclude that
      notes-mcp==2.1.0 cannot be used.`,
    }),
    {
      names: /(version|newer|older)[^]{0,80}(Python|runtime)|(Python|runtime)[^]{0,80}(version|newer|older)/i,
      misleads: /\bCORS\b|Access-Control|(registry|PyPI) doesn't have/i,
      by: 'user',
      remedy: 'Use uvx --python 3.12.',
    },
  ),
  target(
    'npx-no-package',
    'The npm registry has no package @modelcontextprotocol/server-postgress: the name is misspelled.',
    printing('npx -y @modelcontextprotocol/server-postgress', {
      stderr: `npm error code E404
npm error 404 Not Found - GET https://packages.example/@modelcontextprotocol%2fserver-postgress - Not found
npm error 404
npm error 404  The requested resource '@modelcontextprotocol/server-postgress@*' could not be found or you do not have permission to access it.
npm error 404
npm error 404 Note that you can also install from a
npm error 404 tarball, folder, http url, or git folder.`,
    }),
    {
      names:
        /(package|name)[^]{0,120}(not found|does(n.t| not) exist|no such|spell|unknown|typo|private)|(no|not find|unknown)[^.]{0,40}package|E404/i,
      misleads:
        /\bCORS\b|Access-Control|npx (is|was) not (found|installed)|(server|endpoint|path|URL) (responded|returned|said) 404/i,
      by: 'user',
      remedy: 'Correct the name, or sign in to the registry that has it.',
    },
  ),
  target(
    'npx-no-version',
    'The package exists, but not in version 9.',
    printing('npx -y @acme/search-mcp@9', {
      stderr: `npm error code ETARGET
npm error notarget No matching version found for @acme/search-mcp@9.
npm error notarget In most cases you or one of your dependencies are requesting
npm error notarget a package version that doesn't exist.`,
    }),
    { names: /version/i, misleads: WEB, by: 'user', remedy: 'Name a version that exists.' },
  ),
  target(
    'npx-no-bin',
    'The package exists, but its package.json has no “bin” that npx could run.',
    printing('npx -y @acme/mcp-tools', { stderr: 'npm error could not determine executable to run' }),
    {
      names: /\bbin\b|(no|any|which|an?|the) (command|executable|program)/i,
      misleads: /\bCORS\b|Access-Control|npx (is|was) not (found|installed)/i,
      by: 'server',
      remedy: 'Add “bin” to its package.json. Until then, run the file with node.',
    },
  ),
  target(
    'npx-offline',
    "npx can't reach the npm registry, because its name can't be resolved.",
    printing('npx -y @modelcontextprotocol/server-memory', {
      stderr: `npm error code ENOTFOUND
npm error syscall getaddrinfo
npm error errno ENOTFOUND
npm error network request to https://packages.example/@modelcontextprotocol%2fserver-memory failed, reason: getaddrinfo ENOTFOUND packages.example
npm error network This is a problem related to network connectivity.
npm error network In most cases you are behind a proxy or have bad network settings.`,
    }),
    {
      names: /network|offline|internet|registry|proxy|DNS/i,
      misleads:
        /\bCORS\b|Access-Control|package [^.]{0,40}(does not exist|was not found|misspel)|npx (is|was) not (found|installed)/i,
      by: 'network',
      remedy: "Restore the network or set npm's proxy, or install the package beforehand.",
    },
  ),
  target(
    'npx-inspected-tls',
    "A company's gateway re-encrypts the traffic with its own certificate, which npm doesn't trust.",
    printing('npx -y @acme/search-mcp', {
      stderr: `npm error code SELF_SIGNED_CERT_IN_CHAIN
npm error errno SELF_SIGNED_CERT_IN_CHAIN
npm error request to https://packages.example/@acme%2fsearch-mcp failed, reason: self-signed certificate in certificate chain`,
    }),
    {
      names: /certificate|NODE_EXTRA_CA_CERTS/i,
      misleads: /\bCORS\b|Access-Control|npx (is|was) not (found|installed)|registry doesn't have/i,
      by: 'network',
      remedy: 'Set NODE_EXTRA_CA_CERTS to the certificate of the company.',
    },
  ),
  target(
    'npx-cache-permission',
    "The npm cache contains files of another user, so npx can't write to it.",
    printing('npx -y @acme/search-mcp', {
      stderr: `npm error code EACCES
npm error syscall mkdir
npm error path /home/ann/.npm/_cacache/content-v2/sha512/1f
npm error errno -13
npm error Your cache folder contains root-owned files, due to a bug in
npm error previous versions of npm which has since been addressed.`,
      code: 243,
    }),
    {
      names: /permission/i,
      misleads: /\bCORS\b|Access-Control|npx (is|was) not (found|installed)/i,
      by: 'user',
      remedy: 'Make the cache belong to this user.',
    },
  ),
  target(
    'disk-full',
    "The disk is full, so the package can't be unpacked.",
    printing('npx -y @acme/search-mcp', {
      stderr: `npm error code ENOSPC
npm error syscall write
npm error errno -28
npm error nospc ENOSPC: no space left on device, write`,
      code: 228,
    }),
    { names: /disk is full|no space left/i, misleads: WEB, by: 'user', remedy: 'Free some space.' },
  ),
  target(
    'windows-npx',
    "Windows doesn't find npx: Node.js isn't installed, or not on the PATH of the proxy.",
    printing('cmd /c npx -y @acme/mcp', {
      stderr: `'npx' is not recognized as an internal or external command,\r\noperable program or batch file.\r`,
    }),
    {
      names:
        /npx[^]{0,120}(not (be )?(found|installed|recogni)|wasn't found|PATH|missing)|Node(\.js)?[^.]{0,60}(install|PATH)/i,
      misleads: /\bCORS\b|Access-Control|package [^.]{0,40}(does not exist|not found)/i,
      by: 'user',
      remedy: 'Install Node.js, or enter the full path of npx.cmd.',
    },
  ),
  target(
    'windows-policy',
    "The execution policy of PowerShell forbids scripts, so npx.ps1 can't run.",
    printing('powershell -Command npx -y @acme/mcp', {
      stderr: `npx : File C:\\Program Files\\nodejs\\npx.ps1 cannot be loaded because running scripts is disabled on this system. For more
information, see about_Execution_Policies at https:/go.microsoft.com/fwlink/?LinkID=135170.
At line:1 char:1
+ npx -y @acme/mcp
+ ~~~
    + CategoryInfo          : SecurityError: (:) [], PSSecurityException
    + FullyQualifiedErrorId : UnauthorizedAccess`,
    }),
    {
      names: /execution[ _]polic|scripts? (is|are) (disabled|forbidden|not allowed|blocked)|npx\.cmd|running scripts/i,
      misleads: /\bCORS\b|Access-Control|npx (is|was) not (found|installed)|sign in/i,
      by: 'user',
      remedy: 'Use npx.cmd, or Set-ExecutionPolicy RemoteSigned.',
    },
  ),
  target(
    'not-built',
    "build/index.js doesn't exist: the project was never built, or the path is wrong.",
    async () => {
      const { folder, close } = folderOf({})
      return { line: `node ${folder}/build/index.js`, close }
    },
    {
      names:
        /(build|compile|file|path|script|program)[^]{0,120}(not|never|no such|missing|doesn't exist)|Cannot find|npm run build/i,
      misleads:
        /\bCORS\b|Access-Control|node (is|was) not (found|installed)|dependenc(y|ies) (is|are) (missing|not installed)/i,
      by: 'user',
      remedy: 'Run npm run build in the project, or correct the path.',
    },
  ),
  target(
    'no-dependencies',
    'The server imports @modelcontextprotocol/sdk, but npm install was never run in its folder.',
    script(
      "import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'\nnew McpServer({ name: 'x', version: '1' })\n",
      'server.mjs',
    ),
    {
      names:
        /npm (install|i|ci)|dependenc|(package|module)[^]{0,80}(not installed|isn't installed|missing|not found)|Cannot find (package|module)/i,
      misleads: /\bCORS\b|Access-Control|node (is|was) not (found|installed)|npm run build/i,
      by: 'user',
      remedy: 'Run npm install in the folder of the server.',
    },
  ),
  target(
    'module-kind',
    'The file is an ES module, but Node.js loads it as CommonJS.',
    script("import fs from 'node:fs'\nimport readline from 'node:readline'\nconsole.log(fs, readline)\n"),
    {
      names: /ES ?module|\bESM\b|CommonJS|"type"|\.mjs|import statement|kind of module/i,
      misleads: /\bCORS\b|Access-Control|npm install|not installed/i,
      by: 'server',
      remedy: 'Name it .mjs, or put "type": "module" into package.json.',
    },
  ),
  target(
    'typescript-source',
    "The command runs the TypeScript source instead of the built file, with a Node.js that can't.",
    printing('node src/index.ts', {
      stderr: `node:internal/modules/esm/get_format:219
  throw new ERR_UNKNOWN_FILE_EXTENSION(ext, filepath);
        ^

TypeError [ERR_UNKNOWN_FILE_EXTENSION]: Unknown file extension ".ts" for /srv/weather/src/index.ts
    at Object.getFileProtocolModuleFormat [as file:] (node:internal/modules/esm/get_format:219:9) {
  code: 'ERR_UNKNOWN_FILE_EXTENSION'
}

Node.js v20.11.1`,
    }),
    {
      names: /built file|source|compile|\btsx\b|kind of module|TypeScript/i,
      misleads: /\bCORS\b|Access-Control|node (is|was) not (found|installed)/i,
      by: 'user',
      remedy: 'Run the built file, or start it with tsx.',
    },
  ),
  target(
    'not-executable',
    "The file exists, but isn't executable.",
    async () => {
      const { folder, close } = folderOf({ 'weather-mcp': { text: '#!/bin/sh\nexit 0\n', mode: 0o644 } })
      return { line: join(folder, 'weather-mcp'), close }
    },
    {
      names: /permission|not executable|isn't executable|chmod|EACCES/i,
      misleads: /\bCORS\b|Access-Control|does not exist|doesn't exist|not installed/i,
      by: 'user',
      remedy: 'Run chmod +x on it.',
    },
  ),
  target(
    'script-line-endings',
    'The script has Windows line endings, so its first line names a program “node\\r”.',
    async () => {
      const text = '#!/usr/bin/env node\r\nconsole.log(1)\r\n'
      const { folder, close } = folderOf({ 'server.js': { text, mode: 0o755 } })
      return { line: join(folder, 'server.js'), close }
    },
    {
      names: /CRLF|line[- ]end|carriage|dos2unix/i,
      misleads: /\bCORS\b|Access-Control|node (is|was) not installed|install Node/i,
      by: 'server',
      remedy: 'Save it with Unix line endings, or start it with node.',
    },
  ),
  target(
    'unquoted-space',
    "The path contains a space and isn't quoted, so only its first part is taken as the program.",
    async () => {
      const { folder, close } = folderOf({ 'My Servers/weather-mcp': { text: '#!/bin/sh\nsleep 1\n', mode: 0o755 } })
      return { line: `${folder}/My Servers/weather-mcp`, close }
    },
    {
      names: /space|quot|not (be )?(found|installed)|ENOENT|no such|does(n.t| not) exist|couldn't be started/i,
      misleads: /\bCORS\b|Access-Control|permission/i,
      by: 'user',
      remedy: 'Put the path in double quotes.',
    },
  ),
  target(
    'git-missing',
    "The package comes from a Git repository, but git isn't installed.",
    printing('uvx --from git+https://git.example.com/acme/mcp acme-mcp', {
      stderr: `  × Failed to resolve \`--with\` requirement
  ├─▶ Git operation failed
  ╰─▶ Git executable not found. Ensure that Git is installed and available.`,
      code: 2,
    }),
    {
      names: /\bgit\b[^]{0,60}(install|found|missing|PATH)/i,
      misleads: /\bCORS\b|Access-Control|uvx (is|was) not (found|installed)/i,
      by: 'user',
      remedy: 'Install git.',
    },
  ),
]
