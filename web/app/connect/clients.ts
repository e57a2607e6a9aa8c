/** The names of the clients whose configurations Periscope finds and writes, the same in every language. */
import type { ClientId } from '../../../proxy/wire.ts'

export const CLIENT_NAMES: Readonly<Record<ClientId, string>> = {
  'claude-desktop': 'Claude Desktop',
  'claude-code': 'Claude Code',
  cursor: 'Cursor',
  vscode: 'VS Code',
  windsurf: 'Windsurf',
  cline: 'Cline',
  zed: 'Zed',
  codex: 'Codex',
  'gemini-cli': 'Gemini CLI',
  'lm-studio': 'LM Studio',
}
