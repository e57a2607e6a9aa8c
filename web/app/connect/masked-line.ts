/** A target as one line without its secrets: servers of files are shown before anybody looked at their content. */
import { maskUrl, maskWords } from '../../secrets/index.ts'
import { lineOf, type Target } from './target.ts'

export const maskedLine = (target: Target): string => {
  switch (target.kind) {
    case 'sample':
      return ''
    case 'url':
    case 'custom':
      return maskUrl(target.url)
    case 'command': {
      const [command = '', ...args] = maskWords([target.command, ...target.args], '•••')
      return lineOf({ ...target, command, args })
    }
  }
}
