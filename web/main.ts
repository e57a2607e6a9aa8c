/** The composition root: the only place where the window's state is created and mounted. */
import { mount } from 'svelte'
import App from './app/App.svelte'
import { theme } from './app/theme.svelte.ts'
import { Views } from './app/views.svelte.ts'
import { Workbench } from './app/workbench.svelte.ts'
import { language, textsArrived } from './ui/index.svelte.ts'
import './ui/tokens.css'
import './ui/base.css'

language.restore()
theme.restore()

const views = new Views()
const bench = new Workbench(views.load)
// The browser's own note about layout, which isn't an error of the page.
const harmless = (message: string) => message.startsWith('ResizeObserver loop')
addEventListener('error', (event) => {
  if (!harmless(event.message)) bench.report(event.error ?? event.message)
})
addEventListener('unhandledrejection', (event) => bench.report(event.reason))

// In its own task: together with evaluating the script, it would be a long task (over 50 ms).
setTimeout(async () => {
  await textsArrived()
  mount(App, { target: document.getElementById('app')!, props: { bench, views } })
  bench.start().catch((error: unknown) => bench.report(error))
})
