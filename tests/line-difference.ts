/** The lines that only one of two texts has. A line that changed places is gone from one and added in the other. */
export const difference = (before: string, after: string): { gone: readonly string[]; added: readonly string[] } => {
  const [one, two] = [before.split('\n'), after.split('\n')]
  // The most lines that both have from here on, in the same order.
  const common = Array.from({ length: one.length + 1 }, () => new Uint32Array(two.length + 1))
  for (let a = one.length - 1; a >= 0; a--)
    for (let b = two.length - 1; b >= 0; b--)
      common[a]![b] = one[a] === two[b] ? common[a + 1]![b + 1]! + 1 : Math.max(common[a + 1]![b]!, common[a]![b + 1]!)
  const [gone, added]: [string[], string[]] = [[], []]
  let [a, b] = [0, 0]
  while (a < one.length || b < two.length) {
    if (a < one.length && b < two.length && one[a] === two[b]) [a, b] = [a + 1, b + 1]
    else if (b === two.length || (a < one.length && common[a + 1]![b]! >= common[a]![b + 1]!)) gone.push(one[a++]!)
    else added.push(two[b++]!)
  }
  return { gone: gone.map((line) => line.trim()), added: added.map((line) => line.trim()) }
}
