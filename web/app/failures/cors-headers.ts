/**
 * The headers that a server must send before a page on another origin can use it (BR-01 to BR-03). `Mcp-Param-*` headers
 * are missing: their names depend on the tools.
 */
export const corsHeaders = (origin: string): string =>
  [
    `Access-Control-Allow-Origin: ${origin}`,
    'Access-Control-Allow-Methods: GET, POST, DELETE, OPTIONS',
    'Access-Control-Allow-Headers: Content-Type, Accept, Authorization, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Mcp-Session-Id, Last-Event-ID',
    'Access-Control-Expose-Headers: Mcp-Session-Id, WWW-Authenticate',
  ].join('\n')
