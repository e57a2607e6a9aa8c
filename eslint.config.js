import js from '@eslint/js'
import { defineConfig, globalIgnores } from 'eslint/config'
import svelte from 'eslint-plugin-svelte'
import globals from 'globals'
import ts from 'typescript-eslint'

export default defineConfig(
  globalIgnores(['dist/', 'node_modules/', 'test-results/', '.cache/', 'public/']),
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  js.configs.recommended,

  {
    files: ['**/*.ts'],
    extends: [ts.configs.recommendedTypeChecked],
    languageOptions: {
      // In this order: a file is read with the first that includes it. The compiler's own search would stop at the
      // nearest, which leaves tests out on purpose.
      parserOptions: { project: ['web/mcp/tsconfig.json', 'tsconfig.json', 'proxy/tsconfig.json'] },
    },
    rules: {
      // A promise that nobody awaits loses its error. `void` says that it may be lost.
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': [
        'error',
        { checksVoidReturn: { attributes: false, properties: false } },
      ],
      // An async method that awaits nothing keeps the promise of its interface.
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/consistent-type-imports': ['error', { disallowTypeAnnotations: false }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      // What stands in a test is read by people; a number in a text is no mistake.
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
    },
  },
  {
    files: ['**/*.test.ts', '**/*.case.ts', 'tests/**/*.ts'],
    rules: {
      // Playwright reads the names of fixtures out of the pattern, and wants one where there are none.
      'no-empty-pattern': ['error', { allowObjectPatternsAsParameters: true }],
      // Tests read untyped answers of peers on purpose; a wrong assumption fails the test.
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/unbound-method': 'off',
    },
  },

  svelte.configs.recommended,
  {
    files: ['**/*.svelte'],
    // Types of components are svelte-check's; here they would double the time of the whole run.
    languageOptions: { parserOptions: { parser: ts.parser } },
    rules: {
      'no-undef': 'off',
      'no-unused-vars': 'off',
      // Misfires on `let { x } = $props()`; the rule below knows it.
      'prefer-const': 'off',
      'svelte/prefer-const': ['error', { destructuring: 'all' }],
      'svelte/no-at-html-tags': 'error',
      'svelte/button-has-type': 'error',
      'svelte/no-target-blank': 'error',
    },
  },

  {
    // The compiler knows what is defined.
    files: ['**/*.ts'],
    rules: { 'no-undef': 'off' },
  },
  {
    files: ['web/**/*.ts', 'web/**/*.svelte'],
    ignores: ['**/*.test.ts'],
    // What is worth saying belongs on the screen, in words that say what to do.
    rules: { 'no-console': 'error' },
  },
  {
    files: ['web/**/*.svelte.ts'],
    // TypeScript parses these; the Svelte parser would lose the types.
    languageOptions: { parser: ts.parser, parserOptions: { project: ['tsconfig.json'] } },
  },
  {
    files: ['**/*.ts', '**/*.svelte'],
    rules: {
      'no-restricted-properties': [
        'error',
        { object: 'URL', property: 'canParse', message: 'Node 20 answers wrongly once it is hot: web/mcp/url.ts.' },
      ],
    },
  },
  {
    files: ['web/**/*.ts', 'web/**/*.svelte'],
    ignores: ['**/*.test.ts', '**/*.case.ts'],
    rules: {
      'no-restricted-properties': [
        'error',
        { object: 'URL', property: 'canParse', message: 'Node 20 answers wrongly once it is hot: web/mcp/url.ts.' },
        { object: 'crypto', property: 'randomUUID', message: 'Absent outside secure contexts: web/mcp/web-crypto.ts.' },
      ],
    },
  },
  {
    files: ['**/*.{js,mjs}'],
    languageOptions: { globals: globals.node },
  },
)
