/**
 * Server requests (roots, sampling, elicitation): which tests prove which requirement. See `../requirements.ts` for how
 * to add a proof.
 */
import { titles, type Proofs } from './proof.ts'

const featureRules = titles('web/features/lint-rules.test.ts')
const lintAnswers = titles('web/lint/wire/answers.test.ts')
const lintDeclared = titles('web/lint/wire/declared.test.ts')
const lintForms = titles('web/lint/wire/forms.test.ts')
const answer = titles('web/features/sampling/answer.test.ts')
const desk = titles('web/features/server-requests/pending-requests.test.ts')
const duties = titles('web/mcp/duties.test.ts')
const edit = titles('web/features/sampling/edit.test.ts')
const elicitation = titles('web/features/elicitation/elicitation.test.ts')
const endpoint = titles('web/features/sampling/endpoint.test.ts')
const formStory = titles('tests/e2e/forms.spec.ts')
const inputRequired = titles('web/mcp/input-required.test.ts')
const lintFlow = titles('web/lint/wire/flow.test.ts')
const matrix = titles('web/forms/matrix.test.ts')
const questions = titles('web/features/server-requests/server-requests-fold.test.ts')
const rate = titles('web/features/server-requests/request-log.test.ts')
const roots = titles('web/features/roots/roots.test.ts')
const rules = titles('web/features/sampling/rules.test.ts')
const story = titles('tests/e2e/questions.spec.ts')
const visits = titles('web/features/elicitation/folds.test.ts')

// Proofs shared by several rows.
const choices = elicitation(
  'each form of choice is offered under its titles; too few or too many of several are told (CF-FORM-03, CF-FORM-04, CF-FORM-06)',
)
const rootsDeclared = roots('listChanged is declared up to 2025-11-25, and roots alone after (CF-ROOT-01, CF-ROOT-07)')
const rootsAtReference = roots(
  'the reference server is told the roots when it asks, and the new ones after list_changed (CF-ROOT-01, CF-ROOT-03)',
)
const rootStory = story('roots: what its user typed in is what the server gets')
const samplingDeclared = rules('sampling is declared in each revision as that revision knows it (CF-SAMP-01)')
const samplingStory = story('sampling: shown whole, answered by hand, by a model of one’s own, and rejected')
const requestBreaches = answer(
  'each breach of a request is told, with its place (CF-SAMP-03, CF-SAMP-05, CF-SAMP-07, CF-SAMP-10, CF-SAMP-14)',
)
const toolCalls = answer('calls of tools are judged by what was offered (CF-SAMP-08, CF-SAMP-10)')
const modes = elicitation(
  'without a mode it is a form (CF-ELIC-02); a mode that was not declared is named with its rule (CF-ELIC-05)',
)
const elicitationStory = story(
  'elicitation: a form that is checked and keeps its defaults, an address that is looked at first',
)
const undeclaredMode = elicitation(
  'a mode that was not declared is refused with -32602, and all else waits for its user (CF-ELIC-05, CF-ELIC-03)',
)
const allowedSchemas = elicitation(
  'every form of schema that 2025-11-25 and 2026-07-28 allow is taken without a word (CF-FORM-01, -02, -04, -06)',
)
const oddSchemas = elicitation('%s is named with its rule')
const defaults = elicitation(
  'a form opens with every default, the empty and the false ones too, and sent untouched they are the answer (CF-FORM-05)',
)
const visitStory = story(
  'pages that -32042 names are visited when wished for, and the call is made again by hand (CF-URL-06)',
)

/** In checklist order. */
export const clientFeatures: Proofs = {
  // 7.1 Roots
  'CF-ROOT-01': [
    rootsDeclared,
    rootsAtReference,
    lintDeclared('CF-ROOT-01, CF-SAMP-01, CF-ELIC-01: what the client did not declare is not asked: %s in %s'),
  ],
  'CF-ROOT-02': [
    roots('the root %s is judged (CF-ROOT-02, CF-ROOT-05)'),
    roots('whatever is written, the judgement never throws; what is no file:// URI never passes (CF-ROOT-02)'),
    roots('every absolute path becomes a URI that nothing is wrong with, and that means that path'),
  ],
  'CF-ROOT-03': [
    rootStory,
    rootsAtReference,
    roots('each word that the list changed is remembered with its frame, for each connection apart (CF-ROOT-03)'),
  ],
  'CF-ROOT-04': [
    duties('BP-38: has a code of JSON-RPC, whatever the handler that failed threw'),
    desk('BP-13: what nothing answers is refused with -32601, and waits for nobody'),
  ],
  'CF-ROOT-05': [
    roots('the root %s is judged (CF-ROOT-02, CF-ROOT-05)'),
    roots(
      'a server gets the list of its own, an empty one where nothing was written, and none where its user wants to be asked (SEC-16)',
    ),
  ],
  'CF-ROOT-06': [rootStory],
  'CF-ROOT-07': [rootStory, rootsDeclared],
  // 7.2 Sampling
  'CF-SAMP-01': [
    samplingDeclared,
    lintDeclared('CF-ROOT-01, CF-SAMP-01, CF-ELIC-01: what the client did not declare is not asked: %s in %s'),
  ],
  'CF-SAMP-02': [
    samplingStory,
    rules('nothing is answered by itself until its user turns the rule on (CF-SAMP-02)'),
    edit('editing one text changes that text and nothing else (CF-SAMP-02, CF-SAMP-16)'),
  ],
  'CF-SAMP-03': [
    endpoint('${kind}: never more tokens are asked for than the server permits, whatever was edited (CF-SAMP-03)'),
    endpoint('an answer over the limit is marked (CF-SAMP-03)'),
    requestBreaches,
  ],
  'CF-SAMP-04': [
    endpoint('${kind}: system prompt, temperature and stop sequences are sent; pictures, too (CF-SAMP-04)'),
  ],
  'CF-SAMP-05': [
    answer('hints are parts of names, tried in their order (CF-SAMP-05)'),
    lintForms('the form of a member is cited by its own row: %s in %s'),
  ],
  'CF-SAMP-06': [
    answer('the answer that one begins with fits every revision (CF-SAMP-06)'),
    endpoint('${kind}: a plain question gets an answer that fits every revision (CF-SAMP-06)'),
  ],
  'CF-SAMP-07': [
    answer(
      'an answer is held against the revision: what is missing or comes from a later one is a breach (CF-SAMP-07)',
    ),
    requestBreaches,
  ],
  // Such a request can't occur: wherever tools exist, `sampling.tools` is declared.
  'CF-SAMP-08': [
    samplingDeclared,
    toolCalls,
    lintDeclared(
      'CF-ELIC-01, CF-SAMP-08, TASK-02: what the client declared without a part is asked without it: %s in %s',
    ),
  ],
  'CF-SAMP-09': [
    answer('calls and results must balance: each call answered at once, results alone in their message (CF-SAMP-09)'),
  ],
  'CF-SAMP-10': [
    endpoint('${kind}: toolChoice none and required are passed on (CF-SAMP-10)'),
    toolCalls,
    requestBreaches,
  ],
  'CF-SAMP-11': [
    rules(
      'a person is asked where the request is broken, loops, or is not fitted by the answer (CF-SAMP-09, CF-SAMP-11)',
    ),
    answer('rounds of tool calls are counted, and many are told (CF-SAMP-11)'),
  ],
  'CF-SAMP-12': [samplingStory, desk('CF-SAMP-12: a request is to send an error')],
  'CF-SAMP-13': [
    samplingStory,
    desk(
      'CF-SAMP-13, MRTR-10: a question of a round is to abandon the call: nothing is sent, its other questions are void',
    ),
    inputRequired(
      'CF-SAMP-13: the Trace records that a call was abandoned, and its other input requests are withdrawn',
    ),
    questions('CF-SAMP-13: questions of an abandoned call are withdrawn, and say why'),
  ],
  'CF-SAMP-14': [requestBreaches],
  'CF-SAMP-15': [
    rules('a rule answers with the saved answer, so often in a minute and no more (CF-SAMP-15)'),
    rate('CF-ELIC-06, CF-SAMP-15: questions of one kind are counted over the last minute, for each server apart'),
    answer(
      'a request that is in order has no findings, in any revision but for a note that sampling goes (CF-SAMP-15)',
    ),
  ],
  'CF-SAMP-16': [
    answer(
      'fields and JSON are two views of one value: keys that no field knows stay, _meta of blocks too (CF-SAMP-16)',
    ),
    edit('editing one text changes that text and nothing else (CF-SAMP-02, CF-SAMP-16)'),
  ],
  // 7.3 Elicitation: general
  'CF-ELIC-01': [
    elicitation('the capability is declared as each revision has it (CF-ELIC-01, LC-10)'),
    lintDeclared('CF-ROOT-01, CF-SAMP-01, CF-ELIC-01: what the client did not declare is not asked: %s in %s'),
  ],
  'CF-ELIC-02': [modes],
  'CF-ELIC-03': [elicitationStory, undeclaredMode],
  'CF-ELIC-04': [elicitationStory],
  'CF-ELIC-05': [undeclaredMode, desk('a rule may do it, too'), modes],
  'CF-ELIC-06': [
    story('a server that asks in bursts is told of (CF-ELIC-06)'),
    rate('CF-ELIC-06, CF-SAMP-15: questions of one kind are counted over the last minute, for each server apart'),
  ],
  'CF-ELIC-07': [elicitationStory],
  // 7.4 Elicitation: form mode
  'CF-FORM-01': [allowedSchemas, oddSchemas, elicitationStory],
  'CF-FORM-02': [allowedSchemas, oddSchemas, elicitationStory],
  'CF-FORM-03': [
    choices,
    elicitation(
      'at 2025-06-18 several choices, titles by oneOf and defaults other than of a boolean are not there yet (CF-FORM-03)',
    ),
    oddSchemas,
    featureRules('%s'),
  ],
  'CF-FORM-04': [choices, allowedSchemas, oddSchemas],
  'CF-FORM-05': [
    defaults,
    elicitation('a default is there if and only if the property has one that can be sent'),
    elicitationStory,
    lintForms('the form of a member is cited by its own row: %s in %s'),
  ],
  'CF-FORM-06': [
    choices,
    allowedSchemas,
    lintForms('the form of a member is cited by its own row: %s in %s'),
    featureRules('%s'),
  ],
  'CF-FORM-07': [elicitationStory, formStory('a wrong value is told at its field, and sent when that is meant')],
  'CF-FORM-08': [defaults, matrix('sends what is typed, and changes nothing else')],
  'CF-FORM-09': [elicitation('a yes or no, a choice, and a number of tokens take no secret; a PIN of digits does')],
  'CF-FORM-10': [elicitationStory, oddSchemas],
  // 7.5 Elicitation: URL mode
  'CF-URL-01': [elicitationStory, visitStory],
  'CF-URL-02': [
    elicitationStory,
    elicitation('the address %s is judged'),
    elicitation('only http and https can be opened, and what is opened is what is shown in parts'),
    elicitation('the registered part of a host is told apart, so that a name in front of it deceives nobody'),
    elicitation('a host in Punycode is shown as people read it, and any other text stays as it is'),
  ],
  'CF-URL-03': [elicitationStory],
  'CF-URL-04': [elicitationStory],
  'CF-URL-05': [
    lintFlow('CF-URL-05: only an elicitation that was begun is completed'),
    visits('a completion is told apart by its id; unknown ids, the second time and no id are ignored (CF-URL-05)'),
    lintAnswers('CF-URL-05, META-03: ids and keys: %s in %s'),
  ],
  'CF-URL-06': [visitStory],
  'CF-URL-08': [
    elicitation('an id of URL mode is due at 2025-11-25 (CF-URL-05) and must not be there after (CF-URL-08)'),
    elicitationStory,
    lintDeclared('a method that a version lacks, or must have, is answered as such: %s in %s'),
  ],
  'CF-URL-09': [
    inputRequired('MRTR-11: the call can be cancelled while a question waits for its answer'),
    inputRequired('MRTR-02, MRTR-04: the official SDK asks twice, and gets what it asked for'),
  ],
  'CF-URL-10': [elicitationStory],
}
