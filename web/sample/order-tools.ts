/** The sample server's REST API of orders: pages, and the status codes of failed requests as tool errors. */
import { ORDER_STATES, type Order } from './data.ts'
import { choiceOf, failure, numberOf, structured, type SampleTool, type ToolCall } from './tool.ts'

const ORDER = {
  type: 'object',
  properties: {
    id: { type: 'integer' },
    customer: { type: 'string' },
    total: { type: 'number' },
    status: { type: 'string', enum: ORDER_STATES },
  },
  required: ['id', 'customer', 'total', 'status'],
} as const

const ID = { type: 'integer', description: 'Number of the order', minimum: 1 } as const

const found = (call: ToolCall): Order | undefined => {
  const id = numberOf(call, 'id', { minimum: 1, integer: true })
  return call.data.orders.find((order) => order.id === id)
}

const NOT_FOUND = failure('404 Not Found: there is no such order.')

export const ORDER_TOOLS: readonly SampleTool[] = [
  {
    declaration: {
      name: 'list-orders',
      title: 'List orders',
      description: 'GET /orders: a page of the orders, with the total number.',
      inputSchema: {
        type: 'object',
        properties: {
          status: { type: 'string', enum: ['any', ...ORDER_STATES], default: 'any' },
          page: { type: 'integer', minimum: 1, default: 1 },
          perPage: { type: 'integer', minimum: 1, maximum: 10, default: 5 },
        },
      },
      outputSchema: {
        type: 'object',
        properties: {
          orders: { type: 'array', items: ORDER },
          total: { type: 'integer' },
          nextPage: { type: 'integer', description: 'Absent on the last page' },
        },
        required: ['orders', 'total'],
      },
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    run: (call) => {
      const status = choiceOf(call, 'status', ['any', ...ORDER_STATES], 'any')
      const page = numberOf(call, 'page', { fallback: 1, minimum: 1, integer: true })
      const perPage = numberOf(call, 'perPage', { fallback: 5, minimum: 1, maximum: 10, integer: true })
      const all = call.data.orders.filter((order) => status === 'any' || order.status === status)
      const orders = all.slice((page - 1) * perPage, page * perPage).map((order) => ({ ...order }))
      if (orders.length === 0 && page > 1) return failure('404 Not Found: there is no such page.')
      return structured({
        orders,
        total: all.length,
        ...(page * perPage < all.length ? { nextPage: page + 1 } : {}),
      })
    },
  },
  {
    declaration: {
      name: 'get-order',
      title: 'Get an order',
      description: 'GET /orders/{id}. An unknown number is a tool error with status 404.',
      inputSchema: { type: 'object', properties: { id: ID }, required: ['id'] },
      outputSchema: ORDER,
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    run: (call) => {
      const order = found(call)
      return order ? structured({ ...order }) : NOT_FOUND
    },
  },
  {
    declaration: {
      name: 'cancel-order',
      title: 'Cancel an order',
      description: 'POST /orders/{id}/cancel. Orders that were shipped are a tool error with status 409.',
      inputSchema: { type: 'object', properties: { id: ID }, required: ['id'] },
      outputSchema: ORDER,
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    },
    run: (call) => {
      const order = found(call)
      if (!order) return NOT_FOUND
      if (order.status === 'shipped') return failure('409 Conflict: the order was shipped and can’t be cancelled.')
      order.status = 'cancelled'
      return structured({ ...order })
    },
  },
]
