/** The shared behaviours over stdio, through the local proxy. */
import { afterAll, inject } from 'vitest'
import { WIRE_REVISIONS, wireCase } from '../../tests/wire.case.ts'
import { VERSED } from '../../tests/wire-speech.ts'
import { Bridge, StdioBridgeTransport, eraOf } from './index.ts'

const bridge = new Bridge({ base: `${inject('proxyUrl')}/`, token: inject('proxyToken') })
afterAll(() => bridge.leave())

const process = (script: string, argument: string) => () =>
  new StdioBridgeTransport({
    bridge,
    spawn: { command: inject('nodePath'), args: [`${inject('root')}/tests/servers/${script}`, argument] },
  })

for (const revision of WIRE_REVISIONS)
  wireCase({
    name: 'stdio',
    revision,
    transport: process('versed-stdio.mjs', revision),
    arrays: process('era-stdio.mjs', 'batch-parts'),
    speech: VERSED,
    ends: 'process',
    channel: bridge,
    cannot: eraOf(revision) === 'stateless' ? { late: 'the SDK v2 lets no tool answer what was cancelled' } : {},
  })
