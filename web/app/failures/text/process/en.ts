/** Why a process can't be used, each a heading, and how to fix it. English is the source of all translations. */
export default {
  'process-content-length': () => 'The process frames messages with Content-Length headers, as language servers do',
  'process-no-newline': () => "The process doesn't end its messages with a newline",
  'process-pretty-json': () => 'The process spreads a message over several lines',
  'process-utf-16': () => 'The process writes UTF-16 instead of UTF-8',
  'process-colour': () => 'The process writes escape codes into its messages',
  'process-concatenated': () => 'The process writes several messages on one line',
  'process-prefix': () => 'The process writes other text on the same line as a message',
  'process-not-json': () => "The process writes messages that aren't JSON",
  'process-serves-http': (url: string) => `The process serves HTTP at ${url} instead of stdio`,
  'process-on-stderr': () => 'The process writes its responses to stderr instead of stdout',
  'process-install-prompt': () => 'The process asks whether to install a package and waits for input',
  'process-reads-to-end': () => 'The process responds only after stdin is closed',
  'process-terminal': () => 'The process requires a terminal or waits for typed input',
  'process-missing-module': (name: string) =>
    name ? `The module ${name} isn't installed` : "A module isn't installed",
  'process-missing-file': (name: string) =>
    name ? `The command needs ${name}, which doesn't exist` : "A file that the command needs doesn't exist",
  'process-missing-package': (name: string) =>
    name
      ? `The registry doesn't have the package ${name}`
      : "The registry doesn't have the package or this version of it",
  'process-no-executable': (name: string) =>
    name ? `The package doesn't contain a program named ${name}` : "The package doesn't contain a program to run",
  'process-missing-program': (name: string) => (name ? `The program ${name} wasn't found` : "A program wasn't found"),
  'process-line-endings': () => 'The script has Windows line endings (CRLF)',
  'process-missing-grant': (flag: string) => `The runtime wasn't given a permission that the program needs: ${flag}`,
  'process-no-stdin': (command: string) => `The container has no stdin because “${command}” lacks -i`,
  'process-no-network': () => "A download failed: the registry can't be reached",
  'process-old-runtime': (name: string) =>
    name
      ? `The program needs another version of its runtime: ${name}`
      : 'The program needs another version of its runtime',
  'process-wrong-module': (place: string) =>
    place
      ? `The program can't be loaded: the runtime can't read ${place} directly`
      : "The program can't be loaded: it is TypeScript source, or has the wrong module format",
  'process-no-main-class': (name: string) =>
    name ? `${name} doesn't name a main class that Java can start` : "The JAR file doesn't name a main class",
  'process-syntax-error': (place: string) =>
    place
      ? `The program can't be loaded: error in ${place}`
      : "The program can't be loaded: an error in its code, or in a JSON file",
  'process-library-version': (name: string) =>
    name
      ? `The program uses a function or attribute that ${name} doesn't have`
      : 'A function that the program calls is missing, or takes other arguments',
  'process-script-policy': () => "PowerShell's execution policy blocks scripts",
  'process-permission': (name: string) => (name ? `Permission denied: ${name}` : 'Permission denied'),
  'process-wrong-architecture': () => 'The program was built for another operating system or processor',
  'process-missing-library': (name: string) =>
    name ? `The system library ${name} is missing` : 'A system library is missing',
  'process-missing-folder': (name: string) =>
    name ? `This file or directory doesn't exist: ${name}` : "A file or directory doesn't exist",
  'process-missing-variable': (name: string) =>
    name ? `The environment variable ${name} is missing` : 'An environment variable or key is missing',
  'process-missing-argument': (name: string) => (name ? `An argument is missing: ${name}` : 'An argument is missing'),
  'process-unknown-argument': (name: string) =>
    name ? `The program doesn't know the argument ${name}` : "The program doesn't know one of its arguments",
  'process-port-in-use': (port: string) => (port ? `Port ${port} is already in use` : 'A port is already in use'),
  'process-docker-daemon': () => "The container engine isn't running, or isn't accessible",
  'process-missing-environment': (name: string) =>
    name ? `The version or environment ${name} isn't installed` : 'The environment of the program is missing or broken',
  'process-registry-refused': () =>
    'The registry refused the download: it requires sign-in, or its rate limit is reached',
  'process-shadowed-package': (name: string) => `A file or folder named ${name} hides the package ${name}`,
  'process-missing-export': (name: string) =>
    name ? `${name} doesn't export what the program imports` : "A module doesn't export what the program imports",
  'process-no-container': (name: string) =>
    name ? `The container ${name} doesn't exist or isn't running` : "The container doesn't exist or isn't running",
  'process-container-exists': (name: string) => `A container named ${name} already exists`,
  'process-too-many-files': () => 'The limit of open or watched files is reached',
  'process-locked': () => 'Another process uses a file or database that the program needs',
  'process-invalid-config': () => "The program can't parse a file or text that it reads, such as its configuration",
  'process-console-encoding': (name: string) =>
    name
      ? `The program reads or writes text as ${name} instead of UTF-8`
      : "The program doesn't read or write text as UTF-8",
  'process-disk-full': () => 'The disk is full',
  'process-out-of-memory': () => 'The process was killed or ran out of memory',
  'process-backend': (name: string) =>
    name ? `The server can't reach ${name}, which it needs` : "The server can't reach a service that it needs",
  'process-rejected-credentials': () => "Another service rejected the server's own credentials",
  'process-crash': (signal: string) => (signal ? `The process crashed (${signal})` : 'The process crashed'),
  'process-exception': (error: string) => `The process ended with an uncaught error: ${error}`,
  'process-browser-sign-in': () => 'The process is waiting for you to sign in with a browser',
  'process-json-string': () => 'The process encodes its messages as JSON twice',
  'remedy-fix-process-content-length':
    "MCP over stdio doesn't use headers. Write each message as one line of JSON, ended by \\n.",
  'remedy-fix-process-no-newline':
    'Write \\n after each message, then flush stdout. Until the \\n arrives, a message counts as incomplete.',
  'remedy-fix-process-pretty-json': 'Write each message on one line: serialize it without indentation.',
  'remedy-fix-process-utf-16':
    'Write UTF-8. In PowerShell, set [Console]::OutputEncoding to UTF-8 without a byte order mark, or start the program without PowerShell.',
  'remedy-fix-process-colour': "Don't write colors or other escape codes to stdout. Setting NO_COLOR=1 may be enough.",
  'remedy-fix-process-concatenated': 'End each message with a line break (\\n).',
  'remedy-fix-process-prefix':
    'Write only MCP messages to stdout, one per line, with no text before or after them. Send logs to stderr.',
  'remedy-fix-process-not-json':
    'Serialize messages as JSON (json.dumps in Python, JSON.stringify in JavaScript) instead of printing objects.',
  'remedy-fix-process-json-string': 'Serialize each message once, and write the result without quotes around it.',
  'remedy-fix-process-browser-sign-in':
    'Open the URL that the process wrote to stderr, and sign in. If it stopped waiting, try again afterwards.',
  'remedy-fix-process-exception':
    'The error is in the server or its setup, and the stack trace shows where. Update the server, or report the error to its author.',
  'remedy-fix-process-serves-http': 'Connect to that URL, or start the program with its option for stdio.',
  'remedy-fix-process-on-stderr': 'Write messages to stdout, one per line, and only logs to stderr.',
  'remedy-fix-process-install-prompt':
    'Clients start servers without a terminal. Add -y (--yes) to the arguments of npx, before the package name, or install the package first.',
  'remedy-fix-process-reads-to-end':
    'The program reads stdin to its end (EOF) before it responds, but clients keep stdin open. Read line by line, and respond to each line. In Python, use “for line in sys.stdin”. In Node.js, use readline.',
  'remedy-fix-process-terminal':
    'Clients start servers without a terminal. Run the command once in a terminal and enter what it asks for, or pass it as arguments or variables. With docker run, use -i without -t.',
  'remedy-fix-process-missing-module':
    "Install the program's dependencies in the environment that runs it, such as its virtual environment.",
  'remedy-fix-process-missing-file':
    'Check the path, and the working directory it is relative to. If the program must be compiled, build it first.',
  'remedy-fix-process-missing-package':
    'Check the spelling and the version. A private package needs a sign-in to its registry.',
  'remedy-fix-process-no-executable':
    "Find the name of the program in the package's documentation, and run that program.",
  'remedy-fix-process-missing-program':
    'Install it, or enter its full path: the process gets the PATH that the proxy was started with.',
  'remedy-fix-process-line-endings':
    'Save the script with Unix line endings (LF), for example with dos2unix, and keep them in Git with “* text=auto eol=lf” in .gitattributes.',
  'remedy-fix-process-missing-grant':
    'Add this flag to the command, before the script, or grant only what the error names.',
  'remedy-fix-process-no-stdin':
    'Add -i (--interactive) to the command, before the name of the image or container. Without it, the container engine closes stdin at once and the server ends.',
  'remedy-fix-process-no-network':
    'Check the network, and whether it requires a proxy or a custom certificate (HTTPS_PROXY, NODE_EXTRA_CA_CERTS).',
  'remedy-fix-process-old-runtime':
    'Install the required version, or enter the full path of a runtime of that version.',
  'remedy-fix-process-syntax-error': 'Correct the error that the output of the process shows.',
  'remedy-fix-process-wrong-module':
    'Run the built file rather than its source, and check the version of the runtime. For an ES module, set "type": "module" in package.json, or name the file .mjs.',
  'remedy-fix-process-no-main-class':
    'Run the executable JAR that the build writes, often with -all, -shaded or -exec in its name, or name the class: java -cp FILE CLASS.',
  'remedy-fix-process-library-version':
    'If the function belongs to a library, install the version that the program was tested with, for example from its lock file.',
  'remedy-fix-process-script-policy':
    'Start npx.cmd instead of npx, or allow scripts: Set-ExecutionPolicy -Scope CurrentUser RemoteSigned.',
  'remedy-fix-process-permission': 'Allow access to the file or directory, or make the program executable (chmod +x).',
  'remedy-fix-process-wrong-architecture': 'Install the build for this machine, and reinstall its native modules.',
  'remedy-fix-process-missing-library': 'Install the library, or use a container image that has it.',
  'remedy-fix-process-missing-folder':
    'Create it, or correct the path in the arguments, variables or working directory.',
  'remedy-fix-process-missing-variable':
    'Add it under Environment variables. The process gets only the default safe variables and those you add.',
  'remedy-fix-process-missing-argument': 'Add it to the command. The output of the process usually shows the usage.',
  'remedy-fix-process-unknown-argument':
    'Check the spelling, and whether the argument belongs to the program or to the tool that starts it.',
  'remedy-fix-process-port-in-use':
    'Stop the other program, perhaps an earlier instance of this server, or choose another port.',
  'remedy-fix-process-docker-daemon': 'Start it, and make sure that your user account has access to its socket.',
  'remedy-fix-process-missing-environment':
    'With your version manager, install that version or create the environment. Or enter the full path of another runtime.',
  'remedy-fix-process-registry-refused':
    'Sign in to the registry as the user who runs the proxy (npm login, docker login), or wait until the rate limit resets.',
  'remedy-fix-process-shadowed-package':
    'Rename your file or folder, or start the program from another working directory. Python finds your own files first.',
  'remedy-fix-process-missing-export':
    'Install the version that the program was tested with, for example from its lock file, or correct the import.',
  'remedy-fix-process-no-container': 'Start the container, or check its name.',
  'remedy-fix-process-container-exists':
    'Remove the old container (docker rm -f), or leave out --name. Add --rm so that a container is removed when it exits.',
  'remedy-fix-process-too-many-files':
    'Raise the limit (ulimit -n, or fs.inotify.max_user_watches), or close other programs that watch files.',
  'remedy-fix-process-locked': 'Stop the other process, perhaps an earlier instance of this server.',
  'remedy-fix-process-invalid-config':
    "Fix the error shown in the output of the process. If the program can't parse the messages from Periscope, make it read stdin line by line.",
  'remedy-fix-process-console-encoding':
    'Make the program use UTF-8. For Python, add the environment variable PYTHONUTF8=1.',
  'remedy-fix-process-disk-full': 'Free some space, for example the caches of package managers.',
  'remedy-fix-process-out-of-memory':
    'Give it more memory, or find out what killed it: the system, a container limit or another program.',
  'remedy-fix-process-backend':
    'Start that service, and check the host, port and credentials that the server is given.',
  'remedy-fix-process-rejected-credentials':
    'Check the key or password that the server is given, and whether it has expired.',
  'remedy-fix-process-crash': 'Run the program in a terminal, and report the crash to its author.',
}
