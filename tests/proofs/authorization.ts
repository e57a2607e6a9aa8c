/** Sign-in: which tests prove which requirement. See `../requirements.ts` for how to add a proof. */
import { titles, type Proofs } from './proof.ts'

const challenges = titles('web/mcp/www-authenticate.test.ts')
const clientDocument = titles('web/oauth/wire/client-document.test.ts')
const credential = titles('web/oauth/tokens/credential.test.ts')
const discovery = titles('web/oauth/flow/discovery.test.ts')
const documentTaken = titles('web/oauth/wire/client-document.node.test.ts')
const endToEnd = titles('tests/e2e/sign-in.spec.ts')
const grants = titles('web/oauth/flow/grants.test.ts')
const lint = titles('web/lint/wire/authorization.test.ts')
const popup = titles('web/oauth/consent/popup.test.ts')
const profile = titles('web/oauth/model/profile.test.ts')
const redact = titles('web/secrets/known-secrets.test.ts')
const registration = titles('web/oauth/flow/registration.test.ts')
const returned = titles('web/oauth/consent/return.test.ts')
const scope = titles('web/oauth/model/scope.test.ts')
const signIn = titles('web/oauth/sign-in.test.ts')
const tokenFacts = titles('web/oauth/model/token-facts.test.ts')
const safeUrl = titles('web/oauth/model/safe-url.test.ts')
const wellKnown = titles('web/oauth/model/well-known.test.ts')
const vault = titles('web/oauth/vault/vault.test.ts')
const exchange = titles('web/oauth/vault/exchange.test.ts')

/** In checklist order. */
export const authorization: Proofs = {
  // 4.1 General
  'AU-GEN-02': [
    signIn('AU-GEN-02: all requests have the token in their header, whatever they are for'),
    credential('are asked for where the server says that it takes no others, and each request has a fresh proof'),
  ],
  'AU-GEN-03': [
    signIn('AU-GEN-03, AU-TOK-02: whatever is sent in the life of tokens, no address and no frame ever holds a secret'),
    lint('AU-GEN-03: a token in an address is told once, and never repeated'),
  ],
  'AU-GEN-04': [
    signIn('AU-GEN-04, AU-TOK-06: tokens of one server are shown to no other, and each of a path is one of its own'),
    discovery(
      'AU-GEN-04: tokens of the one before are shown to it no more from then on, whatever becomes of the sign-in',
    ),
    tokenFacts('who made it: the authorization server that was asked, or somebody else (AU-GEN-04)'),
  ],
  'AU-GEN-05': [
    lint('AU-GEN-05: 401 says what is asked for'),
    lint('AU-GEN-05: each error has its status'),
    lint('AU-GEN-05: 401 to the very first request counts by the revision that it offers'),
  ],
  'AU-GEN-06': [
    signIn('AU-GEN-06: a refusal is what the sign-in begins with, and nothing is asked twice'),
    endToEnd(
      'one click signs in: discovery, registration, consent in a window of theirs, a token for this server, a tool',
    ),
  ],
  'AU-GEN-07': [
    signIn('AU-GEN-07: a header by hand counts more than tokens of an earlier day, until its user signs in'),
  ],
  'AU-GEN-08': [
    endToEnd('AU-GEN-08: signed in on an open session, its lists are asked for again, for they may be others now'),
  ],
  // 4.2 2025-03-26 scheme (server = authorization server)
  'AU-0326-01': [
    discovery('AU-0326-01, AU-0326-03: the origin of the server is asked, with the version, and is the issuer'),
    discovery('a server of then is signed in to without a pin, where all newer ways led nowhere (%s)'),
  ],
  'AU-0326-02': [discovery('AU-0326-02: without metadata there are three addresses at the origin, and only then')],
  'AU-0326-03': [
    discovery('AU-0326-01, AU-0326-03: the origin of the server is asked, with the version, and is the issuer'),
    discovery('AU-0326-03: where a server does not take the version from a page, it is asked without'),
  ],
  'AU-0326-04': [
    lint('AU-0326-04: an error of the token endpoint has a status of its own'),
    discovery('AU-0326-04, AU-0326-05, AU-0326-07: it registers, has PKCE, and says nothing of a resource'),
    lint('%s in %j: %s %s'),
  ],
  'AU-0326-05': [
    discovery('AU-0326-04, AU-0326-05, AU-0326-07: it registers, has PKCE, and says nothing of a resource'),
  ],
  'AU-0326-06': [grants('AU-0326-06, AU-0326-07: works in 2025-03-26 too, and says nothing of a resource')],
  'AU-0326-07': [
    discovery('AU-0326-04, AU-0326-05, AU-0326-07: it registers, has PKCE, and says nothing of a resource'),
    discovery('AU-0326-07: to a server that wants to hear nothing of a resource, its user says nothing of it'),
    grants('AU-0326-06, AU-0326-07: works in 2025-03-26 too, and says nothing of a resource'),
  ],
  // 4.3 Protected resource metadata (RFC 9728)
  'AU-PRM-01': [
    discovery('AU-PRM-01, AU-PRM-02: are where the header says, and nowhere else is looked'),
    profile('%s is as the revisions have it'),
    lint('%s in %j: %s %s'),
  ],
  'AU-PRM-02': [
    discovery('AU-PRM-01, AU-PRM-02: are where the header says, and nowhere else is looked'),
    discovery('AU-PRM-02: an address in a header that is no https address is not asked'),
    challenges('whatever was written by the grammar is read back as it was meant'),
    challenges('is the one for Bearer or DPoP that says most, wherever it stands'),
  ],
  'AU-PRM-03': [
    discovery('AU-PRM-03: are at the address with the path inserted where no header says so (%s)'),
    discovery('AU-PRM-03: are at the root after that, and speak of the origin'),
    discovery('AU-PRM-03: the header alone says where metadata are'),
    wellKnown(
      'AU-PRM-03: those of %s, at the address with its path, then at the root, which is the only one at the root',
    ),
  ],
  'AU-PRM-04': [discovery('AU-PRM-04: may be missing, where its user says which authorization server it is')],
  'AU-PRM-05': [
    discovery('AU-PRM-05: that speak %s are not used'),
    wellKnown('AU-PRM-05: each address says which resource it is about'),
  ],
  'AU-PRM-06': [
    discovery('AU-PRM-06: that name no authorization server end it'),
    lint('AU-PRM-06: metadata without an authorization server is told at the step, with the answer that shows it'),
  ],
  'AU-PRM-07': [
    discovery(
      'AU-PRM-07, AU-PRM-08, AU-REG-12: is signed in to anew there, with a client of its own, and what was before is gone',
    ),
    vault('a client is used with the authorization server that knows it, and no other (AU-PRM-07, AU-REG-12)'),
  ],
  'AU-PRM-08': [
    discovery(
      'AU-PRM-07, AU-PRM-08, AU-REG-12: is signed in to anew there, with a client of its own, and what was before is gone',
    ),
    vault('discards what the old one gave out for that server, on the device too'),
  ],
  // 4.4 Authorization server metadata (RFC 8414 / OIDC)
  'AU-ASM-01': [
    lint('AU-ASM-01, AU-FLOW-13: what the metadata of an authorization server owes, in %s'),
    discovery('AU-ASM-01: their endpoints are used, whatever they are called'),
    discovery('AU-ASM-01: that lack %s end it: none is made up'),
    discovery('%s: of %s are found at the last of these addresses, asked in this order'),
    lint('%s in %j: %s %s'),
  ],
  'AU-ASM-02': [discovery('%s: of %s are found at the last of these addresses, asked in this order')],
  'AU-ASM-03': [
    discovery('%s: of %s are found at the last of these addresses, asked in this order'),
    wellKnown('AU-ASM-03, AU-ASM-04: those of %s, with OpenID: %s'),
  ],
  'AU-ASM-04': [
    discovery(
      'AU-ASM-04: of an issuer without a path are at two addresses, and nothing is guessed where they are at none',
    ),
    wellKnown('AU-ASM-03, AU-ASM-04: those of %s, with OpenID: %s'),
  ],
  'AU-ASM-05': [discovery('AU-ASM-05: RFC 8414 alone says where those of the authorization server are')],
  'AU-ASM-06': [discovery('AU-ASM-06: whose issuer is %s are not used')],
  'AU-ASM-07': [
    discovery('AU-ASM-07: an authorization server that is offered without https is not asked'),
    discovery('AU-ASM-07: whose %s is not https end it at %s'),
    discovery('AU-ASM-07: whose revocation_endpoint is not https leave tokens as they are'),
    safeUrl('%j is safe beside a remote server: %s, beside a local one: %s'),
  ],
  // 4.5 Client registration
  'AU-REG-01': [registration('AU-REG-01: %s')],
  'AU-REG-02': [
    registration('AU-REG-02, AU-REG-03: has the address of its document for an id, wherever it signs in'),
    documentTaken(
      'a real authorization server takes the document for a client, with its redirect URI and no other (AU-REG-02, AU-REG-03, AU-REG-10)',
    ),
  ],
  'AU-REG-03': [
    registration('AU-REG-03: is not used with an address that cannot be an id'),
    clientDocument('what is written for any folder passes its own check there, and nowhere else (AU-REG-03)'),
  ],
  'AU-REG-05': [registration('AU-REG-05, AU-FLOW-13: is used as it was entered, and proves itself as %s')],
  'AU-REG-06': [
    registration(
      'AU-REG-06, AU-REG-07, AU-REG-09, AU-REG-10: says what it is, where it comes back to, and that it wants refresh tokens',
    ),
    lint('%s in %j: %s %s'),
  ],
  'AU-REG-07': [
    registration(
      'AU-REG-06, AU-REG-07, AU-REG-09, AU-REG-10: says what it is, where it comes back to, and that it wants refresh tokens',
    ),
    registration('AU-REG-07: is of the web where a host serves it, and says nothing of it before 2026-07-28'),
  ],
  'AU-REG-08': [
    registration('AU-REG-08: refused over its redirect URI at %s is told so, and may register as the other'),
  ],
  'AU-REG-09': [
    registration(
      'AU-REG-06, AU-REG-07, AU-REG-09, AU-REG-10: says what it is, where it comes back to, and that it wants refresh tokens',
    ),
    clientDocument(
      'the document of a hosted copy names itself, its redirect URI, and a public client that wants refresh tokens (AU-REG-02, AU-REG-09)',
    ),
  ],
  'AU-REG-10': [
    registration(
      'AU-REG-06, AU-REG-07, AU-REG-09, AU-REG-10: says what it is, where it comes back to, and that it wants refresh tokens',
    ),
    registration('AU-REG-10: does not go on where the server registered another redirect URI'),
  ],
  'AU-REG-11': [
    registration('AU-REG-11: comes back to https or to this machine, or is not registered at all'),
    lint('AU-REG-11: no redirect URI leads to another machine without TLS, in %s'),
  ],
  'AU-REG-12': [
    registration('AU-REG-12: is registered once with each authorization server, and known again by it alone'),
    discovery(
      'AU-PRM-07, AU-PRM-08, AU-REG-12: is signed in to anew there, with a client of its own, and what was before is gone',
    ),
  ],
  'AU-REG-13': [registration('AU-REG-13: belongs to the issuer that it was used with first, and is given to no other')],
  'AU-REG-14': [registration('AU-REG-02, AU-REG-03: has the address of its document for an id, wherever it signs in')],
  // 4.6 Authorization request, response, token request
  'AU-FLOW-01': [
    grants('AU-FLOW-01, AU-FLOW-02: the verifier is that of the challenge, by SHA-256, and another one each time'),
    discovery('AU-FLOW-01, AU-FLOW-02: whoever goes on without it being advertised has PKCE with S256 all the same'),
  ],
  'AU-FLOW-02': [
    grants('AU-FLOW-01, AU-FLOW-02: the verifier is that of the challenge, by SHA-256, and another one each time'),
  ],
  'AU-FLOW-03': [
    discovery('AU-FLOW-03: that do not advertise PKCE end it, before the browser is sent anywhere'),
    discovery('AU-FLOW-03: in OpenID metadata neither'),
  ],
  'AU-FLOW-04': [
    grants('AU-FLOW-04, AU-FLOW-05: the resource is that of the server, in both requests and at the refresh'),
    credential('AU-FLOW-04: is refreshed for the same resource'),
  ],
  'AU-FLOW-05': [
    grants('AU-FLOW-04, AU-FLOW-05: the resource is that of the server, in both requests and at the refresh'),
    wellKnown('%s is called %s'),
    wellKnown('has a scheme, no fragment, a host in lower case, and is called the same when it is called by that'),
  ],
  'AU-FLOW-06': [
    signIn('AU-FLOW-06: an answer with %s is discarded'),
    grants('AU-FLOW-06: a state goes along, another one each time'),
    returned(
      'an answer belongs to a sign-in only where its state is there exactly once, and exactly the same (AU-FLOW-06)',
    ),
  ],
  'AU-FLOW-07': [
    signIn('AU-FLOW-07: what was begun goes on with the issuer, the verifier and the state of then'),
    signIn('AU-FLOW-08: the answer of another issuer than the one of then is refused'),
    returned('is there again with all that it knew, until it is dropped (AU-FLOW-07)'),
  ],
  'AU-FLOW-08': [signIn('AU-FLOW-08, AU-FLOW-11: where the issuer is %s, the code is handed over or not')],
  'AU-FLOW-09': [signIn('AU-FLOW-09: the issuer %s is another')],
  'AU-FLOW-10': [signIn('AU-FLOW-10: an error in the name of another issuer is neither believed nor shown')],
  'AU-FLOW-11': [signIn('AU-FLOW-08, AU-FLOW-11: where the issuer is %s, the code is handed over or not')],
  'AU-FLOW-12': [
    safeUrl('%j is safe beside a remote server: %s, beside a local one: %s'),
    discovery('AU-ASM-07: whose %s is not https end it at %s'),
    popup('it leads to addresses of https, and of http on this machine, and to nothing else (AU-FLOW-12)'),
  ],
  'AU-FLOW-13': [
    lint('AU-ASM-01, AU-FLOW-13: what the metadata of an authorization server owes, in %s'),
    registration('AU-REG-05, AU-FLOW-13: is used as it was entered, and proves itself as %s'),
    registration(
      'AU-FLOW-13: proves itself with the secret that it was given, where the server takes no client without one',
    ),
    grants('AU-FLOW-13: a key signs an assertion for this authorization server, each time another'),
    lint('%s in %j: %s %s'),
  ],
  // 4.7 Scopes and step-up
  'AU-SCOPE-01': [scope('AU-SCOPE-01: at %s it is %s')],
  'AU-SCOPE-02': [scope('AU-SCOPE-02: a challenge counts as it is, whatever the metadata list')],
  'AU-SCOPE-03': [
    scope('AU-SCOPE-03, AU-SCOPE-04: asks its user, signs in for what there was and what is missing, and goes on'),
    endToEnd('a tool that wants more asks, and goes on once its user has signed in for it'),
    lint('without a challenge, or with another error, it does not'),
  ],
  'AU-SCOPE-04': [
    scope('AU-SCOPE-03, AU-SCOPE-04: asks its user, signs in for what there was and what is missing, and goes on'),
    scope('AU-SCOPE-04: a union holds all of both, each once, what there was first'),
    grants('a request that wants more scopes gets them without anybody being asked'),
  ],
  'AU-SCOPE-05': [
    scope('AU-SCOPE-05: is refused for good after a few sign-ins that did not help, each operation by itself'),
    scope('AU-SCOPE-04: in 2025-11-25 the server says all that it wants; where it does not, nobody is asked for ever'),
  ],
  'AU-SCOPE-06': [
    scope(
      'AU-SCOPE-06: offline_access is asked for where the server offers it, with consent, and brings a refresh token',
    ),
  ],
  'AU-SCOPE-07': [
    lint('AU-SCOPE-07: offline_access in a challenge, in 2026-07-28 alone'),
    lint('AU-SCOPE-07: offline_access among the scopes of a resource, in 2026-07-28 alone'),
  ],
  'AU-SCOPE-08': [
    scope('AU-SCOPE-08: what is granted may be less, and is what counts'),
    tokenFacts('which scopes were granted, and who said so (AU-SCOPE-08)'),
    lint('AU-SCOPE-08: scopes are one text, separated by spaces, in %s'),
  ],
  // 4.8 Tokens
  'AU-TOK-01': [
    vault('nothing is written unless its user wants it to be'),
    vault('tokens and their client outlive the page, and both go when they are forgotten'),
    vault('no order of events brings into the storage, or into the list, what must not be there'),
  ],
  'AU-TOK-02': [
    signIn('AU-GEN-03, AU-TOK-02: whatever is sent in the life of tokens, no address and no frame ever holds a secret'),
    redact('whatever stands around it, however often, in whichever encoding'),
    tokenFacts('is neither a token nor a person (AU-TOK-02)'),
  ],
  'AU-TOK-03': [
    credential('AU-TOK-03: ends in a sign-in where there is no refresh token, and nothing is asked for one'),
    tokenFacts('that nobody promised a refresh token, and when its user has to sign in again (AU-TOK-03)'),
  ],
  'AU-TOK-04': [
    credential(
      'AU-TOK-04: is refreshed once for all who need one at the same time, and each refresh token is used once',
    ),
    exchange('uses a refresh token once, however tabs take turns, forget, remember and sign in'),
    exchange('is made once even if the storage brings the other tab the new tokens late'),
    lint('AU-TOK-04: a refresh token that is not rotated is told of clients without a secret'),
  ],
  'AU-TOK-05': [
    credential('AU-TOK-05: is refreshed once where the server says so, and the request is sent again with the new one'),
    credential('AU-TOK-05: ends in a sign-in where the refresh is refused; the same refresh token is not tried again'),
    credential('AU-TOK-05: a server that is never content is asked twice for each request, and no more'),
  ],
  'AU-TOK-06': [
    signIn('AU-GEN-04, AU-TOK-06: tokens of one server are shown to no other, and each of a path is one of its own'),
    vault('tokens belong to one server, however its address is written (AU-TOK-06)'),
  ],
  // 4.9 Authorization extensions
  'AU-EXT-01': [grants('AU-EXT-01: a client with %s gets a token of its own, and nobody is asked')],
  'AU-EXT-02': [grants('AU-EXT-02: who is signed in there reaches the server without a second sign-in')],
}
