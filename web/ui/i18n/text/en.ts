export default {
  /** What stands beside a mask or is left of a secret, as it is recorded. */
  marks: (text: string) => text,
}
