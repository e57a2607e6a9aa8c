/** Keys within a question belong to its answer: ⌘↵ there must not run the call that it stands in a second time. */
export const isInServerRequest = ({ target }: Event): boolean =>
  target instanceof Element && target.closest('[data-question]') !== null
