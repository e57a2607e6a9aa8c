/** The sample server's tools: one for each kind of input, result and failure of a tool. */
import { ASKING_TOOLS } from './asking-tools.ts'
import { EVALUATE_TOOL } from './evaluate-tool.ts'
import { PALETTE_NAMES, picture, sound } from './media.ts'
import { OBJECT_TOOLS } from './object-tools.ts'
import { ORDER_TOOLS } from './order-tools.ts'
import { QUERY_TOOL } from './query-tool.ts'
import { answer, choiceOf, failure, numberOf, Refusal, stringOf, structured, text, type SampleTool } from './tool.ts'

/** The specification's recommendation for a tool without parameters: an object that accepts no properties. */
const NO_ARGUMENTS = { type: 'object', additionalProperties: false } as const

const echo: SampleTool = {
  declaration: {
    name: 'echo',
    title: 'Echo',
    description: 'Answers with the message it was given. The smallest tool there is: start here.',
    inputSchema: {
      type: 'object',
      properties: { message: { type: 'string', description: 'What to say back', minLength: 1 } },
      required: ['message'],
    },
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
  },
  run: (call) => answer(text(stringOf(call, 'message'))),
}

const add: SampleTool = {
  declaration: {
    name: 'add',
    title: 'Add two numbers',
    description: 'Adds two numbers and answers with structured content that its outputSchema describes.',
    inputSchema: {
      type: 'object',
      properties: {
        a: { type: 'number', description: 'First number' },
        b: { type: 'number', description: 'Second number' },
      },
      required: ['a', 'b'],
    },
    outputSchema: {
      type: 'object',
      properties: { sum: { type: 'number' } },
      required: ['sum'],
      additionalProperties: false,
    },
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
  },
  run: (call) => structured({ sum: numberOf(call, 'a') + numberOf(call, 'b') }),
}

const countSlowly: SampleTool = {
  declaration: {
    name: 'count-slowly',
    title: 'Count slowly',
    description:
      'Counts in steps and reports progress at each one. Watch the progress bar, then run it again and cancel it.',
    inputSchema: {
      type: 'object',
      properties: {
        duration: { type: 'number', description: 'Seconds in all', minimum: 0, maximum: 600, default: 5 },
        steps: { type: 'integer', description: 'How many steps', minimum: 1, maximum: 1000, default: 5 },
      },
    },
    annotations: { readOnlyHint: true, openWorldHint: false },
  },
  async run(call) {
    const duration = numberOf(call, 'duration', { fallback: 5, minimum: 0, maximum: 600 })
    const steps = numberOf(call, 'steps', { fallback: 5, minimum: 1, maximum: 1000, integer: true })
    for (let step = 1; step <= steps; step++) {
      await call.wait((duration * 1000) / steps)
      call.progress(step, steps, `Step ${step} of ${steps}`)
    }
    return answer(text(`Counted to ${steps} in ${duration} s.`))
  },
}

const PLACES = {
  Reykjavík: { temperature: 4.5, conditions: 'rain', humidity: 82, wind: 31 },
  Nairobi: { temperature: 24, conditions: 'sunny', humidity: 48, wind: 12 },
  Chengdu: { temperature: 18, conditions: 'cloudy', humidity: 74, wind: 6 },
  Tromsø: { temperature: -7.5, conditions: 'snow', humidity: 68, wind: 22 },
} as const
const PLACE_NAMES = Object.keys(PLACES) as readonly (keyof typeof PLACES)[]

const weather: SampleTool = {
  declaration: {
    name: 'weather',
    title: 'Weather of a place',
    description:
      'Structured content with an enumeration, an optional and a nullable value. The weather never changes here.',
    inputSchema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: {
        place: { type: 'string', enum: PLACE_NAMES, description: 'Where' },
        unit: { type: 'string', enum: ['celsius', 'fahrenheit'], default: 'celsius' },
        withWind: { type: 'boolean', description: 'Also return the wind (optional in the result)' },
        station: { type: ['string', 'null'], description: 'A weather station; null for any' },
      },
      required: ['place'],
      additionalProperties: false,
    },
    outputSchema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: {
        place: { type: 'string' },
        temperature: { type: 'number' },
        unit: { enum: ['celsius', 'fahrenheit'] },
        conditions: { enum: ['sunny', 'cloudy', 'rain', 'snow'] },
        humidity: { type: 'integer', minimum: 0, maximum: 100 },
        wind: { type: 'number', description: 'km/h' },
        station: { type: ['string', 'null'] },
      },
      required: ['place', 'temperature', 'unit', 'conditions', 'humidity', 'station'],
      additionalProperties: false,
    },
    annotations: { readOnlyHint: true, openWorldHint: true },
  },
  run(call) {
    const place = choiceOf(call, 'place', PLACE_NAMES)
    const unit = choiceOf(call, 'unit', ['celsius', 'fahrenheit'], 'celsius')
    const { temperature, conditions, humidity, wind } = PLACES[place]
    return structured({
      place,
      temperature: unit === 'celsius' ? temperature : Math.round((temperature * 9) / 5 + 32),
      unit,
      conditions,
      humidity,
      ...(call.arguments.withWind === true ? { wind } : {}),
      station: call.arguments.station == null ? null : stringOf(call, 'station'),
    })
  },
}

const pictureTool: SampleTool = {
  declaration: {
    name: 'picture',
    title: 'A picture',
    description: 'Answers with an image block: a PNG of 64 by 64 pixels.',
    inputSchema: {
      type: 'object',
      properties: { palette: { type: 'string', enum: PALETTE_NAMES, default: 'sea' } },
    },
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
  },
  run(call) {
    const palette = choiceOf(call, 'palette', PALETTE_NAMES, 'sea')
    return answer(text(`A periscope, palette ${palette}:`), {
      type: 'image',
      data: picture(palette),
      mimeType: 'image/png',
    })
  },
}

const soundTool: SampleTool = {
  declaration: {
    name: 'sound',
    title: 'A sound',
    description: 'Answers with an audio block: a WAV of 0.4 seconds.',
    inputSchema: {
      type: 'object',
      properties: { frequency: { type: 'integer', description: 'Hertz', minimum: 110, maximum: 1760, default: 440 } },
    },
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
  },
  run(call) {
    const frequency = numberOf(call, 'frequency', { fallback: 440, minimum: 110, maximum: 1760, integer: true })
    return answer({ type: 'audio', data: sound(frequency), mimeType: 'audio/wav' })
  },
}

const documents: SampleTool = {
  declaration: {
    name: 'documents',
    title: 'Documents',
    description: 'Answers with embedded resources (text and binary) and a link to another one.',
    inputSchema: NO_ARGUMENTS,
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
  },
  run: (call) =>
    answer(
      text('Two documents come with this answer, a third is only named.'),
      {
        type: 'resource',
        resource: {
          uri: 'sample://documents/logbook.md',
          mimeType: 'text/markdown',
          text: '# Logbook\n\n- 06:00 up periscope\n- 06:01 nothing but sea\n- 06:02 down periscope\n',
        },
      },
      {
        type: 'resource',
        resource: { uri: 'sample://documents/flag.png', mimeType: 'image/png', blob: picture('sunset') },
      },
      call.revision >= '2025-06-18'
        ? {
            type: 'resource_link',
            uri: 'https://modelcontextprotocol.io/specification/',
            name: 'specification',
            title: 'The specification',
            description: 'Nothing is fetched before you open it.',
            mimeType: 'text/html',
            annotations: { audience: ['user'], priority: 0.5 },
          }
        : text('https://modelcontextprotocol.io/specification/'),
    ),
}

const fail: SampleTool = {
  declaration: {
    name: 'fail',
    title: 'Fail politely',
    description: 'The tool runs and fails: a result with isError, which a model may read and act on.',
    inputSchema: {
      type: 'object',
      properties: { reason: { type: 'string', default: 'The tank is empty. Refuel, then try again.' } },
    },
    annotations: { readOnlyHint: true, openWorldHint: false },
  },
  run: (call) => failure(stringOf(call, 'reason', 'The tank is empty. Refuel, then try again.')),
}

const breakTool: SampleTool = {
  declaration: {
    name: 'break',
    title: 'Break the protocol call',
    description: 'The call itself is refused: a JSON-RPC error with code, message and data, and no result at all.',
    inputSchema: NO_ARGUMENTS,
    annotations: { readOnlyHint: true, openWorldHint: false },
  },
  run() {
    throw new Refusal(-32603, 'The pump room does not answer', { compartment: 4, since: '06:03', retry: false })
  },
}

const everyField: SampleTool = {
  declaration: {
    name: 'every-field',
    title: 'Every kind of field',
    description: 'One argument for each kind of field a form can have. Answers with exactly what arrived.',
    inputSchema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: {
        name: { type: 'string', minLength: 1, maxLength: 40, description: 'Text of 1 to 40 characters' },
        email: { type: 'string', format: 'email' },
        website: { type: 'string', format: 'uri' },
        birthday: { type: 'string', format: 'date' },
        appointment: { type: 'string', format: 'date-time' },
        code: { type: 'string', pattern: '^[A-Z]{2}-[0-9]{3}$', description: 'Such as AB-123' },
        depth: { type: 'integer', minimum: 0, maximum: 500, default: 20, description: 'Metres below the surface' },
        speed: { type: 'number', exclusiveMinimum: 0, multipleOf: 0.5 },
        silent: { type: 'boolean', default: true },
        heading: { type: 'string', enum: ['north', 'east', 'south', 'west'] },
        level: { enum: [1, 2, 3] },
        note: { type: ['string', 'null'], description: 'Absent, null and empty are three different things' },
        tags: { type: 'array', items: { type: 'string' }, maxItems: 5, uniqueItems: true },
        crew: {
          type: 'array',
          items: {
            type: 'object',
            properties: { name: { type: 'string' }, rank: { type: 'string', enum: ['captain', 'mate', 'cook'] } },
            required: ['name'],
          },
        },
        position: {
          type: 'object',
          properties: {
            latitude: { type: 'number', minimum: -90, maximum: 90 },
            longitude: { type: 'number', minimum: -180, maximum: 180 },
          },
          required: ['latitude', 'longitude'],
        },
        anything: {},
      },
      required: ['name'],
    },
    outputSchema: { type: 'object', properties: { received: { type: 'object' } }, required: ['received'] },
    annotations: { title: 'Every kind of field', readOnlyHint: true, openWorldHint: false },
  },
  run(call) {
    stringOf(call, 'name')
    return structured({ received: call.arguments })
  },
}

const addTool: SampleTool = {
  declaration: {
    name: 'add-tool',
    title: 'Add a tool',
    description: 'Adds a tool to this server, which then says that its list has changed.',
    inputSchema: {
      type: 'object',
      properties: {
        name: {
          type: 'string',
          pattern: '^[A-Za-z0-9_.-]{1,64}$',
          default: 'say-hello',
          description: 'Name of the new tool',
        },
      },
    },
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  },
  run(call) {
    const name = stringOf(call, 'name', 'say-hello')
    if (!/^[A-Za-z0-9_.-]{1,64}$/.test(name)) {
      return failure('name takes letters, digits, "_", "-" and ".", at most 64.')
    }
    const added = call.shelf.add({
      declaration: {
        name,
        description: 'Added while you watched.',
        inputSchema: NO_ARGUMENTS,
        annotations: { readOnlyHint: true, openWorldHint: false },
      },
      run: () => answer(text(`Hello from ${name}.`)),
    })
    return added
      ? answer(text(`Added ${name}.`))
      : failure(`There is a tool called ${name} already, or 50 were added. Nothing was changed.`)
  },
}

const forgetTools: SampleTool = {
  declaration: {
    name: 'forget-tools',
    title: 'Forget added tools',
    description: 'Takes away what add-tool added. It claims to be destructive, so you are asked first.',
    inputSchema: NO_ARGUMENTS,
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  },
  run: (call) => answer(text(`Forgot ${call.shelf.clear()} tools.`)),
}

export const SAMPLE_TOOLS: readonly SampleTool[] = [
  echo,
  add,
  countSlowly,
  weather,
  pictureTool,
  soundTool,
  documents,
  fail,
  breakTool,
  everyField,
  addTool,
  forgetTools,
  ...ASKING_TOOLS,
  ...OBJECT_TOOLS,
  ...ORDER_TOOLS,
  QUERY_TOOL,
  EVALUATE_TOOL,
]
