/** The kernel's only entry point: other folders import from here and nowhere deeper. */
export {
  type CallGate,
  isNotAllowed,
  type LeavingCall,
  type LeavingCalls,
  notAllowed,
  toolCallsIn,
} from './call-gate.ts'
export { isTaskMethod, mayBeTask } from './hosted-tasks.ts'
export { LINGER } from './pending-call.ts'
export { peerOf } from './eras/era.ts'
export { headerPlan, type HeaderIssue, type HeaderPlan, type ParamHeader } from './eras/param-headers.ts'
export { headerValue } from './eras/standard-headers.ts'
export * from './caching.ts'
export { wait } from './deadline.ts'
export * from './client-capabilities.ts'
export * from './errors.ts'
export * from './jsonrpc-exchange.ts'
export { httpExchanges, httpRequestOf, type HttpExchange, type HttpExchanges } from './http-exchange.ts'
export * from './frame.ts'
export * from './jsonrpc.ts'
export { parseLong } from './json-text.ts'
export { getOrInsert, setBounded } from './maps.ts'
export { PageOrder } from './page-order.ts'
export { META, TASKS_EXTENSION } from './meta-keys.ts'
export { eachInSteps, nextTask, pacer, SLICE } from './pace.ts'
export * from './projection.ts'
export { RequestsById } from './requests-by-id.ts'
export { livenessFold, type Liveness, type Trouble } from './liveness.ts'
export {
  bearerChallenge,
  parseChallenges,
  refusedBy,
  type AuthChallenge,
  type BearerChallenge,
  type Refused,
} from './www-authenticate.ts'
export * from './revision.ts'
export * from './session.ts'
export {
  type AuthFrame,
  type FlowRun,
  type RequestRecord,
  type SignInRequest,
  type SignIns,
  type StepRun,
  signIns,
  signInsOf,
} from './sign-in-fold.ts'
export { Signal } from './signal.ts'
export type { Subscription, SubscriptionState } from './subscription.ts'
export * from './trace.ts'
export { type Authorizer, HttpRecorder, readText, type Refusal } from './transports/http-tap.ts'
export type {
  DisturbedLine,
  DisturbedRequest,
  InjectedFault,
  Interference,
  InterferenceSlot,
  LineEnd,
} from './transports/interference.ts'
export { LoopbackTransport, type LoopbackServer } from './transports/loopback.ts'
export {
  Bridge,
  type BridgeOptions,
  ProcessRecorder,
  START_LIMIT,
  type StdioBridgeOptions,
  StdioBridgeTransport,
} from './transports/stdio-bridge.ts'
export { SocketBridgeTransport } from './transports/socket-bridge.ts'
export { WebSocketTransport, type WebSocketConstructor } from './transports/web-socket.ts'
export { HttpSseTransport, type HttpSseOptions } from './transports/http-sse.ts'
export { ProxyChannel, type ProxyChannelState } from './transports/proxy-channel.ts'
export type { ConnectionSlots } from './transports/connection-limit.ts'
export { unsafeHeaders } from './transports/cors.ts'
export { Detour, READ_METHODS, type RefusedByBrowser } from './transports/detour.ts'
export {
  relayFetch,
  type HeaderReferences,
  type RelayedResponse,
  type RelayOptions,
  type TrustedCertificate,
} from './transports/relay.ts'
export { StreamableHttpTransport, type StreamableHttpOptions } from './transports/streamable-http.ts'
export { isDeep, sameText, shallow, Tap, utf8Length, utf8LengthInSteps } from './transports/tap.ts'
export type { Transport } from './transports/transport.ts'
export type { ResponseFault } from './transports/unusable-response.ts'
