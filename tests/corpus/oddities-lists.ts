/** Observed server behaviour with lists, schemas and calls, and cases no published server showed. */
import { inFile, type Oddity } from './oddity.ts'

const http = inFile('web/mcp/transports/hostile-http.test.ts')
const stdio = inFile('web/mcp/transports/hostile-stdio.test.ts')
const wire = inFile('tests/wire.case.ts')
const verdict = inFile('web/mcp/schema/verdict.test.ts')
const list = inFile('web/features/lists/list-pages.test.ts')
const fold = inFile('web/features/tools/tools-fold.test.ts')
const model = inFile('web/forms/model.test.ts')
const validate = inFile('web/forms/validate.test.ts')
const timedValidation = inFile('web/forms/timed-validation.test.ts')
const value = inFile('web/forms/value.test.ts')
const trouble = inFile('tests/e2e/trouble.spec.ts')

export const inLists: readonly Oddity[] = [
  {
    of: 8,
    what: 'an advertised list fails, and nothing else suffers',
    servers: [
      'mcp-server-puppeteer',
      'executeautomation-playwright-mcp-server',
      'mcp-fetch-server',
      'drawio-mcp-server',
    ],
    tests: [trouble('a list that fails shows the server’s error, and nothing else suffers')],
  },
  {
    of: 8,
    what: 'a list has the wrong shape',
    tests: [fold('%s is an error of the list, not of the page', 'tools that are no array')],
  },
  {
    of: 8,
    what: 'lists that were not advertised would be answered: nobody asks unless the user does',
    servers: ['mcp-prometheus-linux-amd64', 'onshape-mcp-linux-x64', 'colbymchenry-codegraph'],
    tests: [
      list('a server that does not offer tools is not asked until the user asks, and changes are still followed'),
    ],
  },
  {
    of: 8,
    what: 'more than a thousand tools in one list',
    tests: [trouble('a thousand tools stay under a thousand elements in the list')],
  },
  {
    of: 9,
    what: 'arguments are named as keywords',
    servers: ['notionhq-notion-mcp-server', 'hostinger-api-mcp', 'time-mcp'],
    tests: [
      model('walks by keyword, so that arguments may have the names of keywords'),
      validate('%s', 'arguments named as keywords'),
      trouble('odd tools are shown, each with what is odd about it, and spoil nothing'),
    ],
  },
  {
    of: 10,
    what: 'duplicate names, extra keys, descriptions of 34 kB',
    tests: [
      fold('every item is there, each with its own finding and its own key'),
      fold('any JSON in the place of a tool is kept, and keys never collide'),
      trouble('odd tools are shown, each with what is odd about it, and spoil nothing'),
    ],
  },
  {
    of: 10,
    what: 'long instructions',
    servers: ['kanoniv-mcp-linux-x64', 'hostinger-api-mcp'],
  },
  {
    of: 10,
    what: 'no properties, {} for a property, empty required, arrays without items',
    servers: ['onshape-mcp-linux-x64', 'mui-mcp', 'brightdata-mcp', 'notionhq-notion-mcp-server'],
    tests: [
      model('shows a tool without properties, with an empty schema or with none as an object with any keys'),
      model('%s', 'booleans as schemas'),
      model('%s', 'lists'),
      model('survives lists of required names that are none'),
    ],
  },
  {
    of: 11,
    what: 'draft-07, 2020-12 or no $schema at all',
    servers: ['mcp-server-everything', 'playwright-mcp', 'upstash-context7-mcp'],
    tests: [validate('are those of $schema, 2020-12 without one')],
  },
  {
    of: 11,
    what: '$ref to $defs, definitions and properties',
    servers: ['notionhq-notion-mcp-server', 'drawio-mcp-server', 'brightdata-mcp'],
    tests: [model('are followed within the schema: $defs, definitions, properties, with encoded and escaped names')],
  },
  {
    of: 11,
    what: 'nested anyOf, oneOf, allOf, propertyNames, prefixItems; type lists with null',
    servers: ['drawio-mcp-server', 'mcp-server-pdf', 'onshape-mcp-linux-x64'],
    tests: [
      model('%s', 'alternatives'),
      model('%s', 'alternatives beside properties'),
      model('%s', 'tuples'),
      model('%s', 'null as one of the types'),
      validate('%s', 'names'),
    ],
  },
  {
    of: 11,
    what: 'leftovers of OpenAPI: nullable, boolean limits, formats',
    tests: [
      validate('%s', 'OpenAPI: nullable'),
      validate('%s', 'OpenAPI: boolean limits'),
      validate('a wrong one is a warning, and does not make the value invalid'),
    ],
  },
  {
    of: 11,
    what: 'enums that are no strings, bounds at 2^53 - 1, very large schemas',
    servers: ['hostinger-api-mcp', 'playwright-mcp', 'cyanheads-git-mcp-server'],
    tests: [
      model('%s', 'choices of any type'),
      value('keeps numbers as they were typed, beyond 2^53 and in every spelling'),
      model('a schema of many wide objects stops growing'),
      timedValidation('%s', '30,000 schemas'),
    ],
  },
  {
    of: 12,
    what: 'an unknown tool gives a result with isError, one of four errors, a success, or a death',
    servers: [
      'mcp-server-everything',
      'mcp-server-pdf',
      'mcp-server-github',
      'brightdata-mcp',
      'colbymchenry-codegraph',
    ],
    tests: [
      wire('SF-TOOL-18: a tool that failed answers with a result, a call that cannot be with an error'),
      stdio('TR-STDIO-09: one that dies in a call fails that call with its code and last words'),
    ],
  },
  {
    of: 13,
    what: 'roots/list, even fifteen times at once',
    servers: ['mcp-server-everything', 'mcp-server-filesystem', 'brightdata-mcp', 'colbymchenry-codegraph'],
    tests: [stdio('BP-13: fifteen questions at once get one answer each')],
  },
  {
    of: 13,
    what: 'tools/list_changed comes unasked: the list is fetched again, and not for ever',
    servers: ['mcp-server-everything', 'mcp-prometheus-linux-amd64'],
    tests: [
      list('many changes at once are one refresh, and changes during it are one more'),
      list(
        'a server that answers each list with another change is refreshed three times in ten seconds, then waits for the user',
      ),
    ],
  },
  {
    of: 13,
    what: 'what is offered depends on our capabilities and on the transport',
    servers: ['mcp-server-everything', 'mcp-server-pdf'],
  },
  {
    of: 19,
    what: 'paging',
    tests: [list('all pages are fetched, with each cursor as the server sent it, the empty one included')],
  },
  {
    of: 19,
    what: 'anyOf or oneOf at the root, no inputSchema, recursive and external $ref',
    tests: [
      trouble('odd tools are shown, each with what is odd about it, and spoil nothing'),
      model('shows a tool without properties, with an empty schema or with none as an object with any keys'),
      model('to themselves open level by level, and end in JSON'),
      validate('make the schema unusable, never permissive, and nothing is fetched'),
    ],
  },
  {
    of: 19,
    what: 'batches',
    tests: [
      http('%s is understood all the same', 'batch-answer'),
      wire('BP-21, BP-22, BP-23: requests of one batch are sent together, and each gets its answer'),
      wire('BP-20: answers in JSON arrays find their calls'),
    ],
  },
  {
    of: 19,
    what: 'CRLF and a byte order mark on stdout',
    tests: [stdio('BP-14: a byte order mark is told off, and it and CRLF are understood')],
  },
  {
    of: 19,
    what: 'icons on tools',
    tests: [verdict('is noted with the revision it came with, or went with, and leaves the message valid')],
  },
]
