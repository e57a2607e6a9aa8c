import { test } from 'vitest'
import { kinds } from '../../tests/servers/hostile-oauth/kinds.ts'
import { clientOf, endsOf, inPage } from './hostile.case.ts'
test.concurrent.each(Object.keys(kinds))('%s', async (name) => {
  const c = await clientOf(name)
  const e = await c.drive()
  await c.end()
  const r = endsOf(c.kind)[0]!
  if (r.outcome !== e.outcome || r.step !== e.step || e.step==='use' && e.outcome==='stopped') console.log(`@@ ${inPage} ${name}: ${r.outcome}/${r.step} -> ${e.outcome}/${e.step} ${e.code} ${e.why?.slice(0,120)}`)
})
