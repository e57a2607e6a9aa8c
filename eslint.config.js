/** Lints what only a Svelte parser reads. All other sources are linted by `.oxlintrc.json`, which takes seconds. */
import js from '@eslint/js'
import { defineConfig } from 'eslint/config'
import svelte from 'eslint-plugin-svelte'
import ts from 'typescript-eslint'

export default defineConfig({
  files: ['web/**/*.svelte', 'web/**/*.svelte.ts'],
  extends: [js.configs.recommended, svelte.configs.recommended],
  linterOptions: { reportUnusedDisableDirectives: 'error' },
  // svelte-check checks the types; checking them here would double the time of the whole run.
  languageOptions: { parserOptions: { parser: ts.parser } },
  rules: {
    'no-undef': 'off',
    'no-unused-vars': 'off',
    // Reports false positives for `let { x } = $props()`; the rule below handles them.
    'prefer-const': 'off',
    'svelte/prefer-const': ['error', { destructuring: 'all' }],
    'svelte/no-at-html-tags': 'error',
    'svelte/button-has-type': 'error',
    'svelte/no-target-blank': 'error',
    // Anything worth logging belongs on the screen, with instructions for the user.
    'no-console': 'error',
    'no-restricted-properties': [
      'error',
      { object: 'URL', property: 'canParse', message: 'Node 20 answers wrongly once it is hot: web/mcp/url.ts.' },
      { object: 'crypto', property: 'randomUUID', message: 'Absent outside secure contexts: web/mcp/web-crypto.ts.' },
    ],
  },
})
