/** The composition root: the one place where the window's state is made and shown. */
import { mount } from 'svelte'
import App from './app/App.svelte'
import { theme } from './app/theme.svelte.ts'
import { Views } from './app/views.svelte.ts'
import { Workbench } from './app/workbench.svelte.ts'
import { language } from './ui/index.svelte.ts'
import './ui/tokens.css'
import './ui/base.css'

language.restore()
theme.restore()

const views = new Views()
const bench = new Workbench(views.load)
// The browser's own remark on layout, not a fault of anybody.
const harmless = (message: string) => message.startsWith('ResizeObserver loop')
addEventListener('error', (event) => {
  if (!harmless(event.message)) bench.report(event.error ?? event.message)
})
addEventListener('unhandledrejection', (event) => bench.report(event.reason))

mount(App, { target: document.getElementById('app')!, props: { bench, views } })
bench.start().catch((error: unknown) => bench.report(error))
