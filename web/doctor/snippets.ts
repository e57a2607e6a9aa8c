/**
 * The missing permission as code for the usual servers: exactly this origin and these headers, nothing broader. Names that
 * the server itself allows end up in the code, so only plain ones are taken over (`CorsPolicy`).
 */
import type { CorsPolicy } from './cors.ts'

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

/** Code to paste before the routes, and before anything that requires a sign-in. */
export const corsSnippet = (framework: Framework, policy: CorsPolicy): string => {
  const { origin, methods, headers, expose } = policy
  const [allow, show] = [headers.join(', '), expose.join(', ')]
  const js = (names: readonly string[]) => `[${names.map((name) => `'${name}'`).join(', ')}]`
  const quoted = (names: readonly string[]) => names.map((name) => `"${name}"`).join(', ')
  const express = `app.use((request, response, next) => {
  response.setHeader('Access-Control-Allow-Origin', '${origin}')
${show ? `  response.setHeader('Access-Control-Expose-Headers', '${show}')\n` : ''}  if (request.method !== 'OPTIONS') return next()
  response.setHeader('Access-Control-Allow-Methods', '${methods.join(', ')}')
  response.setHeader('Access-Control-Allow-Headers', '${allow}')
  response.status(204).end()
})`
  const starlette = `from starlette.middleware.cors import CORSMiddleware

app.add_middleware(
    CORSMiddleware,
    allow_origins=["${origin}"],
    allow_methods=[${quoted(methods)}],
    allow_headers=[${quoted(headers)}],
    expose_headers=[${quoted(expose)}],
)`
  switch (framework) {
    case 'typescript-sdk':
      return `const app = createMcpExpressApp()
${express}`
    case 'python-sdk':
      return `# Run this app with an ASGI server such as uvicorn, instead of mcp.run().
app = mcp.streamable_http_app()
${starlette}`
    case 'express':
      return express
    case 'hono':
      return `import { cors } from 'hono/cors'

app.use(
  cors({
    origin: '${origin}',
    allowMethods: ${js(methods)},
    allowHeaders: ${js(headers)},
    exposeHeaders: ${js(expose)},
  }),
)`
    case 'fastify':
      return `import cors from '@fastify/cors'

await fastify.register(cors, {
  origin: '${origin}',
  methods: ${js(methods)},
  allowedHeaders: ${js(headers)},
  exposedHeaders: ${js(expose)},
})`
    case 'workers':
      return `const withCors = (serve) => async (request, ...rest) => {
  const permission = {
    'Access-Control-Allow-Origin': '${origin}',
${show ? `    'Access-Control-Expose-Headers': '${show}',\n` : ''}    'Access-Control-Allow-Methods': '${methods.join(', ')}',
    'Access-Control-Allow-Headers': '${allow}',
  }
  if (request.method === 'OPTIONS') return new Response(null, { status: 204, headers: permission })
  const response = await serve(request, ...rest)
  const allowed = new Response(response.body, response)
  for (const [name, value] of Object.entries(permission)) allowed.headers.set(name, value)
  return allowed
}

export default { fetch: withCors(server.fetch) }`
    case 'starlette':
      return starlette
    case 'go':
      return `func allowPage(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Access-Control-Allow-Origin", "${origin}")
${show ? `		w.Header().Set("Access-Control-Expose-Headers", "${show}")\n` : ''}		if r.Method != http.MethodOptions {
			next.ServeHTTP(w, r)
			return
		}
		w.Header().Set("Access-Control-Allow-Methods", "${methods.join(', ')}")
		w.Header().Set("Access-Control-Allow-Headers", "${allow}")
		w.WriteHeader(http.StatusNoContent)
	})
}`
    case 'aspnet':
      return `builder.Services.AddCors(options => options.AddDefaultPolicy(policy => policy
    .WithOrigins("${origin}")
    .WithMethods(${quoted(methods)})
    .WithHeaders(${quoted(headers)})${expose.length > 0 ? `\n    .WithExposedHeaders(${quoted(expose)})` : ''}));

app.UseCors();`
    case 'spring':
      return `@Bean
CorsFilter corsFilter() {
    var cors = new CorsConfiguration();
    cors.setAllowedOrigins(List.of("${origin}"));
    cors.setAllowedMethods(List.of(${quoted(methods)}));
    cors.setAllowedHeaders(List.of(${quoted(headers)}));
    cors.setExposedHeaders(List.of(${quoted(expose)}));
    var source = new UrlBasedCorsConfigurationSource();
    source.registerCorsConfiguration("/**", cors);
    return new CorsFilter(source);
}`
    case 'nginx':
      return `add_header Access-Control-Allow-Origin "${origin}" always;
${show ? `add_header Access-Control-Expose-Headers "${show}" always;\n` : ''}add_header Access-Control-Allow-Methods "${methods.join(', ')}" always;
add_header Access-Control-Allow-Headers "${allow}" always;
if ($request_method = OPTIONS) {
    return 204;
}`
    case 'caddy':
      return `header {
	Access-Control-Allow-Origin "${origin}"
${show ? `	Access-Control-Expose-Headers "${show}"\n` : ''}	Access-Control-Allow-Methods "${methods.join(', ')}"
	Access-Control-Allow-Headers "${allow}"
}
@options method OPTIONS
respond @options 204`
  }
}
