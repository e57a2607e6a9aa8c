/**
 * Duties of the client or its user interface that no test can prove, each with the reason. One that gets a proof is taken
 * out here: `tests/requirements.test.ts` refuses ids that are in both.
 */
export const untestable: Readonly<Record<string, string>> = {
  'JS-03': 'A duty to write something down. What is written: the note of a form names the dialects it can check.',
  'ICON-01':
    'Nothing draws icons yet, they are told as JSON; which formats are drawn is to be proven with what draws them.',
  'ICON-02': 'Nothing draws icons yet, so no address of one is used; to be proven with what draws them.',
  'ICON-03': 'Nothing draws icons yet, so none is fetched; to be proven with what draws them.',
  'ICON-04': 'Nothing draws icons yet, so no bytes of one are read; to be proven with what draws them.',
  'ICON-05': 'Nothing draws icons yet, from any origin; to be proven with what draws them.',
  'TR-CUST-02':
    'There is no transport over a byte stream of its own: stdio has the framing, sockets are out of a page’s reach.',
}
