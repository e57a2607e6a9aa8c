/** The data sources of the sample server: everything is in memory, and each connection has its own. */

export interface StoredObject {
  readonly content: string
  readonly mimeType: string
}

export type OrderStatus = 'open' | 'paid' | 'shipped' | 'cancelled'

export interface Order {
  readonly id: number
  readonly customer: string
  readonly total: number
  status: OrderStatus
}

export type Cell = string | number
export type Row = Readonly<Record<string, Cell>>

export interface SampleData {
  readonly objects: Map<string, StoredObject>
  readonly orders: readonly Order[]
}

export const ORDER_STATES = ['open', 'paid', 'shipped', 'cancelled'] as const satisfies readonly OrderStatus[]

const CUSTOMERS = ['Ada', 'Blaise', 'Chien-Shiung', 'Dorothy', 'Emmy', 'Fei-Fei', 'Grace']

/** The same at the beginning of every connection. */
export const sampleData = (): SampleData => ({
  objects: new Map([
    ['charts/harbour.csv', { content: 'berth,depth\n1,4.5\n2,6\n3,9.5\n', mimeType: 'text/csv' }],
    ['charts/strait.csv', { content: 'mark,depth\nnorth,31\nsouth,28\n', mimeType: 'text/csv' }],
    ['notes/watch.md', { content: '# Watch\n\nTwo lights in the north.\n', mimeType: 'text/markdown' }],
  ]),
  orders: Array.from({ length: 23 }, (_, at) => ({
    id: at + 1,
    customer: CUSTOMERS[at % CUSTOMERS.length]!,
    total: 20 + ((at * 37) % 180),
    status: ORDER_STATES[at % 3]!,
  })),
})

/** The tables of the database, which nothing changes. */
export const TABLES: Readonly<Record<string, readonly Row[]>> = {
  ships: [
    { id: 1, name: 'Nautilus', kind: 'submarine', length: 70, port: 'Brest' },
    { id: 2, name: 'Calypso', kind: 'motor', length: 42, port: 'Marseille' },
    { id: 3, name: 'Belem', kind: 'sail', length: 58, port: 'Nantes' },
    { id: 4, name: 'Alvin', kind: 'submarine', length: 7, port: 'Woods Hole' },
    { id: 5, name: 'Gorch Fock', kind: 'sail', length: 89, port: 'Kiel' },
  ],
  voyages: [
    { id: 1, ship: 'Nautilus', destination: 'Crete', days: 24 },
    { id: 2, ship: 'Calypso', destination: 'Galápagos', days: 61 },
    { id: 3, ship: 'Belem', destination: 'Rio de Janeiro', days: 38 },
    { id: 4, ship: 'Alvin', destination: 'Mid-Atlantic Ridge', days: 9 },
    { id: 5, ship: 'Gorch Fock', destination: 'Santiago', days: 90 },
    { id: 6, ship: 'Nautilus', destination: 'Vigo', days: 12 },
  ],
}
