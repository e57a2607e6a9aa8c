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
      // The order matters: a file is linted with the first project that includes it. The compiler's own search would
      // stop at the nearest tsconfig, which deliberately excludes tests.
      parserOptions: { project: ['web/mcp/tsconfig.json', 'tsconfig.json', 'proxy/tsconfig.json'] },
    },
    rules: {
      // A promise that isn't awaited loses its errors. `void` marks the promises whose errors may be lost.
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': [
        'error',
        { checksVoidReturn: { attributes: false, properties: false } },
      ],
      // An async method without `await` still has to return the promise its interface declares.
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/consistent-type-imports': ['error', { disallowTypeAnnotations: false }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      // Template strings are read by people, so numbers in them are fine.
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
    },
  },
  {
    files: ['**/*.test.ts', '**/*.case.ts', 'tests/**/*.ts'],
    rules: {
      // Playwright reads fixture names from the destructuring pattern and requires one even if it is empty.
      'no-empty-pattern': ['error', { allowObjectPatternsAsParameters: true }],
      // Tests deliberately read untyped responses from peers; a wrong assumption fails the test.
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
    // svelte-check checks the types of components; checking them here would double the time of the whole run.
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
    },
  },

  {
    // The compiler already reports undefined names.
    files: ['**/*.ts'],
    rules: { 'no-undef': 'off' },
  },
  {
    files: ['web/**/*.ts', 'web/**/*.svelte'],
    ignores: ['**/*.test.ts'],
    // Anything worth logging belongs on the screen, with instructions for the user.
    rules: { 'no-console': 'error' },
  },
  {
    files: ['web/**/*.svelte.ts'],
    // TypeScript's parser handles these files; the Svelte parser would lose the types.
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
