/** Parameters of every notification, by method. */
import { any, array, bag, boolean, by, extended, from, id, inTurn, literal, number, object } from './shape.ts'
import { only, optional, quiet, string, until, type FieldNodes } from './shape.ts'
import { taskFields, taskInFull, TASKS } from './tasks.ts'

/** SF-LOG-05: the eight syslog levels. */
export const logLevel = literal('debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency')

/** META-17: a notification on a listen stream names its subscription. */
const meta = optional(
  by('META-01', quiet({ 'io.modelcontextprotocol/subscriptionId': from('2026-07-28', optional(by('META-17', id()))) })),
)
const nothing = optional(object({ _meta: meta }))

/** SUB-01. */
export const subscriptionFilter = by(
  'SUB-01',
  object({
    toolsListChanged: optional(boolean()),
    promptsListChanged: optional(boolean()),
    resourcesListChanged: optional(boolean()),
    resourceSubscriptions: optional(array(string())),
    taskIds: extended(TASKS, optional(array(string()))),
  }),
)

export const cancelledParams = by(
  'UT-CANC-01 2026-07-28 UT-CANC-02',
  object({
    // Optional in 2025-11-25, because a task's notification has no request to name.
    requestId: inTurn(until('2025-06-18', id()), only('2025-11-25', optional(id())), from('2026-07-28', id())),
    reason: optional(string()),
    _meta: meta,
  }),
)
export const progressParams = by(
  'UT-PROG-02',
  object({
    progressToken: by('UT-PROG-01', id()),
    progress: number(),
    total: optional(number()),
    message: from('2025-03-26', optional(string())),
    _meta: meta,
  }),
)
export const logMessageParams = by(
  'SF-LOG-05',
  object({ level: logLevel, logger: optional(string()), data: any(), _meta: meta }),
)

export const notificationParams: FieldNodes = {
  'notifications/initialized': nothing,
  'notifications/cancelled': cancelledParams,
  'notifications/progress': progressParams,
  'notifications/message': logMessageParams,
  'notifications/tools/list_changed': nothing,
  'notifications/prompts/list_changed': nothing,
  'notifications/resources/list_changed': nothing,
  'notifications/roots/list_changed': nothing,
  'notifications/resources/updated': by('SF-RES-08', object({ uri: string(), _meta: meta })),
  'notifications/elicitation/complete': by('CF-URL-05', object({ elicitationId: string() })),
  'notifications/tasks/status': by('TASK-09', object({ ...taskFields, _meta: meta })),
  'notifications/tasks': taskInFull({ _meta: meta }),
  'notifications/subscriptions/acknowledged': by('SUB-02', object({ notifications: subscriptionFilter, _meta: meta })),
}

/** Requirements of the envelope for the parameters of an unknown notification. */
export const anyNotificationParams = optional(object({ _meta: until('2025-06-18', optional(by('META-01', bag()))) }))
