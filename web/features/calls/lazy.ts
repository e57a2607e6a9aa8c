/** Pinned calls, loaded when first needed. */
export const loadPinCall = () => import('./pin-call.ts')
