// @ts-check
// What only the compiler of Svelte understands; oxlint (oxlint.config.ts) lints everything else.
import svelte from 'eslint-plugin-svelte';
import globals from 'globals';
import ts from 'typescript-eslint';

/**
 * Rules that use types take six times as long as all others: the types of each component are worked
 * out by themselves. The check workflow asks for them with SPOOL_LINT=typed.
 */
const typed = process.env.SPOOL_LINT === 'typed';

const effect =
  'CallExpression:matches([callee.name="$effect"], [callee.object.name="$effect"]) > :function';

/** Calls of `untrack` that are the whole of an effect, or the first thing that it does. */
const beginsWithUntrack = [
  `${effect} > CallExpression[callee.name="untrack"]`,
  `${effect} > BlockStatement > :first-child > CallExpression[callee.name="untrack"]`,
  `${effect} > BlockStatement > :first-child > UnaryExpression > CallExpression[callee.name="untrack"]`,
];

export default ts.config(
  ...(typed ? [ts.configs.strictTypeChecked, ts.configs.stylisticTypeChecked] : []),
  ...svelte.configs.recommended,
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: {
      parserOptions: {
        parser: ts.parser,
        extraFileExtensions: ['.svelte'],
        ...(typed ? { projectService: true, tsconfigRootDir: import.meta.dirname } : {}),
      },
      globals: globals.browser,
    },
  },
  {
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector: beginsWithUntrack.join(),
          message: 'An effect that tracks nothing runs once: use onMount.',
        },
      ],
    },
  },
  // Nothing shows what is being read, so nothing has to react to it.
  {
    files: ['src/renderer/state/job-list.svelte.ts'],
    rules: { 'svelte/prefer-svelte-reactivity': 'off' },
  },
  typed
    ? {
        // The same options as in oxlint.config.ts.
        rules: {
          '@typescript-eslint/switch-exhaustiveness-check': [
            'error',
            { considerDefaultExhaustiveForUnions: true },
          ],
          '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
          '@typescript-eslint/no-confusing-void-expression': [
            'error',
            { ignoreArrowShorthand: true },
          ],
        },
      }
    : {},
);
