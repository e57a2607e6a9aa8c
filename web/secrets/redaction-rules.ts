/**
 * Which names and patterns are secret, as data. Capture masks by these names; before a session is exported, users see
 * and edit the rules: they can switch off each and add their own. The rule's ID replaces what it removed.
 */

export type RedactionRule = { readonly id: string; readonly off?: boolean } & (
  | {
      readonly kind: 'name'
      /**
       * Words as in `api key`, which also match `apiKey`, `X-API-Key`, `OPENAI_API_KEY`. The last words of a name
       * count.
       */
      readonly names: readonly string[]
      /** `parameter`: only in a query or form; `header`: only in HTTP. Default: everywhere. */
      readonly where?: 'parameter' | 'header'
    }
  /** Names that end like a secret's but aren't secrets. */
  | { readonly kind: 'except'; readonly names: readonly string[] }
  | {
      readonly kind: 'pattern'
      /** A regular expression; every match is removed. */
      readonly pattern: string
      readonly flags?: string
      /** Literals, one of which occurs in every match: texts without any of them aren't searched. */
      readonly hints?: readonly string[]
      /** Removed only if its base64 decodes to `name:secret`. */
      readonly check?: 'pair'
    }
  /** Everything below a JSON pointer into a frame; `*` stands for any single member. */
  | { readonly kind: 'pointer'; readonly pointer: string }
  | { readonly kind: 'value'; readonly value: string }
  /**
   * Texts that look random are reported but never removed: too many IDs and hashes look the same. Entropy in bits per
   * character.
   */
  | { readonly kind: 'entropy'; readonly bits: number }
)

const pattern = (id: string, source: string, hints: readonly string[], flags = ''): RedactionRule => ({
  id: `pattern:${id}`,
  kind: 'pattern',
  pattern: source,
  hints,
  ...(flags ? { flags } : {}),
})

const name = (id: string, ...names: readonly string[]): RedactionRule => ({ id: `name:${id}`, kind: 'name', names })

/** The lists of names are sorted by certainty: the first one that applies is reported. */
export const DEFAULT_REDACTIONS: readonly RedactionRule[] = [
  name(
    'password',
    'password',
    'passwords',
    'passwd',
    'pwd',
    'passphrase',
    'passcode',
    'password confirmation',
    'pass',
    '密码',
    '口令',
  ),
  name(
    'secret',
    ...['secret', 'secrets', 'client secret', 'shared secret', 'signing secret', 'webhook secret', 'app secret'],
  ),
  name(
    'api-key',
    ...[
      'api key',
      'api keys',
      'access key',
      'secret key',
      'private key',
      'private key pem',
      'account key',
      'signing key',
    ],
    ...[
      'shared access key',
      'subscription key',
      'encryption key',
      'master key',
      'functions key',
      'license key',
      '密钥',
    ],
    // AWS: the ID of a key names its account and is only useful together with the key.
    'access key id',
  ),
  name(
    'token',
    ...[
      'token',
      'access token',
      'refresh token',
      'id token',
      'auth token',
      'bearer',
      'jwt',
      'access tokens',
      'api tokens',
    ],
    ...['assertion', 'client assertion', 'software statement', 'code verifier', 'device code', 'user code', '令牌'],
    ...['authorization code', 'auth code', 'auth req id', 'id token hint'],
  ),
  name('authorization', 'authorization', 'proxy authorization', 'authentication', 'dpop', 'x auth'),
  name('credentials', 'credential', 'credentials'),
  name('cookie', 'cookie', 'cookies', 'set cookie'),
  { id: 'name:session', kind: 'name', where: 'header', names: ['session', 'session id', 'sid'] },
  {
    id: 'name:signature',
    kind: 'name',
    where: 'parameter',
    names: ['sig', 'signature', 'amz credential', 'key', 'auth'],
  },
  { id: 'name:code', kind: 'name', where: 'parameter', names: ['code'] },
  {
    id: 'except',
    kind: 'except',
    names: [
      ...['progress token', 'page token', 'next token', 'continuation token', 'continue token', 'sync token'],
      ...['cancellation token', 'max token', 'min token', 'design token', 'eos token', 'bos token', 'pad token'],
      ...[
        'boarding pass',
        'first pass',
        'second pass',
        'single pass',
        'by pass',
        'hall pass',
        'season pass',
        'render pass',
      ],
      ...['unk token', 'mask token', 'sep token', 'cls token', 'stop token', 'end token', 'start token'],
      ...['special token', 'watch token', 'delta token', 'skip token', 'resume token', 'syntax token', 'public key'],
      'allow credentials',
      // A session ID is masked when captured; the rest of it helps to find the session in a server's log.
      'mcp session id',
    ],
  },
  pattern(
    'private-key',
    '-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----[^]*?(?:-----END [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----|$)',
    ['PRIVATE KEY'],
  ),
  pattern('jwt', '\\beyJ[\\w-]{8,}\\.[\\w-]{8,}(?:\\.[\\w-]*){1,3}', ['eyJ']),
  pattern('github', '\\b(?:gh[pousr]_[A-Za-z0-9]{30,255}|github_pat_\\w{22,255})', [
    'ghp_',
    'gho_',
    'ghu_',
    'ghs_',
    'ghr_',
    'github_pat_',
  ]),
  pattern('anthropic', '\\bsk-ant-[\\w-]{20,255}', ['sk-ant-']),
  pattern('openai', '\\bsk-(?!ant-)(?:proj-|svcacct-|admin-|or-v1-)?[\\w-]{20,255}', ['sk-']),
  pattern('aws', '\\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}\\b', ['AKIA', 'ASIA', 'ABIA', 'ACCA']),
  pattern(
    'slack',
    '\\bxox[abeoprs]-[\\w-]{10,255}|\\bxapp-[\\w-]{20,255}|(?<=hooks\\.slack\\.com/(?:services|workflows)/)[\\w/]{20,255}',
    ['xox', 'xapp-', 'hooks.slack.com'],
  ),
  pattern('google', '\\bAIza[\\w-]{35}|\\bya29\\.[\\w-]{20,}|\\bGOCSPX-[\\w-]{20,}', ['AIza', 'ya29.', 'GOCSPX-']),
  pattern('stripe', '\\b(?:[rs]k_(?:live|test)_|whsec_)[A-Za-z0-9+/]{16,255}', ['k_live_', 'k_test_', 'whsec_']),
  pattern('npm', '\\bnpm_[A-Za-z0-9]{36}', ['npm_']),
  pattern('gitlab', '\\bgl(?:pat|dt|rt|cbt|ptt|ft|agent|soat)-[\\w-]{20,255}', [
    'glpat-',
    'gldt-',
    'glrt-',
    'glcbt-',
    'glptt-',
    'glft-',
    'glagent-',
    'glsoat-',
  ]),
  pattern(
    'provider',
    [
      '\\bhf_[A-Za-z0-9]{30,}|\\bSG\\.[\\w-]{16,}\\.[\\w-]{16,}|\\bdo[opr]_v1_[a-f0-9]{64}|\\bpypi-[\\w-]{50,}',
      '\\blin_api_[A-Za-z0-9]{32,}|\\bntn_[A-Za-z0-9]{40,}|\\bshp(?:at|ca|pa|ss)_[a-f0-9]{32}|\\bdapi[a-f0-9]{32}',
      '\\b\\d{8,10}:[\\w-]{35}\\b',
    ].join('|'),
    ['hf_', 'SG.', '_v1_', 'pypi-', 'lin_api_', 'ntn_', 'shpat_', 'shpca_', 'shppa_', 'shpss_', 'dapi', ':AA'],
  ),
  pattern(
    'bearer',
    '(?<=\\b(?:Bearer|DPoP)\\s{1,4})(?=[A-Za-z._~+/-]*\\d)[\\w.~+/-]{16,}={0,2}',
    ['earer', 'EARER', 'DPoP'],
    'i',
  ),
  {
    id: 'pattern:basic',
    kind: 'pattern',
    pattern: '(?<=\\bBasic\\s{1,4})[A-Za-z0-9+/_-]{6,}={0,2}',
    flags: 'i',
    hints: ['asic ', 'ASIC '],
    check: 'pair',
  },
  pattern(
    'userinfo',
    '(?<=\\b[a-z][a-z0-9+.-]{1,30}://[^\\s/?#@:\'"<>]{0,256}:)[^\\s/?#@\'"<>]{1,256}(?=@(?!sha\\d+:)[\\w.[%-])',
    ['://'],
    'i',
  ),
  { id: 'entropy', kind: 'entropy', bits: 3.6 },
]
