/** The frames of a step: its beginning, what it waits for, its checks and its outcome. They contain facts, but no secrets. */
import type {
  AuthCheck,
  AuthFrame,
  AuthStep,
  Finding,
  FrameDraft,
  JsonObject,
  Link,
  Seq,
  Trace,
} from '../../mcp/index.ts'
import { type Fault, type SignInState, safeFacts } from '../model/index.ts'
import type { KnownSecrets } from '../../secrets/capture.ts'

export interface FrameHost {
  readonly trace: Trace
  readonly link: Link
  readonly secrets: KnownSecrets
}

export class StepFrames {
  /** The frame that began it. */
  readonly begun: Seq
  readonly #host: FrameHost
  readonly #flow: string
  readonly #step: AuthStep
  readonly #checks: AuthCheck[] = []

  constructor(host: FrameHost, flow: string, step: AuthStep) {
    this.#host = host
    this.#flow = flow
    this.#step = step
    this.begun = appendTo(host, flow, { event: 'step', step })
  }

  readonly check = (check: AuthCheck): void => void this.#checks.push(masked(check, this.#host.secrets))

  waiting(fault: Fault): void {
    appendTo(this.#host, this.#flow, { event: 'waiting', step: this.#step, begun: this.begun, fault })
  }

  done(outcome: AuthFrame<'done'>['outcome'], learned: JsonObject, fault?: Fault): void {
    appendTo(this.#host, this.#flow, {
      event: 'done',
      step: this.#step,
      begun: this.begun,
      outcome,
      checks: this.#checks,
      learned,
      fault,
      ...findingsOf(this.#checks),
    })
  }
}

type AuthDraftOf<Draft> = Draft extends FrameDraft ? Omit<Draft, 'kind' | 'flow' | 'link'> : never
type AuthEvent = AuthDraftOf<Extract<FrameDraft, { kind: 'auth' }>>

export const appendTo = ({ trace, link }: FrameHost, flow: string, event: AuthEvent): Seq =>
  trace.append({ kind: 'auth', flow, link, ...event }).seq

/** Violated rules are findings, as for any message. The rule determines whether it is the server's fault. */
const findingsOf = (checks: readonly AuthCheck[]): { findings?: readonly Finding[] } => {
  const findings = checks.flatMap(({ ok, rule, keyword, say, values }): Finding[] =>
    ok === false
      ? [{ rule, keyword, explanation: `${say}${values ? ` ${JSON.stringify(values)}` : ''}`.slice(0, 500) }]
      : [],
  )
  return findings.length > 0 ? { findings } : {}
}

const ENDPOINTS = ['authorization_endpoint', 'token_endpoint', 'registration_endpoint', 'revocation_endpoint'] as const

/** The results of a step that the Trace may contain. */
export const learnedFrom = (step: Partial<SignInState>, secrets: KnownSecrets): JsonObject => {
  const { refused, resourceMetadata, metadata, registration, tokens, returned, authorizationUrl } = step
  const facts: Record<string, JsonObject[string] | undefined> = {
    status: refused?.status,
    header: refused?.header,
    resourceMetadataUrl: step.resourceMetadataUrl,
    resource: step.resource ?? textOf(resourceMetadata?.resource),
    offered: step.offered?.slice(0, 20),
    byOrigin: step.byOrigin,
    issuer: step.issuer,
    metadataSource: step.metadataSource,
    endpoints: metadata && {
      ...Object.fromEntries(
        ENDPOINTS.flatMap((name) => (metadata[name] === undefined ? [] : [[name, metadata[name]]])),
      ),
    },
    clientId: registration?.clientId,
    clientSource: registration?.source,
    clientMethod: registration?.method,
    scope: step.scope,
    scopeSource: step.scopeSource,
    redirectUri: step.redirectUri,
    authorizationUrl: authorizationUrl === undefined ? undefined : secrets.url(authorizationUrl),
    returned: returned === undefined ? undefined : secrets.text(returned, 'application/x-www-form-urlencoded'),
    tokens: tokens && safeFacts(tokens),
  }
  return Object.fromEntries(
    Object.entries(facts).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
}

/** A copy with the secrets in its strings masked: a server may repeat anywhere what it was sent (SEC-15). */
export const masked = <Value>(value: Value, secrets: KnownSecrets): Value => {
  const without = (part: unknown): unknown => {
    if (typeof part === 'string') return secrets.text(part)
    if (typeof part !== 'object' || part === null) return part
    if (Array.isArray(part)) return part.map(without)
    return Object.fromEntries(Object.entries(part).map(([name, one]) => [name, without(one)]))
  }
  return without(value) as Value
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value.slice(0, 1000) : undefined)

/** Registers these secrets, so that they are masked wherever they occur from now on. */
export const remember = (
  { codeVerifier, code, registration, tokens, assertion }: Partial<SignInState>,
  secrets: KnownSecrets,
): void => {
  for (const secret of [
    codeVerifier,
    code,
    assertion,
    registration?.clientSecret,
    registration?.privateKey,
    tokens?.accessToken,
    tokens?.refreshToken,
  ]) {
    if (secret !== undefined && secret !== '') secrets.know(secret)
  }
}
