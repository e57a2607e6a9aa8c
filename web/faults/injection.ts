/** The faults of a connection, in the places where what it receives passes through. */
import type { DisturbedLine, DisturbedRequest, Interference, LineEnd } from '../mcp/index.ts'
import { FaultChooser } from './chooser.ts'
import { disturbedExchange } from './exchange.ts'
import { FaultyLine } from './line.ts'

export class FaultInjection extends FaultChooser implements Interference {
  exchange(request: DisturbedRequest): Promise<Response> {
    return disturbedExchange(request, this)
  }

  line<Item>(end: LineEnd<Item>): DisturbedLine<Item> {
    return new FaultyLine(end, this)
  }
}
