import { expect, test } from 'vitest'
import { eventually } from '../../../tests/patience.ts'
import { memoryStore } from '../../../tests/memory-store.ts'
import { resolve } from '../../environments/index.ts'
import { Draft } from '../connect/index.svelte.ts'
import { withoutSecrets } from '../connect/index.ts'
import { loadRecent, loadServers, saveRecent } from '../remembered.ts'
import { saveServers, storedDraft, withRecent } from '../storable.ts'
import { fillIn } from '../connect/index.ts'
import { environments } from './index.svelte.ts'
import { Environments, type SecretStore } from './environments.svelte.ts'
import { secretsKey } from './keys.ts'

const SECRET = 'dev-token-91f3'

/** The storage of credentials, as `TypedValues` offers it. */
const vault = () => {
  const pairs = new Map<string, readonly (readonly [string, string])[]>()
  const listeners = new Set<() => void>()
  const store: SecretStore = {
    of: (key) => pairs.get(key),
    keep: async (key, kept) => {
      pairs.set(key, kept)
      for (const each of listeners) each()
      return undefined
    },
    forget: (key) => {
      pairs.delete(key)
      for (const each of listeners) each()
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
  return { store, pairs }
}

const filled = (store: Environments, remember = false) => {
  const id = store.add('dev')!
  const variables = [
    { name: 'host', value: 'localhost:3000', secret: false },
    { name: 'token', value: SECRET, secret: true },
  ]
  store.put({ id, name: 'dev', variables, remember })
  return id
}

test('the first environment becomes active; a new tab begins with the choice, and each tab has its own', () => {
  const local = memoryStore()
  const one = new Environments(undefined, { local, session: memoryStore() })
  const dev = filled(one)
  expect(one.scope.environment).toBe('dev')
  const staging = one.add('staging')!
  expect(one.active).toBe(dev)
  one.activate(staging)
  const session = memoryStore()
  const two = new Environments(undefined, { local, session })
  expect(two.active).toBe(staging)
  two.activate(undefined)
  expect([one.active, two.active, two.scope.on]).toEqual([staging, undefined, true])
  // After a reload as well.
  one.activate(dev)
  expect(new Environments(undefined, { local, session }).active).toBeUndefined()
})

test('values of secrets are in memory only, and a reload leaves their names', () => {
  const local = memoryStore()
  const session = memoryStore()
  const store = new Environments(undefined, { local, session })
  filled(store)
  expect(store.values).toMatchObject({ '{{host}}': 'localhost:3000', '{{token}}': SECRET })
  expect(store.publicValues).toEqual({ '{{host}}': 'localhost:3000' })
  expect(store.secrets).toEqual([SECRET])
  expect([...local.all.values(), ...session.all.values()].join()).not.toContain(SECRET)
  const later = new Environments(undefined, { local, session })
  expect(later.scope.variables.get('token')).toEqual({ name: 'token', value: '', secret: true })
  expect(resolve('{{token}}', later.scope).faults).toMatchObject([{ why: 'lost' }])
})

test('values of secrets that are remembered come back, until they are forgotten here or in the list of credentials', async () => {
  const local = memoryStore()
  const { store: secrets, pairs } = vault()
  const open = () => new Environments(async () => secrets, { local, session: memoryStore() })
  const store = open()
  const id = filled(store, true)
  await eventually(() => expect(pairs.get(secretsKey(id))).toEqual([['token', SECRET]]))
  expect([...local.all.values()].join()).not.toContain(SECRET)
  const later = open()
  await eventually(() => expect(later.secrets).toEqual([SECRET]))
  secrets.forget(secretsKey(id))
  expect([later.all[0]!.remember, later.secrets]).toEqual([false, [SECRET]])
  later.put({ ...later.all[0]!, remember: true })
  await eventually(() => expect(pairs.size).toBe(1))
  later.remove(id)
  await eventually(() => expect(pairs.size).toBe(0))
  expect(local.all.has('periscope.environments')).toBe(false)
})

test('a second tab takes over a secret that the first one stores later, and an edit there keeps it', async () => {
  const local = memoryStore()
  const { store: secrets, pairs } = vault()
  const encrypting: SecretStore = {
    ...secrets,
    keep: async (key, kept) => {
      await new Promise((resolve) => setTimeout(resolve, 5))
      return secrets.keep(key, kept)
    },
  }
  const open = (store: SecretStore) => new Environments(async () => store, { local, session: memoryStore() })
  const first = open(encrypting)
  const id = filled(first)
  const second = open(secrets)
  second.follow()
  first.put({ ...first.all[0]!, remember: true })
  second.follow()
  await eventually(() => expect(second.secrets).toEqual([SECRET]))
  second.put({ ...second.all[0]!, name: 'development' })
  await eventually(() => expect(local.all.get('periscope.environments')).toContain('development'))
  expect(pairs.get(secretsKey(id))).toEqual([['token', SECRET]])
})

test('a connection is filled in from the active environment, and what is stored of it has only references', async () => {
  expect(environments.store).toBeUndefined()
  const store = await environments.load()
  const id = filled(store)
  try {
    const draft = new Draft()
    draft.text = 'http://{{host}}/{{unknown}}/mcp?key={{token}}'
    draft.headers.push({ name: 'Authorization', value: 'Bearer {{token}}' }, { name: 'X-Team', value: '{{host}}' })
    const { target } = draft
    expect(draft.missingIn(target)).toEqual(['{{unknown}}'])
    draft.fill({ '{{unknown}}': 'a/b' })
    expect(draft.missingIn(target)).toEqual([])
    expect(fillIn(target!, draft.values)).toEqual({
      kind: 'url',
      url: `http://localhost:3000/a%2Fb/mcp?key=${SECRET}`,
      headers: [
        ['Authorization', `Bearer ${SECRET}`],
        ['X-Team', 'localhost:3000'],
      ],
    })
    // What may be shown.
    expect(JSON.stringify(fillIn(target!, draft.shownValues))).not.toContain(SECRET)
    const stored = withoutSecrets(target!)
    expect(stored.dropped).toEqual([])
    expect(stored.target).toMatchObject({
      headers: [
        ['Authorization', 'Bearer {{token}}'],
        ['X-Team', '{{host}}'],
      ],
    })
    expect(JSON.parse(storedDraft(draft))).toMatchObject({
      headers: [
        ['Authorization', 'Bearer {{token}}'],
        ['X-Team', '{{host}}'],
      ],
    })
    // What names the server in storage holds nothing that was typed.
    const named = JSON.stringify(fillIn(target!, draft.namedValues))
    expect(named).toContain('localhost:3000')
    expect(named).not.toMatch(new RegExp(`a%2Fb|${SECRET}`))
    // A link can't take a secret with it: the form asks for it.
    draft.isFromLink = true
    expect(draft.missingIn(target)).toEqual(['{{token}}'])
    expect(Draft.fromStored(storedDraft(draft)).isFromLink).toBe(true)
    // The server of this tab and the one in the list keep the mark of the link.
    const disk = memoryStore()
    saveServers(disk, [{ link: 's1', name: 'a', target: target!, settings: {}, launch: false, linked: true }])
    saveRecent(disk, withRecent([], { name: 'a', target: target!, settings: {}, linked: true }, 1))
    for (const { target, linked } of [loadServers(disk)[0]!, loadRecent(disk)[0]!])
      expect(Draft.of(target, [], {}, '', [], linked).missingIn(target)).toContain('{{token}}')
    draft.isFromLink = false
    // Chosen as literal text.
    draft.asIs = ['{{host}}']
    expect(fillIn(target!, draft.values)).toMatchObject({ headers: [expect.anything(), ['X-Team', '{{host}}']] })
    // Nothing of the environment is remembered with the server.
    expect(draft.ownValues).toEqual({ '{{unknown}}': 'a/b' })
  } finally {
    store.remove(id)
  }
})

test('a command takes variables in its arguments, its environment and its folder, and hides nothing but them', async () => {
  const store = await environments.load()
  const id = filled(store)
  try {
    const draft = new Draft()
    draft.text = 'node server.js --host {{host}} --token {{token}}'
    draft.env.push({ name: 'API_KEY', value: '{{token}}' })
    draft.cwd = '/srv/{{host}}'
    const { target } = draft
    expect(draft.missingIn(target)).toEqual([])
    expect(fillIn(target!, draft.values)).toMatchObject({
      args: ['server.js', '--host', 'localhost:3000', '--token', SECRET],
      env: { API_KEY: SECRET },
      cwd: '/srv/localhost:3000',
    })
    expect(withoutSecrets(target!)).toEqual({ target, dropped: [] })
  } finally {
    store.remove(id)
  }
})
