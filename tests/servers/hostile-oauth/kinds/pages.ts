/** Faults that affect only pages: CORS at each step. */
import { stops, works, type Endpoint, type Hook, type Kind, type Kinds } from '../kind.ts'

const hidden = (says: string, step: Parameters<typeof stops>[1], endpoint: Endpoint, rest: Partial<Kind> = {}): Kind =>
  stops(says, step, ['BR-01'], { page: true, hides: [endpoint], ...rest })

/** Error responses that a page can't read. */
const errorsHidden: Hook = async ({ response }, well) => {
  const reply = await well()
  if (reply.status >= 400) response.removeHeader('Access-Control-Allow-Origin')
  return reply
}

export const pages: Kinds = {
  'cors-mcp': hidden('No CORS at the MCP endpoint', 'challenge', 'mcp'),
  'cors-prm': hidden('No CORS at the resource metadata', 'resource-metadata', 'resource-metadata'),
  'cors-asm': hidden('No CORS at the server metadata', 'server-metadata', 'server-metadata'),
  'cors-register': hidden('No CORS at the registration', 'registration', 'register'),
  'cors-token': hidden('No CORS at the token endpoint', 'token', 'token'),
  'cors-revoke': hidden('No CORS at the revocation', 'revocation', 'revoke', { drive: 'revoke' }),
  'cors-mcp-401': stops('No CORS header on 401 alone, as when a gateway answers it', 'challenge', ['BR-01'], {
    page: true,
    on: { mcp: errorsHidden },
  }),
  // A client that can read the response sees an OAuth error.
  'cors-token-errors': stops(
    'A refusal of the token endpoint, without a CORS header',
    'token',
    ['BR-01', 'RFC 6749 §5.2'],
    {
      on: {
        token: (exchange, well) =>
          errorsHidden(exchange, async () => ({ ...(await well()), status: 400, body: { error: 'invalid_grant' } })),
      },
    },
  ),
  'cors-simple-metadata': works('Preflights for metadata get 404: a plain GET is read', ['BR-04'], {
    preflight: { 'resource-metadata': null, 'server-metadata': null },
  }),
  'cors-simple-token': works('Preflights for the token endpoint get 404: a plain form is taken', ['BR-01'], {
    preflight: { token: null },
  }),
  'cors-simple-register': stops(
    'Preflights for the registration get 404, and JSON needs one',
    'registration',
    ['BR-01'],
    {
      page: true,
      preflight: { register: null },
    },
  ),
  'cors-authorization': stops('Preflights of the MCP endpoint do not allow Authorization', 'use', ['BR-01'], {
    page: true,
    preflight: { mcp: 'Content-Type, Accept, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Mcp-Session-Id' },
  }),
}
