/** How a server's questions are answered, for the screen: the same, read anew when it has changed. */
import { live } from '../../ui/index.svelte.ts'
import type { ServerView } from '../feature.ts'
import type { Endpoint } from './endpoint.ts'
import type { SavedAnswer, SaveProblem } from './saved.ts'
import { standingOf, type EndpointChoice, type Rule, type Standing, type Told } from './standing.ts'

export class StandingView {
  readonly #live: { readonly current: Standing }

  constructor(standing: Standing) {
    this.#live = live(standing)
  }

  get rule(): Rule | undefined {
    return this.#live.current.rule
  }
  set rule(rule: Rule | undefined) {
    this.#live.current.rule = rule
  }

  get choice(): EndpointChoice {
    return this.#live.current.choice
  }
  set choice(choice: EndpointChoice) {
    this.#live.current.choice = choice
  }

  get key(): string {
    return this.#live.current.key
  }
  set key(key: string) {
    this.#live.current.key = key
  }

  get endpoint(): Endpoint {
    return this.#live.current.endpoint
  }

  get saved(): readonly SavedAnswer[] {
    return this.#live.current.saved
  }

  save(answer: SavedAnswer): SaveProblem | undefined {
    return this.#live.current.save(answer)
  }

  forget(name: string): void {
    this.#live.current.forget(name)
  }

  toldOf(question: string): Told | undefined {
    return this.#live.current.toldOf(question)
  }

  answeredIn(now: number): number {
    return this.#live.current.answeredIn(now)
  }
}

const views = new WeakMap<Standing, StandingView>()

export const standingViewOf = (server: ServerView): StandingView => {
  const standing = standingOf(server)
  let view = views.get(standing)
  if (!view) views.set(standing, (view = new StandingView(standing)))
  return view
}
