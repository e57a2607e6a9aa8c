/** A server's stdout: only messages, one per line. */
import { group, show } from '../rule.ts'

/** The start of a message that continues on the next line; `[INFO] started` isn't one. */
const BROKEN_OFF = /^\s*(\{\s*("|$)|\[\s*(\{|$))/

export const stdio = group(['BP-14', 'TR-STDIO-02', 'TR-STDIO-05'], () => ({
  process(frame, say) {
    if (frame.event !== 'stdout-noise') return
    say('TR-STDIO-05', `Not a message: ${show(frame.text)}`)
    if (BROKEN_OFF.test(frame.text)) say('TR-STDIO-02', `A line that is part of a message: ${show(frame.text)}`)
    if (frame.invalidUtf8) say('BP-14', "Some bytes aren't valid UTF-8")
  },
}))
