/**
 * The proxy's environment variables that a child inherits (rule 16): enough to find programs, home, temporary files, locale
 * and version managers, but nothing that usually contains secrets. Proxy variables are excluded because they often contain
 * `user:password@`; `npm_*` and `NODE_OPTIONS` because they change what runs. Users can add them.
 */
const POSIX = [
  'HOME',
  'LOGNAME',
  'PATH',
  'SHELL',
  'TERM',
  'USER',
  'LANG',
  'LANGUAGE',
  'TMPDIR',
  'TZ',
  // Paths that version managers' shims need, and paths of certificates.
  'ASDF_DATA_DIR',
  'ASDF_DIR',
  'BUN_INSTALL',
  'FNM_DIR',
  'FNM_MULTISHELL_PATH',
  'MISE_DATA_DIR',
  'NODE_EXTRA_CA_CERTS',
  'NVM_BIN',
  'NVM_DIR',
  'PNPM_HOME',
  'PYENV_ROOT',
  'SSL_CERT_DIR',
  'SSL_CERT_FILE',
  'VOLTA_HOME',
]
const POSIX_PREFIXES = ['LC_', 'XDG_']

const WINDOWS = [
  'ALLUSERSPROFILE',
  'APPDATA',
  'COMMONPROGRAMFILES',
  'COMMONPROGRAMFILES(X86)',
  'COMSPEC',
  'HOMEDRIVE',
  'HOMEPATH',
  'LANG',
  'LOCALAPPDATA',
  'NODE_EXTRA_CA_CERTS',
  'NUMBER_OF_PROCESSORS',
  'NVM_HOME',
  'NVM_SYMLINK',
  'OS',
  'PATH',
  'PATHEXT',
  'PNPM_HOME',
  'PROCESSOR_ARCHITECTURE',
  'PROGRAMDATA',
  'PROGRAMFILES',
  'PROGRAMFILES(X86)',
  'PROGRAMW6432',
  'PUBLIC',
  'SSL_CERT_DIR',
  'SSL_CERT_FILE',
  'SYSTEMDRIVE',
  'SYSTEMROOT',
  'TEMP',
  'TMP',
  'TZ',
  'USERDOMAIN',
  'USERNAME',
  'USERPROFILE',
  'VOLTA_HOME',
  'WINDIR',
]

type Environment = Record<string, string>

export interface EnvironmentOptions {
  /** The user's own variables, which take precedence. */
  readonly env?: Readonly<Record<string, string>> | undefined
  readonly inheritEnv?: boolean | undefined
}

/** @param own the proxy's environment */
export function childEnvironment(
  options: EnvironmentOptions,
  own: NodeJS.ProcessEnv = process.env,
  platform: NodeJS.Platform = process.platform,
): Environment {
  const windows = platform === 'win32'
  const result: Environment = {}
  for (const [name, value] of Object.entries(own)) {
    if (value === undefined) continue
    if (options.inheritEnv || (isSafe(name, windows) && !value.startsWith('()'))) result[name] = value
  }
  for (const [name, value] of Object.entries(options.env ?? {})) {
    // Windows ignores case: with two spellings of PATH, either could win.
    if (windows) {
      for (const other of Object.keys(result)) if (other.toUpperCase() === name.toUpperCase()) delete result[other]
    }
    result[name] = value
  }
  return result
}

/** The names of what a child gets from the proxy's environment, sorted. */
export const inheritedNames = (options: EnvironmentOptions, environment: Environment): string[] =>
  Object.keys(environment)
    .filter((name) => !Object.hasOwn(options.env ?? {}, name))
    .sort()

/** The caller also excludes values that start with `()`, which old shells execute as functions. */
function isSafe(name: string, windows: boolean): boolean {
  if (windows) return WINDOWS.includes(name.toUpperCase())
  return POSIX.includes(name) || POSIX_PREFIXES.some((prefix) => name.startsWith(prefix))
}
