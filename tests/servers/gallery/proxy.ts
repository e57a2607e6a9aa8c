/** Pages whose local proxy ended, hangs, was started again, or never knew them; and copies without one. */
import { mcp, site } from './site.ts'
import { CONNECTED, script, targetsOf, type Started, type Target } from './target.ts'

const target = targetsOf('proxy')
const MISLEADS = /\bCORS\b|Access-Control|certificate|sign in/i
/** The proxy is running, so starting another one doesn't help. */
const RUNS = new RegExp(`${MISLEADS.source}|npx mcp-periscope`, 'i')
const program = script("require('./stdio.cjs').serve((response) => console.log(JSON.stringify(response)))")
const server = async (): Promise<Started> => site(mcp())
const closed = async (): Promise<Started> => site(mcp({ origin: () => undefined, expose: null, preflight: (_, response) => response.writeHead(405).end() !== undefined })) // prettier-ignore
const silent = async (): Promise<Started> => site(mcp({ preflight: () => true }))
const FINE = { names: CONNECTED, by: 'server', remedy: 'Nothing to do.' } as const

export const proxyTargets: readonly Target[] = [
  target('stopped-command', 'The proxy ended, so nothing can start the process.', program, {
    page: 'stopped',
    // As it was started, not as a package that may not be installed.
    names: /proxy[^]*node \S*periscope\.js/i,
    misleads: MISLEADS,
    by: 'user',
    remedy: 'Start the proxy, and open the URL that it prints.',
  }),
  target('restarted-command', 'The proxy was started again, so its token changed.', program, {
    page: 'restarted',
    names: /(restarted|token)[^]*(URL|link)/i,
    heading: /restarted|token/i,
    misleads: MISLEADS,
    by: 'user',
    remedy: 'Open the URL that it printed last.',
  }),
  target('hung-command', "The proxy accepts connections, but doesn't respond.", program, {
    page: 'hung',
    names: /proxy[^]*(respond|response|restart)/i,
    misleads: MISLEADS,
    by: 'user',
    remedy: 'Restart the proxy, and open the URL that it prints.',
  }),
  target('no-token-command', 'The page was opened without the token of the proxy.', program, {
    page: 'no-token',
    names: /token[^]*URL[^]*terminal|URL[^]*(terminal|prints)/i,
    misleads: RUNS,
    by: 'user',
    remedy: 'Open the URL that the terminal printed.',
  }),
  target('static-command', 'A copy of the page has no proxy to start processes.', program, {
    page: 'static',
    names: /proxy[^]*npx mcp-periscope/i,
    misleads: MISLEADS,
    by: 'user',
    remedy: 'Run npx mcp-periscope.',
  }),
  target(
    'static-socket',
    'A copy of the page has no proxy to open Unix sockets.',
    async () => ({ line: 'unix:/tmp/gallery.sock', close: async () => {} }),
    {
      // prettier-ignore
      page: 'static',
      names: /proxy[^]*npx mcp-periscope/i,
      misleads: MISLEADS,
      by: 'user',
      remedy: 'Run npx mcp-periscope.',
    },
  ),
  target('stopped-cors', 'The proxy ended, and the server lets no page in.', closed, {
    page: 'stopped',
    names: /Access-Control-Allow-Origin[^]*node \S*periscope\.js/i,
    misleads: /is running|certificate/i,
    by: 'server',
    remedy: 'Start the proxy again, or let pages in.',
  }),
  target('stopped-options', 'The proxy ended, and OPTIONS gets no response.', silent, {
    page: 'stopped',
    names: /to OPTIONS with 204[^]*node \S*periscope\.js/i,
    heading: /OPTIONS/,
    misleads: /is running|certificate|hides the response|Access-Control/i,
    by: 'server',
    remedy: 'Respond to OPTIONS, or start the proxy again.',
  }),
  target('restarted-options', 'The proxy was started again, and OPTIONS gets no response.', silent, {
    page: 'restarted',
    names: /to OPTIONS with 204[^]*Enter in the terminal/i,
    heading: /OPTIONS/,
    misleads: /is running|certificate|hides the response|Access-Control/i,
    by: 'server',
    remedy: 'Respond to OPTIONS, or open the URL that the proxy printed last.',
  }),
  target('no-token-cors', 'The page was opened without the token, and the server lets no page in.', closed, {
    page: 'no-token',
    names: /Access-Control-Allow-Origin[^]*Enter in the terminal/i,
    misleads: /npx mcp-periscope|is running|certificate/i,
    by: 'server',
    remedy: 'Open the URL that the terminal printed, or let pages in.',
  }),
  target('stopped-healthy', 'The proxy ended, but the server lets pages in.', server, { ...FINE, page: 'stopped' }),
  target('restarted-healthy', 'The proxy was started again, but the server lets pages in.', server, { ...FINE, page: 'restarted' }), // prettier-ignore
  target('hung-healthy', 'The proxy hangs, but the server lets pages in.', server, { ...FINE, page: 'hung' }),
  target('no-token-healthy', 'The page has no token, but the server lets pages in.', server, { ...FINE, page: 'no-token' }), // prettier-ignore
]
