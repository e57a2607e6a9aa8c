/**
 * The missing permission as code for the usual servers: exactly this origin and these headers, nothing broader. Names that
 * the server itself allows end up in the code, so only plain ones are taken over (`CorsPolicy`).
 */
import { HEADER_OF, settingsIn, type CorsPolicy, type CorsRemedy, type Setting } from './cors.ts'

export const FRAMEWORKS = [
  ['typescript-sdk', 'TypeScript SDK'],
  ['python-sdk', 'Python SDK'],
  ['express', 'Express'],
  ['hono', 'Hono'],
  ['fastify', 'Fastify'],
  ['workers', 'Cloudflare Workers'],
  ['starlette', 'FastAPI, Starlette'],
  ['go', 'Go'],
  ['aspnet', 'ASP.NET Core'],
  ['spring', 'Spring'],
  ['nginx', 'nginx'],
  ['caddy', 'Caddy'],
] as const

export type Framework = (typeof FRAMEWORKS)[number][0]

const named = (quote: string, names: readonly string[]) => names.map((name) => `${quote}${name}${quote}`).join(', ')
const valueOf = (setting: Setting, policy: CorsPolicy) =>
  setting === 'origin' ? policy.origin : policy[setting].join(', ')

/** For settings that take several origins. */
const originsOf = ({ origin, otherOrigins = [] }: CorsPolicy): readonly string[] => [...otherOrigins, origin]
const listOf = (setting: Setting, policy: CorsPolicy) => (setting === 'origin' ? originsOf(policy) : policy[setting])

/** One setting of a policy, on a line of its own. */
type Settings = (setting: Setting, policy: CorsPolicy) => string

const nodeHeaders: Settings = (setting, policy) =>
  `response.setHeader('${HEADER_OF[setting]}', '${valueOf(setting, policy)}')`

/** Options of a function in JavaScript. */
const options =
  (names: Readonly<Record<Setting, string>>): Settings =>
  (setting, policy) =>
    setting === 'origin' && !policy.otherOrigins
      ? `${names.origin}: '${policy.origin}',`
      : `${names[setting]}: [${named("'", listOf(setting, policy))}],`

const middlewareOptions: Settings = (setting, policy) => {
  const name = { origin: 'allow_origins', methods: 'allow_methods', headers: 'allow_headers', expose: 'expose_headers' }
  return `${name[setting]}=[${named('"', listOf(setting, policy))}],`
}

const SETTINGS: Readonly<Record<Framework, Settings>> = {
  'typescript-sdk': nodeHeaders,
  express: nodeHeaders,
  hono: options({ origin: 'origin', methods: 'allowMethods', headers: 'allowHeaders', expose: 'exposeHeaders' }),
  fastify: options({ origin: 'origin', methods: 'methods', headers: 'allowedHeaders', expose: 'exposedHeaders' }),
  workers: (setting, policy) => `'${HEADER_OF[setting]}': '${valueOf(setting, policy)}',`,
  'python-sdk': middlewareOptions,
  starlette: middlewareOptions,
  go: (setting, policy) => `w.Header().Set("${HEADER_OF[setting]}", "${valueOf(setting, policy)}")`,
  aspnet: (setting, policy) => {
    const name = { origin: 'WithOrigins', methods: 'WithMethods', headers: 'WithHeaders', expose: 'WithExposedHeaders' }
    return `.${name[setting]}(${named('"', listOf(setting, policy))})`
  },
  spring: (setting, policy) => {
    const name = { origin: 'AllowedOrigins', methods: 'AllowedMethods', headers: 'AllowedHeaders', expose: 'ExposedHeaders' } // prettier-ignore
    return `cors.set${name[setting]}(List.of(${named('"', listOf(setting, policy))}));`
  },
  nginx: (setting, policy) => `add_header ${HEADER_OF[setting]} "${valueOf(setting, policy)}" always;`,
  caddy: (setting, policy) => `${HEADER_OF[setting]} "${valueOf(setting, policy)}"`,
}

const HASH_COMMENTS: ReadonlySet<Framework> = new Set(['python-sdk', 'starlette', 'nginx', 'caddy'])
/** Those whose settings are the values of headers, and name one origin. */
const HEADER_LINES: ReadonlySet<string> = new Set<Framework>(['typescript-sdk', 'express', 'workers', 'go', 'nginx', 'caddy']) // prettier-ignore

/** Whether the lines would take the permission of other origins away: a response names one origin, which has to be the request's. */
export const replacesOrigins = (framework: Framework | '', { policy, additions }: CorsRemedy): boolean =>
  policy.otherOrigins !== undefined &&
  additions.origin !== undefined &&
  (framework === '' || HEADER_LINES.has(framework))

/**
 * The settings to replace in the CORS settings that a server has already, each with a comment that names what is new; all of
 * them, as `corsSnippet` writes them, if it has none.
 */
export const remedySnippet = (framework: Framework, remedy: CorsRemedy): string => {
  const { policy, additions, isWhole } = remedy
  const { otherOrigins } = policy
  if (isWhole) return corsSnippet(framework, policy)
  const comment = HASH_COMMENTS.has(framework) ? '#' : '//'
  return settingsIn(remedy)
    .map((setting) => {
      const line = SETTINGS[framework](setting, policy)
      if (setting !== 'origin') return `${line} ${comment} new: ${additions[setting]!.join(', ')}`
      // Many servers name no origin to a page that they refuse, so what they allow is unknown.
      if (!HEADER_LINES.has(framework))
        return `${line} ${comment} new: ${policy.origin}${otherOrigins ? '' : ', besides those allowed already'}`
      if (!otherOrigins) return line
      return `${line} ${comment} only for requests from this origin, not from ${otherOrigins.join(', ')}`
    })
    .join('\n')
}

/** Code to paste before the routes, and before anything that requires a sign-in. */
export const corsSnippet = (framework: Framework, policy: CorsPolicy): string => {
  const set = (setting: Setting) => SETTINGS[framework](setting, policy)
  const hasExposed = policy.expose.length > 0
  const express = () => `app.use((request, response, next) => {
  ${set('origin')}
${hasExposed ? `  ${set('expose')}\n` : ''}  if (request.method !== 'OPTIONS') return next()
  ${set('methods')}
  ${set('headers')}
  response.status(204).end()
})`
  const starlette = () => `from starlette.middleware.cors import CORSMiddleware

app.add_middleware(
    CORSMiddleware,
    ${set('origin')}
    ${set('methods')}
    ${set('headers')}
    ${set('expose')}
)`
  switch (framework) {
    case 'typescript-sdk':
      return `const app = createMcpExpressApp()
${express()}`
    case 'python-sdk':
      return `# Run this app with an ASGI server such as uvicorn, instead of mcp.run().
app = mcp.streamable_http_app()
${starlette()}`
    case 'express':
      return express()
    case 'hono':
      return `import { cors } from 'hono/cors'

app.use(
  cors({
    ${set('origin')}
    ${set('methods')}
    ${set('headers')}
    ${set('expose')}
  }),
)`
    case 'fastify':
      return `import cors from '@fastify/cors'

await fastify.register(cors, {
  ${set('origin')}
  ${set('methods')}
  ${set('headers')}
  ${set('expose')}
})`
    case 'workers':
      return `const withCors = (serve) => async (request, ...rest) => {
  const permission = {
    ${set('origin')}
${hasExposed ? `    ${set('expose')}\n` : ''}    ${set('methods')}
    ${set('headers')}
  }
  if (request.method === 'OPTIONS') return new Response(null, { status: 204, headers: permission })
  const response = await serve(request, ...rest)
  const allowed = new Response(response.body, response)
  for (const [name, value] of Object.entries(permission)) allowed.headers.set(name, value)
  return allowed
}

export default { fetch: withCors(server.fetch) }`
    case 'starlette':
      return starlette()
    case 'go':
      return `func allowPage(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		${set('origin')}
${hasExposed ? `		${set('expose')}\n` : ''}		if r.Method != http.MethodOptions {
			next.ServeHTTP(w, r)
			return
		}
		${set('methods')}
		${set('headers')}
		w.WriteHeader(http.StatusNoContent)
	})
}`
    case 'aspnet':
      return `builder.Services.AddCors(options => options.AddDefaultPolicy(policy => policy
    ${set('origin')}
    ${set('methods')}
    ${set('headers')}${hasExposed ? `\n    ${set('expose')}` : ''}));

app.UseCors();`
    case 'spring':
      return `@Bean
CorsFilter corsFilter() {
    var cors = new CorsConfiguration();
    ${set('origin')}
    ${set('methods')}
    ${set('headers')}
    ${set('expose')}
    var source = new UrlBasedCorsConfigurationSource();
    source.registerCorsConfiguration("/**", cors);
    return new CorsFilter(source);
}`
    case 'nginx':
      return `${set('origin')}
${hasExposed ? `${set('expose')}\n` : ''}${set('methods')}
${set('headers')}
if ($request_method = OPTIONS) {
    return 204;
}`
    case 'caddy':
      return `header {
	${set('origin')}
${hasExposed ? `	${set('expose')}\n` : ''}	${set('methods')}
	${set('headers')}
}
@options method OPTIONS
respond @options 204`
  }
}
