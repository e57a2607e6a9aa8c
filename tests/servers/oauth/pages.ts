/**
 * The pages a user sees: sign in, then allow or deny. Plain forms, no scripts; their buttons are `Sign in`, `Allow` and
 * `Deny`, and each scope has a checkbox with its name.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { InteractionResults } from 'oidc-provider'
import { bodyOf } from '../listening.ts'
import { USER } from './names.ts'
import type { Provider } from './provider.ts'

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`)

const page = (title: string, content: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; max-width: 30em; margin: 3em auto; padding: 0 1em; color: #111; background: #fff }
button { font: inherit; padding: 0.4em 1em; margin-right: 0.5em }
</style>
</head>
<body>
<main>
<h1>${escaped(title)}</h1>
${content}
</main>
</body>
</html>
`

const signInPage = (client: string): string =>
  page(
    'Sign in',
    `<p>${escaped(client)} asks who you are.</p>
<form method="post">
<p><label>User name <input name="user" value="${USER}" autocomplete="username" required></label></p>
<button type="submit">Sign in</button>
</form>`,
  )

const consentPage = (client: string, user: string, scopes: readonly string[], resources: readonly string[]): string =>
  page(
    `Allow ${client}?`,
    `<p>You are ${escaped(user)}.</p>
${resources.map((resource) => `<p>For <code>${escaped(resource)}</code></p>`).join('\n')}
<form method="post">
<fieldset>
<legend>It may</legend>
${scopes
  .map((scope) => escaped(scope))
  .map((scope) => `<div><label><input type="checkbox" name="scope" value="${scope}" checked> ${scope}</label></div>`)
  .join('\n')}
</fieldset>
<p>
<button type="submit" name="answer" value="allow">Allow</button>
<button type="submit" name="answer" value="deny">Deny</button>
</p>
</form>`,
  )

/** Displayed when an authorization server can't redirect the user. */
export const errorPage = (error: string, description = ''): string =>
  page(error, `<p role="alert">${escaped(description)}</p>`)

/** Handles a request to `/interaction/<uid>`: shows the form, or processes its submission. */
export const serveInteraction = async (
  provider: Provider,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  const details = await provider.interactionDetails(request, response)
  const asked = strings(details.params['scope']).flatMap((scope) => scope.split(' '))
  const resources = strings(details.params['resource'])
  const clientId = strings(details.params['client_id'])[0] ?? ''
  const user = details.session?.accountId ?? ''
  if (request.method !== 'POST') {
    const name = (await provider.Client.find(clientId))?.clientName ?? clientId
    response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-store' })
    const html = details.prompt.name === 'login' ? signInPage(name) : consentPage(name, user, asked, resources)
    return void response.end(html)
  }
  const form = new URLSearchParams(await bodyOf(request))
  const finish = (result: InteractionResults, mergeWithLastSubmission: boolean) =>
    provider.interactionFinished(request, response, result, { mergeWithLastSubmission })
  if (details.prompt.name === 'login') return finish({ login: { accountId: form.get('user') || USER } }, false)
  if (form.get('answer') !== 'allow')
    return finish({ error: 'access_denied', error_description: 'The user said no' }, false)
  // A new grant each time: scopes rejected before would stay rejected in the old one.
  const grant = new provider.Grant({ accountId: user, clientId })
  const allowed = new Set(form.getAll('scope'))
  for (const scope of asked) {
    if (allowed.has(scope)) grant.addOIDCScope(scope)
    else grant.rejectOIDCScope(scope)
    for (const resource of resources) {
      if (allowed.has(scope)) grant.addResourceScope(resource, scope)
      else grant.rejectResourceScope(resource, scope)
    }
  }
  await finish({ consent: { grantId: await grant.save() } }, true)
}

/** A query parameter that may occur more than once. */
const strings = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).filter((each): each is string => typeof each === 'string')
