/** The steps of each grant, in their order. */
import type { Grant } from '../model/index.ts'
import type { Step } from '../wire/index.ts'
import { assertion } from './steps/assertion.ts'
import { authorizationServer } from './steps/authorization-server.ts'
import { authorization } from './steps/authorization.ts'
import { callback } from './steps/callback.ts'
import { challenge } from './steps/challenge.ts'
import { preparation } from './steps/pkce.ts'
import { registration } from './steps/registration.ts'
import { resourceMetadata } from './steps/resource-metadata.ts'
import { serverMetadata } from './steps/server-metadata.ts'
import { token } from './steps/token.ts'
import { use } from './steps/use.ts'

/**
 * @param resourceMetadataExists whether the revision knows protected resource metadata at all (AU-PRM-01)
 * @param held scopes asked for before (AU-SCOPE-04)
 */
export const stepsOf = (grant: Grant, resourceMetadataExists: boolean, held?: string): readonly Step[] => {
  const discovery = [
    challenge,
    ...(resourceMetadataExists ? [resourceMetadata] : []),
    authorizationServer,
    serverMetadata,
    registration(held),
  ]
  switch (grant) {
    case 'authorization-code':
      return [...discovery, preparation(held), authorization, callback, token(), use]
    case 'client-credentials':
      return [...discovery, token(held), use]
    case 'enterprise':
    case 'workload':
      return [...discovery, assertion(held), token(held), use]
  }
}
