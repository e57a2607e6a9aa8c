/**
 * Conversations with one planted violation each, and clean ones, written from the checklist and the official schemas by
 * people who hadn't seen the rules: `set-*.jsonl`. The lint names each violation by its row, or one that its author
 * accepts, at its level; and it says nothing of the clean ones.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { featureRules } from '../../web/features/lint-rules.ts'
import { deferredChecks, findings } from '../../web/lint/run.ts'
import { shapes } from '../../web/lint/shapes.ts'
import { levels, listed } from '../../web/lint/talk.case.ts'
import { patient } from '../patience.ts'
import { validator } from '../validator.ts'
import { type Conversation, type Planted, replay } from './replay.ts'

/** What isn't named as its author expects, and why. */
const DISPUTED: Readonly<Record<string, string>> = {
  '1/073': 'named by SUB-03, the row of the acknowledgement',
  '1/086': 'ttlMs 0 lets the list change at any time',
  '1/174': 'ttlMs 0 lets the list change at any time',
  '1/111': 'whether a notification relates to its stream can only be guessed',
  '1/216': 'whether a notification relates to its stream can only be guessed',
  '1/136': 'SF-LOG-02 is MAY',
  '2/230': 'SF-LOG-02 is MAY',
  '1/155': 'no stream is open on which the server could announce the change',
  '1/160': 'SUB-03 is SHOULD',
  '1/190': 'named by SF-RES-09, the row of updates',
  '1/195': 'SF-TOOL-21 is SHOULD',
  '1/277': 'SUB-08 is SHOULD; SUB-05 names the missing ID as MUST',
  '2/075': 'a server may have to end a stream early, so it is SHOULD',
  '5/012': 'named by TR-HTTP-20, the row of event IDs',
  '5/030': 'SF-RES-12 is SHOULD',
  '5/032': 'a list may change at any time',
  '5/095': 'SF-LOG-02 is MAY',
  '5/106': 'TASK-15 is MUST: the schema requires a ttl',
  '5/116': 'SF-PROMPT-07 is SHOULD',
  '5/128': 'SF-RES-10 is MAY',
  '5/160': 'the argument is invalid, and older versions name no other way',
  '5/202': 'CF-SAMP-05 is MUST: the schema has a maximum of 1',
  '6/008': 'the response belongs to no request of the batch, so it is named by its missing ID',
  '6/024': 'named by SF-TOOL-02, the row of the tool',
  '6/033': 'LC-09 is SHOULD',
  '6/048': 'named by SF-RES-04 and SF-RES-02, the rows of the resource',
  '6/080': 'CF-FORM-05 is SHOULD',
  '6/092': 'TASK-05 is SHOULD',
  '6/121': 'SUB-03 is SHOULD',
  '6/144': 'a server may accept requests without the ID',
  '6/148': 'a server may fail to end a session',
}

/** What has no rule yet. */
const UNNAMED: Readonly<Record<string, string>> = {
  '6/010': 'the result of a method that no version has',
  '6/019': 'an invalid pattern in a schema',
  '6/020': 'a $ref without a target',
  '6/025': 'a relative websiteUrl',
  '6/046': 'contents with both text and blob',
  '6/114': 'a handshake by a server that lists 2026-07-28 only',
  '6/115': 'input_required with neither a request nor a state',
  '6/118': 'a requestState that the server refuses',
  '6/149': 'a session that still works after it was ended',
  '6/150': 'HTTP 400 for a session that was ended',
  '6/158': 'a missing Mcp-Method, because recordings may lack headers',
  '6/152': 'a foreign Origin, which a page never sends',
}

const keywordsOf = async (conversation: Conversation): Promise<Set<string>> => {
  const cited = new Set<string>()
  for (const frames of await replay(conversation)) {
    const fold = findings({ levels, shapes, features: featureRules(validator) })
    const state = fold.initial()
    for (const frame of frames) {
      fold.step(state, frame)
      await deferredChecks(state)
    }
    for (const { rule, keyword } of listed(state)) cited.add(`${rule} ${keyword}`)
  }
  return cited
}

const isNamed = ({ requirement, also, level }: Planted, cited: ReadonlySet<string>): boolean => {
  const keyword = level === 'error' ? 'MUST' : 'SHOULD'
  return [requirement, ...also].some((rule) => cited.has(`${rule} ${keyword}`))
}

describe.each([1, 2, 3, 4, 5, 6])('set %i', (set) => {
  const text = readFileSync(join(import.meta.dirname, `set-${set}.jsonl`), 'utf8')
  const all = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Conversation)

  test(
    'each planted violation is named, except those that are disputed or have no rule yet',
    { timeout: patient(180_000) },
    async () => {
      const missed: string[] = []
      for (const conversation of all) {
        const { id, planted } = conversation
        if (planted && !isNamed(planted, await keywordsOf(conversation))) missed.push(`${set}/${id}`)
      }
      expect(missed.sort()).toEqual(
        [...Object.keys(DISPUTED), ...Object.keys(UNNAMED)].filter((id) => id.startsWith(`${set}/`)).sort(),
      )
    },
  )

  test('nothing is said of a clean conversation', async () => {
    for (const conversation of all.filter(({ planted }) => planted === null)) {
      const cited = [...(await keywordsOf(conversation))].filter((each) => !/ (MAY|ADVICE)$/.test(each))
      expect(cited, conversation.id).toEqual([])
    }
  })
})
