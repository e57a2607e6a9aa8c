/**
 * Server features (tools, resources, prompts, completion, logging, pagination): which tests prove which requirement.
 * See `../requirements.ts` for how to add a proof.
 */
import { titles, type Proofs } from './proof.ts'

const featureRules = titles('web/features/lint-rules.test.ts')
const lintAnswers = titles('web/lint/wire/answers.test.ts')
const lintDeclared = titles('web/lint/wire/declared.test.ts')
const lintForms = titles('web/lint/wire/forms.test.ts')
const agreement = titles('web/features/tools/structured-content.test.ts')
const completion = titles('web/features/completion/suggestions.test.ts')
const content = titles('web/content/content.test.ts')
const contentStory = titles('tests/e2e/content.spec.ts')
const formStory = titles('tests/e2e/forms.spec.ts')
const kinds = titles('web/content/kinds.test.ts')
const lintContents = titles('web/lint/wire/contents.test.ts')
const lintFlow = titles('web/lint/wire/flow.test.ts')
const lintSubscriptions = titles('web/lint/wire/subscriptions.test.ts')
const lintHttp = titles('web/lint/wire/http.test.ts')
const lintModern = titles('web/lint/wire/modern.test.ts')
const listing = titles('web/features/lists/listing.test.ts')
const lists = titles('web/features/lists/lists.test.ts')
const logs = titles('web/features/logs/logs.test.ts')
const markdown = titles('web/content/markdown-to-html.test.ts')
const matrix = titles('web/forms/matrix.test.ts')
const methods = titles('web/mcp/schema/methods.test.ts')
const model = titles('web/forms/model.test.ts')
const peers = titles('web/features/resources/peers.test.ts')
const prompts = titles('web/features/prompts/prompts.test.ts')
const requestMeta = titles('web/mcp/request-meta.test.ts')
const story = titles('tests/e2e/features.spec.ts')
const taskGate = titles('web/features/tools/task-gate.test.ts')
const template = titles('web/features/resources/uri-template.test.ts')
const tools = titles('web/features/tools/outcome.test.ts')
const toolsFold = titles('web/features/tools/tools-fold.test.ts')
const toolsList = titles('web/features/lists/list-pages.test.ts')
const tree = titles('web/features/resources/tree.test.ts')
const updates = titles('web/features/resources/updates.test.ts')
const validate = titles('web/forms/validate.test.ts')
const wire = titles('tests/wire.case.ts')

// Proofs shared by several rows.
const undeclared = lists(
  'are not asked for where the server did not declare them (SF-RES-01, SF-PROMPT-01, SF-PROMPT-06)',
)
const inPages = lists(
  'are had in all their pages, and again when the server says that they changed (SF-PAGE-07, SF-RES-02, SF-PROMPT-06, SF-PROMPT-07)',
)
const claims = story('what a server says of a tool is told as its claim; what claims to destroy asks first')
const structured = story('structured content is held against what was promised, and each breach has its place')
const resourceStory = story('resources: a list of several pages, contents of every kind, a template that completes')
const subscriptionStory = story('a subscription marks what was updated, and reads it again where its user wants that')
const logStory = story('logging: messages of each level, and fewer where less is asked for')

/** In checklist order. */
export const serverFeatures: Proofs = {
  // 5.1 Tools
  'SF-TOOL-01': [
    lintFlow(
      'SF-TOOL-01, SF-RES-01, SF-PROMPT-01, SF-COMP-01: what works was to be declared, told once; empty lists are well',
    ),
    undeclared,
    lintDeclared('what the server did not declare is neither sent nor answered: %s in %s'),
  ],
  'SF-TOOL-02': [
    toolsList('all pages are fetched, with each cursor as the server sent it, the empty one included'),
    toolsFold('pages are joined in order, and an empty cursor is a cursor (SF-PAGE-03)'),
    lintContents('SF-TOOL-02: the list is a list'),
    inPages,
  ],
  'SF-TOOL-03': [
    tools('the display name is title, then annotations.title, then name (SF-TOOL-03)'),
    lintForms('the form of a member is cited by its own row: %s in %s'),
  ],
  'SF-TOOL-04': [
    lintContents('SF-TOOL-04: names are unique through all pages, and of few characters, from 2025-11-25'),
  ],
  'SF-TOOL-05': [
    claims,
    tools('only a tool that claims destruction itself asks first, and never one that claims to read only'),
  ],
  'SF-TOOL-06': [tools('the defaults of the specification hold where nothing is claimed')],
  'SF-TOOL-07': [
    claims,
    tools('only a tool that claims destruction itself asks first, and never one that claims to read only'),
  ],
  'SF-TOOL-08': [
    formStory('nothing at all is an empty object: no default, no null, no ""'),
    formStory('a wrong value is told at its field, and sent when that is meant'),
    matrix('sends what was opened, letter by letter, through form and JSON'),
    matrix('refuses what does not, at a field that is on the screen'),
    model('shows a tool without properties, with an empty schema or with none as an object with any keys'),
  ],
  'SF-TOOL-09': [tools('content is required beside structured content, too')],
  'SF-TOOL-10': [content('a block the revision does not know yet is shown, with the revision that brought it')],
  'SF-TOOL-11': [
    lintAnswers('SF-RES-04, SF-RES-12, SF-TOOL-11: is what its kind promises: %s in %s'),
    content('no text makes it throw, and what it accepts is what a strict decoder accepts, or is marked'),
    content('bad base64 leaves no bytes and says so'),
    kinds('20 MB are decoded without 50 ms at a stretch, and nothing is lost (SF-TOOL-11)'),
  ],
  'SF-TOOL-13': [structured, validate('are those of $schema, 2020-12 without one')],
  'SF-TOOL-14': [
    tools('with an outputSchema structured content is due, except where the tool failed'),
    lintContents('SF-TOOL-14, SF-TOOL-17: what a tool promised is there, and a text repeats it'),
  ],
  'SF-TOOL-15': [tools('null is structured content from 2026-07-28 on, and is never taken for absent')],
  'SF-TOOL-16': [tools('null is structured content from 2026-07-28 on, and is never taken for absent')],
  'SF-TOOL-17': [
    lintContents('SF-TOOL-14, SF-TOOL-17: what a tool promised is there, and a text repeats it'),
    agreement(
      'SF-TOOL-17: a text that repeats the structured content, with other spaces and another order, is in order',
    ),
    agreement('SF-TOOL-17: five megabytes are compared as well, in steps'),
  ],
  'SF-TOOL-18': [wire('SF-TOOL-18: a tool that failed answers with a result, a call that cannot be with an error')],
  'SF-TOOL-19': [
    lintAnswers('BP-30, BP-35, SF-TOOL-19: a code has its meaning: %s in %s'),
    lintAnswers('SF-TOOL-19: up to 2025-06-18, invalid arguments are a protocol error'),
  ],
  'SF-TOOL-21': [
    toolsList('many changes at once are one refresh, and changes during it are one more'),
    wire('SUB-01, SF-TOOL-21: that the list of tools changed is heard of'),
    inPages,
    lintDeclared('what the server did not declare is neither sent nor answered: %s in %s'),
  ],
  'SF-TOOL-22': [lintContents('SF-TOOL-22: the same tools come in the same order')],
  'SF-TOOL-23': [
    taskGate('at %s with %j a tool that says %s: %s'),
    taskGate('the wish is sent only where it may be; what must run so does, unless the user says no'),
  ],
  'SF-TOOL-24': [
    wire('UT-TIME-02: a call without a sign of life is given up, and cancelled at the server'),
    structured,
    wire('leaves a trace in which nothing is pending, and that is the same written and read again'),
  ],
  // 5.2 Resources
  'SF-RES-01': [
    lintFlow(
      'SF-TOOL-01, SF-RES-01, SF-PROMPT-01, SF-COMP-01: what works was to be declared, told once; empty lists are well',
    ),
    undeclared,
    lintDeclared('what the server did not declare is neither sent nor answered: %s in %s'),
  ],
  'SF-RES-02': [
    inPages,
    resourceStory,
    peers('server-everything: lists, templates, a read by template, and an update that comes by itself'),
  ],
  'SF-RES-03': [
    resourceStory,
    kinds('a text and a blob are read without a type, with their _meta'),
    updates('no contents at all are told from none that were found (SF-RES-03, SF-RES-05)'),
  ],
  'SF-RES-04': [
    lintAnswers('SF-RES-04, SF-RES-12, SF-TOOL-11: is what its kind promises: %s in %s'),
    resourceStory,
    kinds('a text and a blob are read without a type, with their _meta'),
    kinds('%s is noted'),
    kinds('no JSON value makes it throw, and the value is kept'),
  ],
  'SF-RES-05': [updates('no contents at all are told from none that were found (SF-RES-03, SF-RES-05)')],
  'SF-RES-06': [
    template('are found behind the operator "%s"'),
    template('of %s is that of the RFC: %s'),
    template('for plain values it is what another implementation of the RFC makes of them'),
    resourceStory,
    featureRules('%s'),
  ],
  'SF-RES-07': [
    lintFlow('SF-RES-07: an update of a resource belongs to a subscription'),
    peers('is listed, read, subscribed to, heard of and left, all in the same words (SF-RES-07, SF-RES-09)'),
    updates('stand when the server says so, and end when it says so'),
    subscriptionStory,
    lintDeclared('SF-RES-07, SF-RES-09: only subscribed resources may be updated: %s in %s'),
  ],
  'SF-RES-08': [
    updates('of a part are told of the subscription that fits best (SF-RES-08)'),
    updates('a name that only begins alike is no part'),
  ],
  'SF-RES-09': [
    peers('is listed, read, subscribed to, heard of and left, all in the same words (SF-RES-07, SF-RES-09)'),
    updates('what was not granted is told as refused (SUB-03)'),
    subscriptionStory,
    lintDeclared('SF-RES-07, SF-RES-09: only subscribed resources may be updated: %s in %s'),
  ],
  'SF-RES-10': [kinds('audience, priority and lastModified are read, and what is none of them is kept')],
  'SF-RES-12': [
    lintAnswers('SF-RES-04, SF-RES-12, SF-TOOL-11: is what its kind promises: %s in %s'),
    tree('the pieces of any text, put together, are the text (SF-RES-12)'),
    tree('no resource is lost, and the labels above it with its own are its URI'),
    content('only http, https and mailto lead anywhere'),
  ],
  'SF-RES-13': [inPages, lintDeclared('what the server did not declare is neither sent nor answered: %s in %s')],
  // 5.3 Prompts
  'SF-PROMPT-01': [
    lintFlow(
      'SF-TOOL-01, SF-RES-01, SF-PROMPT-01, SF-COMP-01: what works was to be declared, told once; empty lists are well',
    ),
    undeclared,
    lintDeclared('what the server did not declare is neither sent nor answered: %s in %s'),
  ],
  'SF-PROMPT-02': [
    prompts('arguments go out as strings, the absent ones not at all, the empty ones as empty (SF-PROMPT-02)'),
    prompts('what is required and would not be sent is told; an empty text is a value'),
    prompts('an entry of any shape is read without a throw, and what is wrong with it is told (SF-PROMPT-02)'),
  ],
  'SF-PROMPT-03': [
    prompts('prompts are listed, got, and read from the Trace with all content types (SF-PROMPT-03, SF-PROMPT-04)'),
    prompts('messages of any shape lose nothing: each block that came is there, and a breach is told (SF-PROMPT-03)'),
    featureRules('%s'),
  ],
  'SF-PROMPT-04': [
    prompts('prompts are listed, got, and read from the Trace with all content types (SF-PROMPT-03, SF-PROMPT-04)'),
    story('prompts: arguments that complete by each other, messages as a conversation'),
    content('a block the revision does not know yet is shown, with the revision that brought it'),
  ],
  'SF-PROMPT-05': [
    prompts('a prompt that is not there is an error with its code, beside the ones that were got (SF-PROMPT-05)'),
  ],
  'SF-PROMPT-06': [inPages, undeclared],
  'SF-PROMPT-07': [inPages, lintDeclared('what the server did not declare is neither sent nor answered: %s in %s')],
  'SF-PROMPT-08': [
    contentStory('a prompt, its arguments and its messages are words and pictures, whatever they hold (SF-PROMPT-08)'),
    markdown('whatever is written, only our own elements come out, and no address stands in them'),
  ],
  // 5.4 Completion
  'SF-COMP-01': [
    lintFlow(
      'SF-TOOL-01, SF-RES-01, SF-PROMPT-01, SF-COMP-01: what works was to be declared, told once; empty lists are well',
    ),
    completion('a server that does not declare completions is not asked'),
    completion('2024-11-05 has no such capability: it is tried, and not again after -32601'),
    methods('of completion is older than its capability (SF-COMP-01)'),
  ],
  'SF-COMP-02': [
    completion(
      '%s: values depend on what was entered beside them, and hasMore and total are told (SF-COMP-02, SF-COMP-03)',
    ),
    completion(
      'a variable of a template of the reference server is completed, and a prompt that it does not have is its error',
    ),
  ],
  'SF-COMP-03': [
    completion(
      '%s: values depend on what was entered beside them, and hasMore and total are told (SF-COMP-02, SF-COMP-03)',
    ),
    completion('context is not sent in revisions that do not know it (SF-COMP-03)'),
  ],
  'SF-COMP-04': [
    lintContents('SF-COMP-04: a hundred values at most'),
    completion('has at most ${VALUES_MOST} values; more are noted, and shown as far as ${VALUES_KEPT} (SF-COMP-04)'),
  ],
  'SF-COMP-05': [
    completion('only the last of quick inputs is asked for, a moment after it (SF-COMP-05)'),
    completion('is kept for the session by reference, argument, value and context, whatever the order of the context'),
    completion('is read without a throw: all its strings in their order, and nothing else'),
  ],
  // 5.5 Logging
  'SF-LOG-01': [
    lintFlow('SF-LOG-01, LC-09: notifications of what the server did not declare are told'),
    lintDeclared('SF-LOG-01: a level is accepted only where logging was declared, in %s'),
  ],
  'SF-LOG-02': [
    logs('up to 2025-11-25 the level is the session’s: two levels, and what the server accepted is told (SF-LOG-02)'),
  ],
  'SF-LOG-03': [
    requestMeta(
      'SF-LOG-03: a server of 2026-07-28 logs from the level that the request asks for, and nothing without it',
    ),
    logs(
      'in 2026-07-28 each request asks; without the key there are no logs, and each belongs to its request (SF-LOG-03)',
    ),
    lintHttp('SF-LOG-03: a log message for a request without a log level is reported'),
    logs('2026-07-28: below what its request asked for, or for a request that asked for none (SF-LOG-03)'),
  ],
  'SF-LOG-04': [
    lintSubscriptions('SUB-10, SF-LOG-04: progress and log messages do not come on it'),
    requestMeta('SF-LOG-04: a stream that listens is asked for no log messages'),
  ],
  'SF-LOG-05': [
    logStory,
    logs('an unknown level, missing data and a logger that is no string are marked, and the line is there (SF-LOG-05)'),
    logs('goes by level, logger, source and words; what has no level that is known stays'),
  ],
  'SF-LOG-06': [logStory],
  'SF-LOG-07': [logs('a level the server refuses is told with its code (SF-LOG-07)')],
  // 5.6 Pagination
  'SF-PAGE-01': [
    toolsList('all pages are fetched, with each cursor as the server sent it, the empty one included'),
    wire('SF-PAGE-01, META-12: all pages of a list are had with the cursors as they came'),
    inPages,
  ],
  'SF-PAGE-02': [
    toolsList('all pages are fetched, with each cursor as the server sent it, the empty one included'),
    lintForms('the form of a member is cited by its own row: %s in %s'),
  ],
  'SF-PAGE-03': [
    toolsList('all pages are fetched, with each cursor as the server sent it, the empty one included'),
    toolsFold('pages are joined in order, and an empty cursor is a cursor (SF-PAGE-03)'),
  ],
  'SF-PAGE-04': [
    listing('SF-PAGE-04: what a walk could go on with ends with its session'),
    listing(
      'SF-PAGE-04: a session that ends between two pages takes the cursor along; the new one begins at the start',
    ),
    listing('SF-PAGE-04: a page that is asked for while a new session is being opened is not asked for in it'),
  ],
  'SF-PAGE-05': [
    listing('SF-PAGE-05: however a server cuts its list into pages, the list is the same, and no size is expected'),
  ],
  'SF-PAGE-07': [
    toolsList('a repeated cursor is not asked for again'),
    toolsFold('a server with ever new cursors is stopped after 1,000 pages'),
    lintModern('SF-PAGE-07: a cursor that leads to itself is told'),
    inPages,
    listing(
      'SF-PAGE-07: after the limit of pages the walk rests until its user lets it go on, and then ends where the list ends',
    ),
  ],
}
