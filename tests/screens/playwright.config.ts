/** Every screen in every look: see `screens.spec.ts`. About half an hour, so it is part of `npm run test:deep` only. */
import { defineConfig } from '@playwright/test'
import base from '../e2e/playwright.config.ts'

export default defineConfig({ ...base, testDir: '.', globalSetup: '../e2e/global-setup.ts', workers: 2 })
