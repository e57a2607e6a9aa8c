import { describe, expect, test } from 'vitest'
import { inPage } from '../../../tests/in-page.ts'
import { exclusively, type Locks } from './on-device.ts'
import { Device } from './vault.case.ts'

describe('turns that tabs take', () => {
  const held = async (locks: Locks) => {
    let release!: () => void
    let over!: Promise<void>
    await new Promise<void>((entered) => {
      over = exclusively(locks, 'turn', () => {
        entered()
        return new Promise<void>((done) => (release = done))
      })
    })
    return async () => {
      release()
      await over
    }
  }
  // A page's own locks, if the tests run in one.
  const all: [string, () => Locks][] = [
    ['of the tests', () => new Device().locks],
    ...(inPage ? [['of the browser', () => navigator.locks] as [string, () => Locks]] : []),
  ]

  test.each(all)('%s: one after the other, and what fails gives its turn back', async (_, make) => {
    const locks = make()
    const release = await held(locks)
    const order: number[] = []
    const later = [1, 2, 3].map((count) =>
      exclusively(locks, 'turn', async () => {
        order.push(count)
        await Promise.resolve()
        if (count === 2) throw new RangeError('two')
        return order.push(count)
      }),
    )
    const settled = Promise.allSettled(later)
    await release()
    expect((await settled).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(order).toEqual([1, 1, 2, 3, 3])
  })

  test.runIf(inPage)('nobody waits for ever for a tab that hangs', async () => {
    const release = await held(navigator.locks)
    const waiting = exclusively(navigator.locks, 'turn', () => Promise.resolve('mine'), 30)
    await expect(waiting).rejects.toMatchObject({ name: 'AuthError', code: 'timeout' })
    await release()
  })

  test('a browser that grants none lets the work be done all the same, once', async () => {
    const locks: Locks = { request: () => Promise.reject(new DOMException('denied', 'SecurityError')) }
    let runs = 0
    expect(await exclusively(locks, 'turn', () => Promise.resolve(++runs))).toBe(1)
  })
})
