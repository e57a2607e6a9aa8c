export default {
  /** Beside a mask. */
  length: (count: string) => `${count} characters`,
  /** The rule that removed it. */
  removed: (rule: string) => `removed: ${rule}`,
}
