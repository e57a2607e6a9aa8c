/** The outcomes of a request, worded the same on every screen, in announcements and in reports. */
export default {
  ok: 'ok',
  toolError: 'tool error',
  error: 'error',
  errorCode: (code: string) => `error ${code}`,
  pending: 'pending',
  waitingForYou: 'waiting for you',
  cancelled: 'cancelled',
  timedOut: 'timed out',
  lost: 'lost',
  probe: 'probe',
  unexpected: 'unexpected',
  okViolations: (count: number) => (count === 1 ? 'ok · 1 violation' : `ok · ${count} violations`),
  violations: (count: number) => (count === 1 ? '1 violation' : `${count} violations`),
}
