/** Parts of messages whose form is the subject of a row of its own. */
import { describe, expect, test } from 'vitest'
import { type JsonObject, REVISIONS, type Revision } from '../../mcp/index.ts'
import { from, eachOf, pair, SERVER, type Story, until } from '../rows.case.ts'
import { judged, listed, META, rulesAndShapes, Talk } from '../talk.case.ts'

const tool = (more: JsonObject): JsonObject => ({ name: 't', inputSchema: { type: 'object' }, ...more })
const listsTool = (story: Story, more: JsonObject) => story.call('tools/list', {}, { tools: [tool(more)] })
const samples = (story: Story, more: JsonObject) =>
  story.asks('sampling/createMessage', {
    messages: [{ role: 'user', content: { type: 'text', text: 'x' } }],
    maxTokens: 9,
    ...more,
  })
const asksFor = (story: Story, field: JsonObject) =>
  story.asks('elicitation/create', { message: 'x', requestedSchema: { type: 'object', properties: { a: field } } })
const TIMES = { createdAt: '2026-01-01T00:00:00Z', lastUpdatedAt: '2026-01-01T00:00:00Z' }
const TASK = { taskId: 'k', status: 'working', ttl: null, ...TIMES }
const TASKS = { ...SERVER, tasks: { list: {}, requests: { tools: { call: {} } } } }

describe('the form of a member is cited by the row of that member:', () => {
  test.each(eachOf([
    ['SF-PAGE-02 MUST', REVISIONS, ...pair((story, more) => story.call('tools/list', {}, { tools: [], ...more }), { nextCursor: null })],
    ['SF-PAGE-02 MUST', REVISIONS, ...pair((story, more) => story.call('prompts/list', {}, { prompts: [], ...more }), { nextCursor: false }, { nextCursor: 'x' })],
    ['SF-TOOL-03 MUST', from('2025-06-18'), ...pair(listsTool, { title: 5 }, { title: 'T' })],
    ['UT-PROG-03 MUST', from('2025-03-26'), ...pair((story, more) => {
      story.ask('tools/call', { name: 't', _meta: { progressToken: 7 } })
      story.talk.tells('notifications/progress', { progressToken: 7, progress: 1, ...more })
    }, { message: ['x'] }, { message: 'x' })],
    ['CF-SAMP-05 MUST', REVISIONS, ...pair(samples, { modelPreferences: { hints: ['x'] } }, { modelPreferences: { hints: [{ name: 'x' }] } })],
    ['CF-FORM-05 MUST', from('2025-11-25'), ...pair(asksFor, { type: 'number', default: '3' }, { type: 'number', default: 3 })],
    ['CF-FORM-05 MUST', from('2025-11-25'), ...pair(asksFor, { type: 'boolean', default: 'yes' }, { type: 'boolean', default: true })],
    ['CF-FORM-02 MUST', from('2025-06-18'), ...pair(asksFor, { type: 'string', minLength: '3' }, { type: 'string', minLength: 3 })],
    ['CF-FORM-06 MUST', from('2025-11-25'), ...pair(asksFor, { type: 'array', items: { type: 'string', enum: ['a'] }, minItems: '1' }, { type: 'array', items: { type: 'string', enum: ['a'] }, minItems: 1 })],
    ['VN-06 MUST', ['2026-07-28'], ...pair((story, more) => story.call('server/discover', {}, { supportedVersions: ['2026-07-28'], ttlMs: 0, cacheScope: 'private', capabilities: more }), { extensions: ['com.example/x'] }, { extensions: { 'com.example/x': {} } })],
    ['SUB-03 MUST', ['2026-07-28'], ...pair((story, more) => {
      const id = story.ask('subscriptions/listen', { notifications: { toolsListChanged: true } })
      story.talk.tells('notifications/subscriptions/acknowledged', { ...more, _meta: { [`${META}subscriptionId`]: id } })
    }, {}, { notifications: {} })],
  ]))('the form of a member is cited by its own row: %s in %s', (_expected, _revision, check) => check()) // prettier-ignore

  describe('a server', () => {
    const introduces = (revision: Revision, more: JsonObject) => {
      const talk = new Talk()
      const clientInfo = { name: 'c', version: '1' }
      const id = talk.ask('initialize', { protocolVersion: revision, capabilities: {}, clientInfo })
      talk.answer(id, { protocolVersion: revision, capabilities: {}, serverInfo: { name: 's', version: '1', ...more } })
      return listed(judged(talk, rulesAndShapes)).map(({ rule, keyword }) => `${rule} ${keyword}`)
    }
    test.each(until('2025-11-25'))('LC-14: names itself in the form of %s', (revision) => {
      expect(introduces(revision, {})).toEqual([])
      expect(introduces(revision, { version: 1 })).toEqual([revision < '2025-06-18' ? 'LC-01 MUST' : 'LC-14 MUST'])
    })
  })

  describe('tasks', () => {
    const creates = (story: Story, more: JsonObject) => {
      const id = story.ask('tools/call', { name: 't', arguments: {}, task: {} })
      story.answer(id, { task: { ...TASK, ...more } })
    }
    const without = (key: string) => (story: Story) => {
      const { [key]: _, ...task } = TASK as JsonObject
      story.answer(story.ask('tools/call', { name: 't', arguments: {}, task: {} }), { task })
    }
    const whole = (story: Story) => creates(story, {})
    test.each(
      eachOf(
        [
          ['TASK-05 MUST', ['2025-11-25'], ...pair(creates, { pollInterval: 0.5 }, { pollInterval: 5 })],
          ['TASK-15 MUST', ['2025-11-25'], ...pair(creates, { ttl: '60s' }, { ttl: 60 })],
          ['TASK-15 MUST', ['2025-11-25'], without('ttl'), whole],
          ['TASK-04 MUST', ['2025-11-25'], without('taskId'), whole],
          ['TASK-04 MUST', ['2025-11-25'], without('createdAt'), whole],
          ['TASK-04 MUST', ['2025-11-25'], ...pair(creates, { lastUpdatedAt: 5 })],
          [
            'TASK-12 MUST',
            ['2025-11-25'],
            ...pair((story, more) => story.call('tasks/list', {}, { tasks: [], ...more }), { nextCursor: 2 }),
          ],
          ['TASK-09 MUST', ['2025-11-25'], ...pair(creates, { status: 'done' })],
        ],
        TASKS,
      ),
    )(
      'TASK-04, TASK-05, TASK-09, TASK-15: the form of a task is cited by the row of its member: %s in %s',
      (_expected, _revision, check) => check(),
    )
  })
})
