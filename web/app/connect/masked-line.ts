/** A target as one line without its secrets: servers of files are shown before anybody looked at their content. */
import { maskUrl, secretsInWords, withoutPlaces } from '../../secrets/index.ts'
import { lineOf, type Target } from './target.ts'

export const maskedLine = (target: Target): string => {
  switch (target.kind) {
    case 'sample':
      return ''
    case 'url':
    case 'custom':
      return maskUrl(target.url)
    case 'command': {
      const words = [target.command, ...target.args]
      const places = secretsInWords(words)
      const [command = '', ...args] = words.map((word, index) =>
        withoutPlaces(
          word,
          places.filter((place) => place.word === index),
          () => '•••',
        ),
      )
      return lineOf({ ...target, command, args })
    }
  }
}
