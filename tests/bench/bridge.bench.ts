/**
 * What a bridge between HTTP and stdio costs: 2,000 calls in sequence and bursts of 20,000 notifications through
 * Periscope's proxy and through each other bridge, with the same server and the same client. They take turns in blocks, so
 * that a busy machine slows down all of them alike. The budgets are ratios to the best of the others: below 1, Periscope leads.
 *
 * The others come from npm. One that can't be installed or started is left out, with a line that says so.
 */
import { connectTo, type BridgeClient } from './bridge-client.ts'
import { BRIDGES, type Bridge } from './bridge-peers.ts'
import type { Bench, Measure } from './run.ts'

/** Short blocks: what slows down the machine for a moment then hits several bridges. */
const ROUNDS = 80
const CALLS = 25
const BURST = 20_000
const BURSTS = 3
/** Calls before the first round, until the code of all sides is compiled. */
const WARM_UP = 500

interface Contender {
  readonly bridge: Bridge
  readonly client: BridgeClient
  /** ms to each response. */
  readonly latencies: number[]
  /** ms of each block of calls, with what a client waits for between them. */
  readonly blocks: number[]
  /** Messages per second of each burst. */
  readonly rates: number[]
  /** Notifications of the bursts that never arrived. */
  lost: number
}

const start = async (name: string, open: () => Promise<Bridge>): Promise<Contender | undefined> => {
  try {
    const bridge = await open()
    try {
      const client = await connectTo(await bridge.wire())
      return { bridge, client, latencies: [], blocks: [], rates: [], lost: 0 }
    } catch (error) {
      await bridge.close()
      throw error
    }
  } catch (error) {
    if (name === 'periscope') throw error
    console.log(`bridge: ${name} is left out: ${error instanceof Error ? error.message : String(error)}`)
    return undefined
  }
}

const callOften = async ({ client }: Contender, count: number): Promise<number[]> => {
  const latencies: number[] = []
  for (let number = 0; number < count; number++) latencies.push(await client.call('echo', { text: `call ${number}` }))
  return latencies
}

/** @returns messages per second */
const burst = async (contender: Contender, count: number): Promise<number> => {
  const { bridge, client } = contender
  const before = client.notifications
  const begun = performance.now()
  await client.call('burst', { count })
  // Some bridges send notifications on another stream than the response.
  while (client.notifications - before < count && performance.now() - begun < 30_000) {
    await new Promise((next) => setTimeout(next, 1))
  }
  const received = client.notifications - before
  contender.lost += count - received
  if (received !== count) console.log(`bridge: ${bridge.name} lost ${count - received} of ${count} notifications`)
  return (received + 1) / ((performance.now() - begun) / 1000)
}

const measureCalls = async (contender: Contender): Promise<void> => {
  const begun = performance.now()
  contender.latencies.push(...(await callOften(contender, CALLS)))
  contender.blocks.push(performance.now() - begun)
}

/** Each begins in its turn, because what comes first finds the machine in another state. */
const inTurn = function* (contenders: readonly Contender[], rounds: number): Generator<Contender> {
  for (let round = 0; round < rounds; round++) {
    const first = round % contenders.length
    yield* [...contenders.slice(first), ...contenders.slice(0, first)]
  }
}

const quantile = (values: readonly number[], part: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))]!

interface Row {
  readonly name: string
  readonly p50: number
  readonly p95: number
  readonly calls: number
  readonly messages: number
}

const rowOf = ({ bridge, latencies, blocks, rates }: Contender): Row => ({
  name: bridge.name,
  p50: quantile(latencies, 0.5),
  p95: quantile(latencies, 0.95),
  calls: (1000 * CALLS) / quantile(blocks, 0.5),
  messages: quantile(rates, 0.5),
})

const print = (rows: readonly Row[]): void => {
  const cells = rows.map(({ name, p50, p95, calls, messages }) => [
    name,
    p50.toFixed(3),
    p95.toFixed(3),
    calls.toFixed(),
    messages.toFixed(),
  ])
  for (const [name, ...figures] of [['bridge', 'p50 in ms', 'p95 in ms', 'calls/s', 'messages/s'], ...cells]) {
    console.log(name!.padEnd(40) + figures.map((figure) => figure.padStart(12)).join(''))
  }
}

const bench: Bench = async () => {
  const contenders: Contender[] = []
  try {
    for (const [name, open] of Object.entries(BRIDGES)) {
      const contender = await start(name, open)
      if (contender) contenders.push(contender)
    }
    for (const contender of contenders) {
      await callOften(contender, WARM_UP)
      await burst(contender, BURST)
    }
    for (const contender of inTurn(contenders, ROUNDS)) await measureCalls(contender)
    for (const contender of inTurn(contenders, BURSTS)) contender.rates.push(await burst(contender, BURST))
  } finally {
    for (const { client } of contenders) client.close()
    await Promise.all(contenders.map(({ bridge }) => bridge.close()))
  }
  const [ours, ...others] = contenders.map(rowOf)
  print([ours!, ...others])
  const lost: Measure = { name: 'bridge-lost', value: contenders[0]!.lost, unit: 'messages', limit: 0 }
  if (others.length === 0) return [lost]
  const best = (of: (row: Row) => number): number => Math.min(...others.map(of))
  const ratio = (name: string, of: (row: Row) => number): Measure => {
    return { name: `bridge-${name}`, value: of(ours!) / best(of), unit: 'x', limit: 1 }
  }
  return [
    lost,
    ratio('p50', ({ p50 }) => p50),
    ratio('p95', ({ p95 }) => p95),
    ratio('call-time', ({ calls }) => 1 / calls),
    ratio('message-time', ({ messages }) => 1 / messages),
  ]
}

export default bench
