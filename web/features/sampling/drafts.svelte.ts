/** The user's work in progress on a request. It survives switching panels and reconnecting, until the page closes. */
import { isObject, type JsonObject } from '../../mcp/index.ts'
import { plain, readJson } from '../../json/index.ts'
import { Remembered } from '../remembered.ts'
import { emptyAnswer } from './answer.ts'
import type { ModelAnswer } from './endpoint.ts'
import type { EndpointError } from './endpoint-format.ts'

/** An object edited as fields and as text: two views of one value. */
export class ObjectDraft {
  /** Absent: as received. */
  value = $state.raw<JsonObject>()
  /** As typed; absent: the view shows the value. */
  text = $state<string>()
  /** Why `text` isn't an object; the value is then the last valid one. */
  fault = $state<string>()

  /** Takes a value from the fields. */
  enter(value: JsonObject | undefined): void {
    this.value = value
    this.text = undefined
    this.fault = undefined
  }

  /**
   * Takes text from the JSON view.
   * @param noObject the message for JSON that isn't an object
   */
  type(text: string, noObject: string): void {
    this.text = text
    this.fault = undefined
    try {
      const value = plain(readJson(text, { forgive: true }).value)
      if (isObject(value)) this.value = value
      else this.fault = noObject
    } catch (error) {
      this.fault = error instanceof Error ? error.message : String(error)
    }
  }
}

export type Way = 'hand' | 'saved' | 'model' | 'rule'

/** The source of the response in the editor. */
export type Origin =
  | { readonly by: 'hand' }
  | { readonly by: 'saved'; readonly name: string }
  | { readonly by: 'model'; readonly answer: ModelAnswer }

export class ResponseDraft {
  view = $state<'read' | 'edit' | 'json'>('read')
  way = $state<Way>('hand')
  answerView = $state<'fields' | 'json'>('fields')
  readonly params = new ObjectDraft()
  readonly answer = new ObjectDraft()
  origin = $state.raw<Origin>({ by: 'hand' })
  /** The model is responding; aborting cancels the request to it. */
  pending = $state.raw<AbortController>()
  error = $state.raw<EndpointError>()

  get result(): JsonObject {
    return this.answer.value ?? START
  }

  /** Loads a response into the editor, to be reviewed before it is sent (CF-SAMP-02). */
  load(result: JsonObject, origin: Origin): void {
    this.answer.enter(result)
    this.origin = origin
    this.error = undefined
  }

  /** The model's response has been edited. */
  get touched(): boolean {
    const { origin } = this
    return origin.by === 'model' && this.answer.value !== origin.answer.result
  }
}

const START = emptyAnswer()

/** Requests whose drafts are stored; the oldest is dropped. */
const MOST = 200

export const drafts = new Remembered(() => new ResponseDraft(), MOST)
