/** The texts of a running sign-in. English is the source of all translations. */
import type { AuthStep } from '../../mcp/index.ts'
import type { Difference } from '../model/index.ts'
import type { Blame } from '../advice/index.ts'

const NAMES: Readonly<Record<AuthStep, string>> = {
  challenge: '401 with WWW-Authenticate',
  'resource-metadata': 'Protected resource metadata',
  'authorization-server': 'Authorization server',
  'server-metadata': 'Authorization server metadata',
  registration: 'Client registration',
  preparation: 'PKCE, state, resource',
  authorization: 'Your consent',
  callback: 'Callback: state, iss, code',
  assertion: 'Assertion',
  token: 'Token',
  use: 'Connect with the token',
  refresh: 'Refresh',
  revocation: 'Revocation',
}

const ABOUT: Readonly<Record<AuthStep, string>> = {
  challenge:
    'Sends a request without a token. If a sign-in is required, the server responds with 401 and a WWW-Authenticate header that points to its metadata.',
  'resource-metadata':
    'Lists the authorization servers whose tokens the MCP server accepts, and the scopes it supports.',
  'authorization-server': 'The authorization server to sign in with, chosen from those the MCP server lists.',
  'server-metadata':
    'Lists the endpoints for registration, authorization and tokens. Its issuer must match the requested issuer exactly.',
  registration:
    'Identifies this client to the authorization server: by a client ID you enter, a metadata document URL, or dynamic registration.',
  preparation:
    'Prepares the authorization request: a new code challenge and state, the scopes, and the resource the token is for.',
  authorization: "You sign in and agree in a window of the authorization server. Periscope can't see into it.",
  callback:
    'The browser returns with the authorization response. Before using its code, Periscope checks that the response belongs to this sign-in and comes from the expected issuer.',
  assertion:
    "Uses a workload's JWT, or a grant from your organization's identity provider, instead of a user's sign-in.",
  token:
    'Requests tokens with the code and its code verifier, or with the credentials or assertion of another grant. A code works only once.',
  use: 'Inspects the token, then connects to the MCP server with it or continues the open session.',
  refresh: 'Exchanges the refresh token for new tokens.',
  revocation: 'Asks the authorization server to revoke the tokens.',
}

const BLAME: Readonly<Record<Blame, string>> = {
  server: 'MCP server',
  'authorization-server': 'authorization server',
  either: 'MCP server or authorization server',
  browser: 'browser',
  user: 'you',
  unknown: 'unknown',
  client: 'Periscope',
}

const DIFFERENCE: Readonly<Record<Difference, string>> = {
  slash: 'They differ only in the trailing slash, which matters.',
  case: 'They differ only in letter case, which matters.',
  space: 'They differ only in whitespace, which matters.',
  port: 'They differ only in the default port, which matters.',
  percent: 'They differ only in percent-encoding, which matters.',
  other: 'The first difference is marked.',
}

export default {
  // The list of steps.
  steps: 'Steps',
  stepName: (step: AuthStep) => NAMES[step] ?? step,
  aboutStep: (step: AuthStep) => ABOUT[step] ?? '',
  grant: (grant: string) =>
    ({
      'authorization-code': 'authorization code',
      'client-credentials': 'client credentials',
      enterprise: 'enterprise-managed',
      workload: 'workload',
    })[grant] ?? grant,
  rulesOf: (revision: string) => `rules of ${revision}`,
  why: (why: string) =>
    ({ asked: 'started by you', unauthorized: 'after a 401', 'insufficient-scope': 'for additional scopes' })[why] ??
    why,
  statePlanned: 'not started',
  stateKnown: 'done before the page was reloaded',
  stateRunning: 'in progress…',
  stateWaiting: 'waiting for you',
  stateOk: 'done',
  stateForced: 'continued despite a problem',
  stateFailed: 'failed',
  stateUndone: 'reverted',
  stateYourTurn: 'waiting for you',
  nthTry: (count: number) => `attempt ${count}`,
  outcomeAuthorized: 'Signed in',
  outcomeFailed: 'Sign-in failed',
  outcomeCancelled: 'Sign-in cancelled',
  briefStatus: (status: number) => `HTTP ${status}`,
  briefOffered: (count: number) => `${count} usable`,
  briefNth: (place: number, of: number) =>
    of === 1 ? 'found' : `found at the ${['1st', '2nd', '3rd'][place - 1] ?? `${place}th`} of ${of} URLs`,
  briefHeaderHidden: 'header hidden from pages',
  briefHeaderMissing: 'header missing',
  briefHeaderMalformed: 'malformed header',
  briefNotBearer: 'no Bearer challenge',
  briefFromHeader: 'from the header · RFC 9728',
  briefFromPath: 'well-known URL with path · RFC 9728',
  briefFromRoot: 'well-known URL at the root · RFC 9728',
  briefCovers: 'for an equivalent URL or parent path',
  briefOtherResource: 'for another resource',
  briefOwnServer: 'the server itself',
  briefByHand: 'entered manually',
  briefIssuerMatches: 'issuer matches',
  briefIssuerDiffers: 'issuer differs',
  briefDefaults: 'default endpoints',
  briefKnownClient: 'registered before',
  briefRegistered: 'registered',
  briefDocument: 'metadata document',
  briefNoPkce: 'PKCE not advertised',
  briefNoScope: 'scope omitted',
  briefStateMatches: 'state matches',
  briefStateDiffers: 'state differs',
  briefIssMatches: 'iss matches',
  briefIssDiffers: 'iss differs',
  briefIssMissing: 'iss missing',
  briefFewerScopes: 'fewer scopes than requested',
  briefRotated: 'refresh token replaced',
  briefNotRotated: 'same refresh token',
  briefRevoked: 'revoked',
  briefNotRevoked: 'not revoked',

  // A step.
  back: 'Steps',
  resize: 'Step list width',
  resizeResult: 'Collected values width',
  rules: 'Rules for this step',
  moreRules: (count: number) => `+${count}`,
  tries: 'Attempts',
  triesGone: (count: number) =>
    count === 1 ? '1 earlier attempt is in the trace.' : `${count} earlier attempts are in the trace.`,
  tryOf: (nth: number, state: string) => `Attempt ${nth}: ${state}`,
  probeHint:
    'Checks whether this page can read responses from the endpoint (CORS). The check contains no code or secret. The actual request follows.',
  runFromHere: 'Run again from here',
  part: 'Request or response',
  request: 'Request',
  answer: 'Response',
  notBegun: "This step hasn't started.",
  knownBefore: "This step finished before the page was reloaded, so its requests and values aren't shown.",
  goesOn: 'In progress…',
  frames: 'Frames',
  frame: (seq: number) => `#${seq}`,
  blame: (blame: Blame) => BLAME[blame],
  blameLabel: 'Responsible',
  theirWords: "Server's message:",
  wordsHidden: 'The rest of the response is hidden. It may belong to another sign-in or come from another server.',
  unknownFault: 'Sign-in paused.',
  forced:
    'You continued despite a problem in this step. Results from here on may differ from those of a strict client.',
  forServers: 'Fix for the server',
  copy: 'Copy',
  startProxy: "The local proxy isn't limited by CORS.",
  allowLocal:
    'This URL is on this machine or your local network, so the browser asks for permission. Allow access, then try again.',

  relayAsk: (origin: string) =>
    `Send this request to ${origin} through the relay? The relay bypasses CORS, so Periscope asks first:`,

  // Remedies.
  whatNow: 'Next steps',
  doRelay: 'Send through the relay',
  doRetry: 'Try again',
  doOpenAgain: 'Reopen the window',
  doGoOn: 'Continue anyway',
  goOnBreaks: (rule: string) => `Strict clients stop here (${rule}).`,
  doPasteMetadata: 'Paste metadata',
  doEnterClient: 'Enter a client ID',
  doPasteToken: 'Paste a token',
  doRetryAsWeb: 'Register as “web”',
  doRetryAsNative: 'Register as “native”',
  doOmitResource: 'Omit resource parameter',
  doRedirect: 'Sign in using this tab',
  doSignInAgain: 'Sign in again',
  doOtherServer: 'Choose authorization server',
  cancelForm: 'Cancel',

  // Forms.
  metadata: 'Metadata (JSON)',
  metadataHint: 'The document the server should have served. Comments, trailing commas and single quotes are allowed.',
  useMetadata: 'Use this metadata',
  notJson: (line: number, column: number) => `Invalid JSON at line ${line}, column ${column}.`,
  notObject: 'Metadata must be a JSON object: { … }.',
  clientId: 'Client ID',
  clientSecret: 'Client secret (if any)',
  clientHint: (uri: string) => `Register the client with the redirect URI ${uri}`,
  useClient: 'Use this client',
  accessToken: 'Access token',
  refreshToken: 'Refresh token (if any)',
  tokenHint:
    'The access token is sent only to the MCP server. Tokens are stored only in memory unless “Remember on this device” is on.',
  useToken: 'Use this token',
  issuer: 'Authorization server issuer',
  issuerHint: 'The issuer URL, for example https://auth.example.com',
  useIssuer: 'Use this issuer',
  issuerBad:
    'Enter an https URL. http is allowed only if both the MCP server and the authorization server run on this machine. A URL on a private network is allowed only if the MCP server is also on a private network.',
  show: 'Show',
  hide: 'Hide',

  // Requests and responses.
  exchanges: 'Requests of this step',
  nthOf: (place: number, of: number) => `${place} of ${of}`,
  exchangesGone: (count: number) =>
    count === 1 ? '1 earlier request is in the trace.' : `${count} earlier requests are in the trace.`,
  relayed: 'through the relay',
  noAnswer: 'no response',
  pending: 'pending…',
  showSecrets: 'Show secrets',
  hideSecrets: 'Hide secrets',
  edit: 'Edit',
  send: 'Send',
  sendChanged: 'Send with changes',
  discard: 'Discard changes',
  beforeSending: 'This request will be sent. You can edit it first.',
  nativeBecause: 'The default application_type is native because this page runs on your machine.',
  webBecause: 'The default application_type is web because this page is served by a remote host.',
  editShows: 'The fields above contain secrets.',
  address: 'URL',
  headers: 'Headers, one per line',
  body: 'Body',
  badAddress: 'Enter an http or https URL without a user name or password.',
  badHeader: (line: number) => `Line ${line} isn't a header. Write “name: value”.`,
  badHeaderName: (line: number) => `Line ${line} has an invalid header name.`,
  badHeaderValue: (line: number) => `Line ${line} contains a character that headers can't carry.`,
  bodyNotJson: "The Content-Type says JSON, but the body isn't valid JSON. It is sent unchanged.",
  browserSets: (name: string) => `The browser sets ${name} and drops your value.`,
  masked: 'Secrets are masked. The trace never contains them.',
  noBody: 'empty body',
  bodyGone: 'Body released to save memory.',
  firstOf: (shown: string, all: string) => `First ${shown} of ${all} characters`,
  hiddenHeaders: 'Pages see only the headers the server exposes. The response may contain more.',
  hiddenRedirect: "The server sent a redirect, which pages can't see or follow.",
  redirectedTo: (url: string) => `Redirected to ${url}`,
  unreadablePage: "Pages can't read responses from the authorization endpoint. Check the sign-in window.",
  maybeCors: 'The browser gives no details. Check that the server is running and sends CORS headers.',

  // Consent.
  choose: 'The MCP server lists several authorization servers. Choose one:',
  chooseThis: 'Use this server',
  leaveTitle: 'The browser is about to open the sign-in page.',
  leaveHint: 'Its URL contains everything the authorization server receives.',
  openSignIn: 'Open the sign-in window',
  openChanged: 'Open with changes',
  addressBad: 'Enter an https URL, or an http URL on this machine if the MCP server also runs here.',
  parameters: 'Parameters',
  asText: 'URL',
  consentSent:
    'The sign-in page is open in another window. Sign in and agree there. This page then continues automatically.',
  consentBlocked: 'The browser blocked the window. Click “Open the window” or “Sign in using this tab”.',
  consentGone: "The window was closed or can't be reached. Click “Reopen”.",
  consentResumed:
    'This page was reloaded while you signed in. Continue in the window if it is still open. Otherwise, click “Reopen”.',
  consentOpening: 'Opening the sign-in page…',
  astray:
    "Periscope received a sign-in response but can't tell which sign-in it belongs to. If you just completed a sign-in, sign in again. Otherwise, ignore this.",
  openWindow: 'Open the window',
  openAgain: 'Reopen',
  openLink: 'Open as a link',
  copyAddress: 'Copy URL',
  haveAddress: 'I have the callback URL',
  returnedLabel: 'Callback URL',
  returnedHint: (uri: string) =>
    `The callback URL starts with ${uri}. Copy all of it from the address bar. Periscope uses it once and doesn't store it.`,
  useReturned: 'Continue',
  returnedBad: 'This URL contains no code, error or state.',
  cameBack: 'Callback parameters',
  notYetShown: 'Hidden until Periscope has checked where the response comes from.',
  strange: 'Hidden because the response may belong to another sign-in or come from another server.',

  // Checks.
  checks: 'Checks',
  kept: 'passed',
  broken: 'failed',
  remark: 'note',
  expected: 'expected',
  found: 'found',
  nothing: 'missing',
  ends: 'ends here',
  difference: (difference: Difference) => DIFFERENCE[difference],

  // Collected values.
  known: 'Collected values',
  knowStatus: 'challenge',
  knowHeader: 'header',
  knowResourceMetadata: 'metadata URL',
  knowResource: 'resource',
  knowOffered: 'issuer options',
  knowIssuer: 'issuer',
  knowSource: 'metadata source',
  knowEndpoints: 'endpoints',
  knowClient: 'client',
  knowMethod: 'authentication',
  knowScope: 'scopes',
  knowPkce: 'PKCE',
  knowRedirect: 'redirect URI',
  knowTokens: 'token',
  knowKept: 'stored',
  noneYet: 'none yet',
  clientBefore: 'known from before the page was reloaded',
  noScope: 'none requested',
  pkceYes: 'S256 advertised',
  pkceNo: 'S256 not advertised',
  keptHere: 'on this device, until you forget it or it is unused for 90 days',
  keptMemory: 'in memory, until this page is closed or reloaded',
  byOrigin: "the MCP server's own origin (no authorization server found in metadata)",
  sourceOf: (source: string) =>
    ({ oauth: 'RFC 8414', openid: 'OpenID Connect', pasted: 'pasted', defaults: 'defaults' })[source] ?? source,
  clientSource: (source: string) =>
    ({ dynamic: 'registered', 'by-hand': 'entered manually', 'metadata-document': 'metadata document' })[source] ??
    source,
  scopeSource: (source: string) =>
    ({
      given: 'your choice',
      challenge: 'from the challenge',
      'resource-metadata': 'from the resource metadata',
      union: 'previous and new',
      none: '',
    })[source] ?? source,
  methodOf: (method: string) => (method === 'none' ? 'public client, no secret' : method),
}
