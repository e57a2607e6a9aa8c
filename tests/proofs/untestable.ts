/**
 * Requirements for the client or its user interface that no test can prove, each with the reason. Remove an entry once
 * it has a proof: `tests/requirements.test.ts` rejects ids that are in both.
 */
export const untestable: Readonly<Record<string, string>> = {
  'JS-03': 'A duty to write something down. What is written: the note of a form names the dialects it can check.',
  'TR-CUST-02':
    'There is no transport over a byte stream of its own: stdio has the framing, sockets are out of a page’s reach.',
}
