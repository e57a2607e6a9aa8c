/** What programs print when they can't be used as a server: one rule per wording, as data for `process-causes.ts`. */

/** How a process frames its messages wrongly (spec basic/transports/stdio). */
export type FramingCause =
  | 'no-newline'
  | 'content-length'
  | 'pretty-json'
  | 'utf-16'
  | 'colour'
  | 'concatenated'
  | 'prefix'
  | 'not-json'
  | 'json-string'

/** Why a process keeps running, but not as a stdio server. */
type RunningCause = 'serves-http' | 'browser-sign-in' | 'install-prompt' | 'terminal' | 'on-stderr' | 'reads-to-end'

/** Why a process ended before it read anything. */
export type StartCause =
  | 'missing-module'
  | 'missing-file'
  | 'missing-package'
  | 'no-executable'
  | 'missing-program'
  | 'line-endings'
  | 'missing-grant'
  | 'no-stdin'
  | 'no-network'
  | 'old-runtime'
  | 'wrong-module'
  | 'no-main-class'
  | 'library-version'
  | 'script-policy'
  | 'syntax-error'
  | 'permission'
  | 'wrong-architecture'
  | 'missing-library'
  | 'missing-folder'
  | 'missing-variable'
  | 'missing-argument'
  | 'unknown-argument'
  | 'port-in-use'
  | 'docker-daemon'
  | 'disk-full'
  | 'missing-environment'
  | 'registry-refused'
  | 'shadowed-package'
  | 'missing-export'
  | 'no-container'
  | 'container-exists'
  | 'too-many-files'

/** Why a process ended, perhaps after it read something. */
type LaterCause =
  | 'out-of-memory'
  | 'backend'
  | 'rejected-credentials'
  | 'locked'
  | 'invalid-config'
  | 'console-encoding'
  | 'crash'
  | 'exception'

export type ProcessCause = FramingCause | RunningCause | StartCause | LaterCause

export interface Rule {
  readonly is: ProcessCause
  /** Its first group that matched is the name. Applied to lines of at most `LINE_READ` characters. */
  readonly line: RegExp
  /** For a pattern without groups. */
  readonly name?: string
  /** Names that the pattern finds but that aren't what is missing. */
  readonly except?: RegExp
  /** Also while the process is running. */
  readonly running?: true
}

const VARIABLE = String.raw`([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)`

const ENVIRONMENT_VARIABLE =
  "[Uu]mgebungsvariable|variables? d['’]environnement|variables? de entorno|variáve(?:l|is) de ambiente|variabil[ei] d['’]ambiente|[Пп]еременн\\p{L}+ (?:среды|окружения)|环境变量|環境變數|環境変数|환경 ?변수"

/** In order of certainty: a rule counts before all later ones, whichever line it fits. */
export const RULES: readonly Rule[] = [
  {
    // The carriage return belongs to the name of the interpreter, or to a command of the script.
    is: 'line-endings',
    line: /env:\s.{0,3}[\w.-]+\\r\b|bad interpreter:.*(?:\^M|\r)|\^M: (?:bad interpreter|(?:command )?not found)|\$'\\r': command not found|\\r['’"]?: (?:(?:command )?not found|[Nn]o such file)|[\w/]\r['’"]?: (?:(?:command )?not found|[Nn]o such file)/,
  },
  {
    // Deno's and Node's permission models name the flag.
    is: 'missing-grant',
    line: /(?:NotCapable|PermissionDenied): Requires .*(--allow-[\w-]+)|ERR_ACCESS_DENIED.*?(--allow-[\w-]+)|API has been restricted.*?(--allow-[\w-]+)/,
  },
  {
    is: 'docker-daemon',
    line: /cannot connect to the docker daemon|is the docker daemon running|docker daemon is not running|error during connect.*docker|cannot connect to podman|unable to connect to podman socket|docker\.sock.*(?:permission denied|no such file)|permission denied.*docker\.sock|Error while fetching server API version|docker desktop is (?:not running|unable to start)|dockerDesktopLinuxEngine/i,
  },
  {
    is: 'no-container',
    line: /No such container:\s*(\S+)|[Cc]ontainer\s+(\S+)\s+is not running|no container with name or ID\s+"([^"]+)"|\(NotFound\): pods?\s+"([^"]+)" not found|service\s+"([^"]+)"\s+is not running|can only create exec sessions on running containers/,
  },
  {
    is: 'container-exists',
    line: /container name\s+"\/?([^"]+)"\s+is already in use/,
  },
  {
    // The limit of watched files has the code of a full disk.
    is: 'too-many-files',
    line: /\bEMFILE\b|\bENFILE\b|too many open files|limit for number of file watchers|inotify (?:watch|instance)(?:es)? limit/i,
  },
  {
    is: 'disk-full',
    line: /\bENOSPC\b|no space left on device|database or disk is full|disk quota exceeded|not enough space on the disk/i,
  },
  {
    is: 'out-of-memory',
    line: /JavaScript heap out of memory|Reached heap limit|OutOfMemoryError|^MemoryError\b|std::bad_alloc|out of memory|Unable to allocate [\d.]+ [KMGT]iB|Allowed memory size of \d+ bytes exhausted|cannot allocate memory|^memory allocation of \d+ bytes failed/i,
  },
  {
    is: 'registry-refused',
    line: /npm (?:ERR!|error) code E(?:401|403|NEEDAUTH|OTP)\b|ERR_PNPM_FETCH_40[13]|toomanyrequests:|pull rate limit|HTTP status client error \((?:401|403).*\/simple\/|(?:401|403) Client Error:.*\/simple\/|no basic auth credentials/,
  },
  {
    is: 'missing-package',
    line: /(?:npm (?:ERR!|error)|E)\s*404\s+(?:Not Found\s*)?.*?['‘"]?([@\w./-]+@[^\s'’"]+)['’"]?\s+is not in (?:this|the npm) registry/i,
  },
  {
    is: 'missing-package',
    line: /(?:npm (?:ERR!|error)|ERR_PNPM\w*)\s.*No matching version found for\s+(\S+?)\.?(?:\s|$)/i,
  },
  {
    is: 'missing-package',
    line: /(?:npm (?:ERR!|error) 404|ERR_PNPM_FETCH_404|^error: GET(?= https?:.* 404)).*?(?:https?:\/\/[^/\s]+\/)([^\s:]+?)(?::|\s|$)/i,
  },
  {
    is: 'missing-package',
    line: /ERR_PNPM_(?:NO_MATCHING_VERSION|FETCH_404)|npm (?:ERR!|error) code E(?:404|TARGET)\b/,
  },
  {
    is: 'missing-package',
    line: /Because\s+(\S+)\s+was not found in the (?:package registry|cache|provided package locations)/i,
  },
  {
    is: 'missing-package',
    line: /(?:Because )?there is no version of\s+(\S+?)(?:,|\s|$)|no versions? of\s+(\S+)\s+(?:exists?|were found|match)/i,
  },
  { is: 'missing-package', line: /No matching distribution found for\s+(\S+)|satisfies the requirement\s+(\S+)/i },
  {
    is: 'missing-package',
    line: /pull access denied for\s+([^\s,]+)|manifest for\s+(\S+)\s+not found|manifest unknown|repository\s+(\S+)\s+not found: does not exist|(?:initializing source|unable to copy from source)\s+docker:\/\/([^\s:]+(?::[\w.-]+)?).*(?:manifest unknown|denied|not found)|short-name\s+"([^"]+)"\s+did not resolve|failed to resolve reference\s+"([^"]+)".*not found/i,
  },
  {
    // Registries of images say so of images that don't exist as well, which the rules before this one name.
    is: 'registry-refused',
    line: /unauthorized: authentication required|denied: requested access to the resource is denied/,
  },
  {
    is: 'missing-package',
    line: /error: package\s+["'`]?(\S+?)["'`]?\s+(?:not found|does not exist)|error: (?:No version matching|package)\s+"[^"]*"\s+(?:found for specifier\s+)?"?([^"\s]*)|could not find\s+`([^`]+)`\s+in registry|JSR package not found:\s+(\S+)|npm package\s+"([^"]+)"\s+does not exist|(?:unable to find package|NU1101:\s+Unable to find package)\s+([\w.-]+?)\.?(?:\s|$)|Could not find a valid gem\s+'([^']+)'|module\s+(\S+?):?\s+(?:.*)(?:404 Not Found|not found: module|no matching versions)|Could not find package\s+(\S+)/i,
  },
  {
    is: 'no-executable',
    line: /could not determine executable to run|executable script not found in package|An executable named\s+[`'"]([^`'"]+)[`'"]\s+is not provided|package\s+\S+\s+does not provide any executables|No executables are provided by|No apps associated with package\s+(\S+)|ERR_PNPM_DLX_NO_BIN|could not determine executable|no binar(?:y|ies) (?:found|available)|does not contain a (?:valid )?(?:tool|command)|there is nothing to install in/i,
  },
  {
    is: 'no-network',
    line: /(?:npm (?:ERR!|error)|ERR_PNPM\w*|error An unexpected error|\bFetchError\b|\[TAR\]|WARN).*\b(?:EAI_AGAIN|ENOTFOUND|ETIMEDOUT|ECONNRESET|ECONNREFUSED|ERR_SOCKET_TIMEOUT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_\w+|CERT_\w+|network)\b/,
  },
  {
    is: 'no-network',
    line: /(?:failed to (?:fetch|download)|error sending request for url|could not connect, are you offline|could not fetch URL|max retries exceeded).*(?:pypi|simple|registry|files\.pythonhosted|npm|crates|jsr|https?:)/i,
  },
  {
    is: 'no-network',
    line: /(?:lookup|dial tcp)\s.*(?:registry|proxy\.golang|docker|ghcr|quay).*(?:no such host|timeout|refused|unreachable)|client error \(Connect\)|registry[^\n]*(?:no such host|server misbehaving|i\/o timeout|TLS handshake timeout)|spurious network error|ConnectionRefused downloading|Unable to load the service index for source/i,
  },
  {
    is: 'no-network',
    line: /(?:pip\._vendor|urllib3)\S*\s*.*(?:Name or service not known|Temporary failure in name resolution|NewConnectionError|ConnectTimeoutError)/,
  },
  { is: 'shadowed-package', line: /No module named\s+'[^']+'; '([^']+)' is not a package/ },
  { is: 'missing-module', line: /Cannot find (?:module|package)\s+['"]((?!\.{0,2}\/|[A-Za-z]:\\|file:)[^'"]+)['"]/ },
  {
    is: 'missing-module',
    // New in the standard library: another Python has it.
    except: /^(?:tomllib|zoneinfo|graphlib)$/,
    line: /ModuleNotFoundError: No module named\s+['"]?([\w.-]+)|^(?:\S*python\S*|\S+):\s*No module named\s+['"]?([\w.-]+)|ImportError: No module named\s+['"]?([\w.-]+)|Error while finding module specification for\s+['"]([^'"]+)/,
  },
  {
    is: 'missing-module',
    line: /cannot load such file -- (\S+)|Could not find gem '([^']+)'|Could not find\s+(\S+)\s+in (?:any of the sources|locally installed gems)|Could not find '([^']+)' .*among \d+ total gem/,
  },
  {
    is: 'missing-module',
    line: /no required module provides package\s+(\S+?);|cannot find package\s+"([^"]+)"|package\s+(\S+)\s+is not in (?:std|GOROOT)|ClassNotFoundException:\s+(\S+)|NoClassDefFoundError:\s+(\S+)|Could not find or load main class\s+(\S+)/i,
  },
  {
    is: 'missing-module',
    line: /Could not load file or assembly\s+'([^',]+)|Class\s+["']([^"']+)["']\s+not found|unresolved import\s+`([^`]+)`|Relative import path\s+"([^"]+)"\s+not prefixed|Cannot resolve module\s+"([^"]+)"|Could not resolve:?\s+"((?!\.)[^"]+)"|Import\s+"([^"]+)"\s+not a dependency/,
  },
  {
    is: 'missing-module',
    line: /ImportError: cannot import name\s+['"](\w+)['"](?! from 'typing')|ERR_PACKAGE_PATH_NOT_EXPORTED|Failed opening required\s+'([^']*vendor[^']*)'/,
  },
  {
    is: 'missing-file',
    line: /Cannot find (?:module|package)\s+['"]((?:\.{0,2}\/|[A-Za-z]:\\|file:)[^'"]+)['"]|can't open file\s+['"]?([^'":]+(?::\\[^'":]+)?)['"]?\s*:|Unable to access jarfile\s+(.+)|Module not found\s+["']([^"']+)["']|Could not open input file:\s+(\S+)/,
  },
  {
    is: 'missing-file',
    line: /No such file or directory -- (\S+)|MSB1009|MSB1003|Couldn't find a project to run|The provided file path does not exist:\s+(\S+)|Could not find a part of the path\s+'([^']+)'|could not find\s+`(Cargo\.toml)`|stat\s+(\S+\.go):\s+no such file|no (?:Go files|go\.mod file)(?: found)? in\s*(\S*)|go: go\.mod file not found|No `project` table found|Could not read (package\.json)|(?:ENOENT).*'?(\S*package\.json)'?|Script not found\s+"([^"]+)"|Missing script:\s+"([^"]+)"|(?:^|\s)(?:ba|z|da)?sh:\s+(?:\d+:\s+)?(?:cannot open\s+)?(\S+\.\w+):\s*No such file|(?:ba|z|da)?sh:\s+(?:line \d+:\s+)?(\S*\/\S+):\s*(?:No such file or directory|not found)|The application to execute does not exist:\s+'([^']+)'|The specified executable .*does not exist|error: unable to find file\s+(\S+)/,
  },
  {
    is: 'missing-environment',
    line: /pyenv: version\s+[`'"]?(\S+?)['"]?\s+is not installed|[Cc]ould not find conda environment:\s+(\S+)|No version is set for command\s+(\S+)|No preset version installed for command\s+(\S+)|version\s+"([^"]+)"\s+is not yet installed|Python interpreter not found at\s+[`'"](\S+?)[`'"]|[Bb]roken (?:Python )?(?:environment|virtualenv)|failed to locate pyvenv\.cfg/,
  },
  {
    is: 'missing-program',
    name: 'Java',
    line: /Unable to locate a Java Runtime|JAVA_HOME is not set and no 'java' command|JAVA_HOME is not defined correctly/,
  },
  { is: 'missing-program', name: 'Python', line: /gyp ERR! find Python|Could not find any Python installation/ },
  {
    is: 'missing-program',
    line: /Executable doesn't exist at\s+(\S+)|[Cc]ould not find (?:expected )?browser\b|Could not find executable\s+"([^"]+)"/,
  },
  {
    is: 'missing-file',
    line: /could not find a (pyproject\.toml) file in|no (configuration file) provided: not found|^The system cannot find the (?:file|path) specified/i,
  },
  {
    is: 'missing-program',
    line: /\b(\w+) executable not found|env:\s*[‘'"`]?([^\s’'"`:]+)[’'"`]?:\s*No such file or directory|command not found:\s*(\S+)|(?:^|\s)([^\s:]+):\s*(?:command )?not found\s*$|(?:^|\s)['"]?([^'"\s]+)['"]?\s+is not recognized as (?:an internal|the name|a name)|The term\s+['"]([^'"]+)['"]\s+is not recognized|(?:ba|z|da)?sh:\s+(?:\d+|line \d+):\s+(\S+):\s*not found|exec:?\s*"?([^\s":]+)"?:\s*(?:executable file not found|not found)|bad interpreter|No interpreter found for\s+(.+?)(?:\s+in\s|$)|Failed to spawn:?\s*[`'"]?([^`'"]+)[`'"]?|spawn\s+(\S+)\s+ENOENT|Python was not found; run|npm.*Unknown command:?\s+"([^"]+)"|no such command:\s+`([^`]+)`|executable (?:file )?`([^`]+)` not found/i,
  },
  {
    is: 'missing-library',
    line: /error while loading shared libraries:\s*([^\s:]+)|cannot open shared object file|Library not loaded:\s*(\S+)|DLL load failed|(?:^|\s)((?=\S*\.(?:so|dll|dylib))\S+?):?\s+(?:cannot open|was not found)|Unable to load (?:shared library|DLL)\s+'([^']+)'|Error relocating|libc\.musl|image not found/i,
  },
  { is: 'old-runtime', line: /^\s*Framework: ('[^']+', version '[^']+')/ },
  {
    is: 'old-runtime',
    name: 'Java',
    line: /UnsupportedClassVersionError|compiled by a more recent version of the Java/,
  },
  {
    is: 'old-runtime',
    line: /version [`']?(GLIBC(?:XX)?_[\d.]+)'? not found|current Python version .* does not satisfy\s+(Python\S*?),?(?:\s|$)|requires (?:a different )?(Python\s*[<>=!~]*\s*[\d.]+)|requires-python.*([<>=]+\s*[\d.]+)|Requires-Python\s*([<>=][^\s;]*)|(Python\s*[<>=]*\s*\d[\d.]*\+?)\s*(?:or (?:higher|newer|later|above))?\s*(?:is )?required|requires (?:at least )?(Node(?:\.js)?\s+(?:version\s+)?[v<>=^~]*\s*\d[\d.x]*)|(Node(?:\.js)?\s+(?:version\s+)?[v<>=^~]*\s*\d[\d.]*\+?)(?:[^.]{0,40})(?:is )?required|EBADENGINE|Unsupported engine|incompatible with this (?:module|version)/i,
  },
  {
    is: 'old-runtime',
    name: 'Python',
    line: /unsupported operand type\(s\) for \|: 'type'|'type' object is not subscriptable|module 'typing' has no attribute|cannot import name '\w+' from 'typing'|No module named '?(?:tomllib|zoneinfo|graphlib)\b/,
  },
  {
    is: 'old-runtime',
    name: 'Node.js',
    line: /TypeError: (?:globalThis\.fetch|(?:globalThis\.)?structuredClone) is not a function|ReferenceError: (?:fetch|structuredClone|WebSocket|File|Headers|ReadableStream|crypto|AbortController|CustomEvent) is not defined|SyntaxError: Unexpected token (?!.*\bJSON\b)'?(?:\?\?=|\?\.|\|\|=|&&=|\?|#\w*)'?|module '?node:\S+ does not provide an export named|No such built-in module:\s*node:\S+|ERR_UNKNOWN_BUILTIN_MODULE|bad option:\s*--(?:import|env-file)\S*/,
  },
  {
    is: 'old-runtime',
    line: /You must (?:install or update|install) \.NET|(?:The framework|Framework:)\s+'([^']+)'.*(?:not found|was not found)|go:?\s.*requires go\s*>=?\s*([\d.]+)|rustc\s+[\d.]+\s+(?:is not supported|or newer)|requires rustc\s+([\d.]+)|Your Ruby version is|requires? PHP|PHP version\s+"?([<>=^~\d.\s]+)"?/,
  },
  {
    is: 'library-version',
    line: /got an unexpected keyword argument|AttributeError: module\s+'([^']+)' has no attribute|NoSuchMethodError(?!: The )|AbstractMethodError/,
  },
  {
    is: 'missing-export',
    line: /requested module '(?!node:|\.|\/)([^']+)' does not provide an export/,
  },
  { is: 'library-version', name: 'PHP', line: /Call to undefined function/ },
  { is: 'script-policy', line: /running scripts is disabled|cannot be loaded because running scripts/ },
  {
    is: 'wrong-architecture',
    line: /Exec format error|cannot execute binary file|Bad CPU type in executable|wrong ELF class|not a valid Win32 application|incompatible architecture|does not match the detected host platform|is not compatible with the version of Windows|Unsupported platform for|EBADPLATFORM|ERR_DLOPEN_FAILED|invalid ELF header|mach-o, but wrong architecture|no matching manifest for/i,
  },
  {
    is: 'no-main-class',
    line: /no main manifest attribute, in (.+)|Failed to load Main-Class manifest attribute from/,
  },
  {
    // Source that the runtime doesn't load as it is: TypeScript, or a module of the other kind.
    is: 'wrong-module',
    line: /Unknown file extension|Cannot use (?:import statement|'import\.meta') outside a module|Unexpected token '?export\b|require is not defined in ES module scope|ERR_REQUIRE_ESM|exports is not defined in ES module|TSError|error TS\d+/i,
  },
  {
    is: 'syntax-error',
    line: /^\s*(?:\w+:\s+)?(?:Uncaught\s+)?(?:SyntaxError|IndentationError|TabError):|PHP Parse error|Parse error: syntax error|syntax error,? unexpected|(?:ba|z|da)?sh:.*syntax error|error: expected one of|error\[E\d+\]|\.go:\d+:\d+: (?:syntax error|undefined)|error CS\d+:|error: could not compile `|Transform failed with \d+ error|The module's source code could not be parsed|EJSONPARSE/i,
  },
  {
    is: 'unknown-argument',
    line: /unrecognized arguments?:\s*(\S+)|unknown (?:option|flag|argument|command)[:\s]+['"`]?(-{0,2}[^\s'"`,]+)|unexpected argument\s+['"`]?([^\s'"`]+)|[Nn]o such (?:option|command):?\s+['"]?([^\s'".]+)|flag provided but not defined:\s*(\S+)|unknown (?:shorthand )?flag:\s+(.+)|[Uu]nrecognized (?:option|command|argument)s?[:\s]+['"`]?([^\s'"`]+)|invalid option\s*(?:--|:)?\s*['"]?(\S+?)['"]?$|[Uu]nknown (?:arguments?|options?):\s*(\S+)|bad option:\s*(\S+)|Unexpected (?:option|argument)[:\s]+['"]?([^\s'"]+)|illegal option -- (\S)|invalid choice:\s+['"]?([^\s'"]+)|not a recognized (?:option|command)|Found argument\s+'([^']+)'|Got unexpected extra arguments?\s+\((.+)\)|[Ii]nvalid (?:command-line )?(?:option|argument)[:\s]+['"]?(-\S+?)['"]?(?:\s|$)/,
  },
  {
    is: 'missing-argument',
    line: /the following arguments are required:\s*(.+)|[Mm]issing required (?:argument|option|parameter|flag)s?:?\s*(.*)|missing (?:argument|option|parameter)s?:?\s*(.*)|required (?:option|argument|flag)(?:\(s\))?\s+["'`]?(.+?)["'`]?\s+(?:not (?:specified|set|provided)|is missing|was not)|required arguments? (?:were|was) not provided|accepts (?:at least )?\d+ arg\(s\), (?:only )?received|requires at least \d+ arg|Not enough (?:non-option )?arguments|expected one argument|argument\s+(\S+):\s+expected|at least one .*(?:argument|directory|path|required)|required flag\(s\)\s+"([^"]+)"|one of the arguments\s+(.+)\s+is required|(?:please|must) (?:provide|specify|pass) (?:a|an|the|at least)\b(?!.*\b(?:variable|key|token)\b)\s*(.{0,60})|(?:a )?value is required for '([^']+)'|option\s+['"`]?(\S+?)['"`]?\s+(?:requires an argument|argument missing|is required)/i,
  },
  {
    is: 'port-in-use',
    line: /EADDRINUSE.*?:(\d{2,5})\b|EADDRINUSE|(?:bind\w*|listen)\b.*?[:,]\s*(\d{2,5})\D.*(?:address already in use|port is already allocated)|address already in use|[Pp]ort\s+(\d{2,5})\s+(?:is |was )?(?:already |currently )?(?:in use|allocated|taken|used|occupied|being used)|Only one usage of each socket address|port is already allocated|\[Errno (?:48|98)\]|WSAEADDRINUSE/,
  },
  {
    is: 'rejected-credentials',
    line: /\b401\b[^\n]{0,60}(?:unauthori[sz]ed|invalid|bad credentials|authenticat|key|token)|(?:unauthori[sz]ed(?!Access)|bad credentials|authentication (?:failed|error)|authenticationerror)|(?:invalid|incorrect|wrong|expired|revoked|malformed|rejected)\s+(?:\w+\s+){0,3}(?:api[ _-]?key|token|credentials?|password|secret|access key)|(?:api[ _-]?key|token|credentials?|password)\s+(?:\w+\s+){0,3}(?:is |was |has )?(?:been )?(?:invalid|incorrect|expired|revoked|rejected|not valid)|password authentication failed|access denied for user|invalid_auth|InvalidClientTokenId|SignatureDoesNotMatch|WRONGPASS|token_expired|403 Forbidden|ExpiredToken|security token included in the request is (?:expired|invalid)|Reauthentication is needed|license (?:key )?(?:has )?(?:expired|is invalid)|Permission denied \((?:publickey|password)/i,
  },
  {
    is: 'missing-variable',
    line: new RegExp(
      String.raw`(?:KeyError:\s*['"]|environment variable(?:s)?(?: not found)?:?\s+['"\x60]?|env(?:ironment)? var(?:iable)?(?:s)?\s+['"\x60(]*|key not found:\s*['"]|os\.environ\[['"]|process\.env\.)${VARIABLE}`,
    ),
    except: /^(?:NODE|NPM|ERR)_/,
  },
  {
    is: 'missing-variable',
    line: new RegExp(
      String.raw`['"\x60$]?\b${VARIABLE}\b['"\x60]?[^\n]{0,80}\b(?:required|is not set|not set|isn't set|unset|missing|must be|undefined|not (?:defined|provided|found|configured|specified|present)|is empty|cannot be (?:empty|blank)|needs to be|expected|unbound variable|parameter (?:not set|null))`,
    ),
    except: /^(?:NODE|NPM|ERR)_/,
  },
  {
    is: 'missing-variable',
    line: new RegExp(
      String.raw`\b(?:[Mm]issing|[Pp]lease (?:set|provide|export|define|configure)|[Ss]et|[Mm]ust (?:set|provide|define)|[Rr]equires?|[Rr]equired|[Uu]ndefined|[Ee]xport|[Pp]rovide|[Dd]efine|NotPresent|[Nn]o)\b[^\n]{0,80}?\b${VARIABLE}\b`,
    ),
    except: /^(?:NODE|NPM|ERR)_/,
  },
  {
    // The same in German, French, Spanish, Portuguese, Italian, Russian, Chinese, Japanese and Korean.
    is: 'missing-variable',
    line: new RegExp(String.raw`(?:${ENVIRONMENT_VARIABLE})[^\n]{0,40}?(?<![A-Z0-9_])${VARIABLE}(?![A-Z0-9_])|(?<![A-Z0-9_])${VARIABLE}(?![A-Z0-9_])[^\n]{0,40}?(?:${ENVIRONMENT_VARIABLE})`, 'u'), // prettier-ignore
    except: /^(?:NODE|NPM|ERR)_/,
  },
  {
    is: 'missing-variable',
    line: /validation errors? for \w*(?:Settings|Config|Env\w*)$|environment variable not found|(?:api[ _-]?key|access token|auth token|bot token|credentials?)\b[^\n]{0,60}\b(?:is required|are required|not set|is missing|not (?:provided|found|configured)|must be (?:set|provided)|isn't set)|(?:missing|no|provide (?:a|an|your)|requires? (?:a|an))\s+(?:\w+\s+){0,2}(?:api[ _-]?key|access token|auth token|bot token)\b|The api_key client option must be set|Unable to locate credentials|default credentials were not found|Could not resolve placeholder\s+'|[Ii]nvalid environment variables?\b/i,
  },
  {
    is: 'permission',
    line: /\bEROFS\b[^\n]*?['"]([^'"]+)['"]|[Rr]ead-only file system:?\s*['"]?([^'"\s]*)|(?:EACCES|EPERM)[^\n]*?,?\s*(?:\w+\s+)?['"]([^'"]+)['"]|PermissionError:.*?:\s*['"]([^'"]+)['"]|(?:^|\s)((?=[^\s:]*[\\/.])[^\s:]+):\s*[Pp]ermission denied|(?:^|\s|:)(?:open|mkdir|stat|exec|fork\/exec|read)\s+([^\s:]+):\s*permission denied|(?:Access to the path|Access denied:?)\s+'?([^']+)'?\s*(?:is denied)?|\bEACCES\b|\bEPERM\b|[Pp]ermission denied|[Aa]ccess is denied|[Oo]peration not permitted|NotCapable: Requires\s+(.+?)(?:,|$)/,
  },
  {
    is: 'missing-folder',
    line: /ENOENT[^\n]*?['"]([^'"]+)['"]|(?:FileNotFoundError|NotADirectoryError):.*?:\s*['"]([^'"]+)['"]|FileNotFoundError|ENOTDIR[^\n]*?['"]([^'"]+)['"]|Error accessing director(?:y|ies):?\s*(\S+)|(?:[Dd]irectory|[Ff]older|[Pp]ath|[Ff]ile)\s+['"`]?((?=[^\s'"`]*[\\/])[^\s'"`]+)['"`]?\s+(?:does not exist|doesn't exist|not found|is not a directory|was not found)|(?:^|\s)((?=[^\s:]*[\\/])[^\s:]+):\s*[Nn]o such file or directory|(?:open|stat|chdir(?: to)?|lstat|readdir|cd)[\s:]+['"]?([^\s:'"]+)['"]?:\s*(?:no such file|[Nn]ot a directory|The system cannot find|[Cc]an't cd)|Could not find (?:file|a part of the path)\s+'([^']+)'|NoSuchFileException:\s*(\S+)|Errno::ENOENT[^-]*(?:- (\S+))?|bind source path does not exist:\s*(\S+)|unable to open database file|No such file or directory \(os error 2\)|is not a (?:valid )?directory:?\s*(\S*)|None of the specified directories|Failed to open stream: No such file|(?:does not exist|not found|no such (?:file|directory)):\s*['"]?((?=[^\s'"]*[\\/])[^\s'"]+)|(?:Working )?directory does not exist|not a git repository|['"]((?=[^'"]*[\\/])[^'"]+)['"] does not exist/,
  },
  {
    is: 'locked',
    line: /database (?:file )?is locked|SQLITE_BUSY|(?:could not|unable to|failed to|cannot) (?:acquire|obtain|get)\s+(?:\w+\s+){0,3}lock\b|another (?:instance|process) (?:of \S+ )?is (?:already )?(?:running|using)|(?:instance|server|process) is already running|EBUSY\b|being used by another process/i,
  },
  {
    is: 'backend',
    line: /(?:ECONNREFUSED|ETIMEDOUT|EHOSTUNREACH|ECONNRESET)\s+(?:connect\s+)?([\w.:[\]-]+:\d+)|(?:ENOTFOUND|EAI_AGAIN)\s+(\S+)|connection to server at\s+"?([^"\s,]+)"?(?:.*?port\s+(\d+))?|dial tcp\s+(\S+?):?\s+(?:connect|i\/o|lookup)|dial tcp: lookup\s+(\S+)|could not connect to server|Can't connect to (?:local )?(?:MySQL|server)[^']*(?:'([^']+)')?|Connection to\s+(\S+)\s+refused|Error\s+\d+\s+connecting to\s+([\w.:-]+)|Failed to connect to\s+(\S+)|ServerSelectionTimeoutError:?\s*([\w.:-]+)?|MongoServerSelectionError|ConnectionRefusedError|ConnectError|Max retries exceeded|Connection refused|could not translate host name\s+"([^"]+)"|getaddrinfo (?:ENOTFOUND|EAI_AGAIN)\s+(\S+)|CommunicationsException|Communications link failure|Redis connection to\s+(\S+)\s+failed|NewConnectionError|Name or service not known|No connection could be made because the target machine|error sending request for url \(([^)]+)\)/,
  },
  {
    // With UTF-8, the text itself is at fault.
    is: 'console-encoding',
    line: /Unicode(?:En|De)codeError: '(?!utf-?8')([\w-]+)' codec can't (?:en|de)code/,
  },
  {
    is: 'invalid-config',
    line: /(?:JSONDecodeError|json\.decoder\.\w+|(?:toml|tomllib|tomli)\S*DecodeError|yaml\.\w+\.\w+Error|YAMLException|YAMLParseError|configparser\.\w+Error|TomlError|(?<![\w.])toml: |yaml: (?:line|unmarshal))/,
  },
  {
    is: 'crash',
    line: /overflowed its stack|[Ss]egmentation fault|^panic:|panicked at|[Aa]borted|[Bb]us error|[Ii]llegal instruction|SIG(?:SEGV|ABRT|BUS|ILL)\b|fatal error: |Fatal Python error|^#\s*Fatal error in|core dumped|EXCEPTION_ACCESS_VIOLATION|Access violation|SIGFPE|double free|stack smashing|Stack overflow|Unhandled exception\. /,
  },
  {
    // The problems of a schema: each name is on a line of its own.
    is: 'missing-variable',
    line: new RegExp(String.raw`^\s*"${VARIABLE}"\s*,?$`),
    except: /^(?:NODE|NPM|ERR)_/,
  },
  { is: 'missing-argument', line: /^\s*[Uu]sage:\s+(\S.*)/ },
  // A list of commands, of which one was expected.
  { is: 'missing-argument', line: /^\s{1,8}(stdio)(?:\s{2,}|\s*$)/ },
  { is: 'missing-argument', line: /^(?:USAGE|Usage|Available [Cc]ommands|Commands|COMMANDS|Subcommands):\s*$/ },
  {
    is: 'browser-sign-in',
    line: /\bauthori[sz]e this (?:client|app\w*|device) (?:by visiting|at)\b|\b(?:open|visit|copy and paste)\b[^\n]{0,40}\b(?:url|link|page)\b[^\n]{0,60}\b(?:browser|to (?:authenticate|authori[sz]e|log ?in|sign ?in))\b|\bwaiting for (?:the )?(?:auth\w*|log-?in|sign-?in)\b[^\n]{0,40}\b(?:browser|callback)\b/i,
    running: true,
  },
  {
    // npm asks so, and npx and npm exec with it.
    is: 'install-prompt',
    line: /^(?:Need to install the following packages:\s*|.*\bOk to proceed\?\s*\(y\))/i,
    running: true,
  },
  {
    is: 'terminal',
    line: /Host key verification failed|sudo: a password is required|input device is not a TTY|inappropriate ioctl for device|(?:stdin|input|output|stdout) is not a (?:terminal|tty)|a terminal is required|not a tty\b|must be run (?:in|from) (?:a|an interactive) terminal|EOFError: EOF when reading a line|setRawMode is not a function|Raw mode is not supported|prompts? can ?not be .*non-?interactive|requires? an? (?:interactive )?(?:terminal|tty)|non-interactive (?:terminal|shell|mode)|Warning: Input is not a terminal|ENOTTY|GetPassWarning|could not read (?:Username|Password)|ERR_TTY_INIT_FAILED|The handle is invalid|interactive (?:login|mode|session|prompt)[^\n]{0,40}(?:not (?:available|possible|supported))/i,
    running: true,
  },
  {
    is: 'terminal',
    line: /\(y(?:es)?\/n(?:o)?\)|\[y(?:es)?\/n(?:o)?\]|ok to proceed\?|press (?:any key|enter|return)|^\s*(?:enter|please enter|type|input|choose|select|username|login|password|passphrase|e-?mail|api[ _]?key|user(?:name)? for|password for)\b[^\n]{0,80}[:?>]\s*$|^\s*\?\s.+(?:\(.*\)|›|:)\s*$|^(?:>>>|>|\(Pdb\)|In \[\d+\]:)\s*$|Type "help", "copyright"|Type "\.help" for|Welcome to Node\.js|verify .*(?:code|device)\b[^\n]{0,60}https?:|(?:open|visit) .*https?:\S+.*(?:to (?:authenticate|authori[sz]e|log ?in|sign ?in)|enter the code)/i,
    running: true,
  },
]
