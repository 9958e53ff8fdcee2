// @ts-check
import js from '@eslint/js';
import svelte from 'eslint-plugin-svelte';
import globals from 'globals';
import ts from 'typescript-eslint';

const injectedTime = [
  { name: 'setTimeout', message: 'Time is injected: take a Clock (src/engine/clock.ts).' },
  { name: 'setInterval', message: 'Time is injected: take a Clock (src/engine/clock.ts).' },
  { name: 'setImmediate', message: 'Time is injected: take a Clock (src/engine/clock.ts).' },
  {
    name: 'fetch',
    message: 'All HTTP goes through undici in engine/service and engine/downloads.',
  },
];

export default ts.config(
  { ignores: ['out/', 'dist/', 'node_modules/', 'coverage/', 'renders/'] },
  js.configs.recommended,
  ...ts.configs.strictTypeChecked,
  ...ts.configs.stylisticTypeChecked,
  ...svelte.configs.recommended,
  {
    languageOptions: {
      parserOptions: {
        projectService: { allowDefaultProject: ['eslint.config.js', '.dependency-cruiser.js'] },
        tsconfigRootDir: import.meta.dirname,
        extraFileExtensions: ['.svelte'],
      },
    },
    rules: {
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/consistent-type-definitions': ['error', 'interface'],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      eqeqeq: 'error',
      'max-lines': ['error', { max: 450, skipBlankLines: true, skipComments: true }],
    },
  },
  {
    files: ['src/renderer/**/*.svelte', 'src/renderer/**/*.svelte.ts'],
    languageOptions: {
      parserOptions: { parser: ts.parser },
      globals: globals.browser,
    },
  },
  {
    files: ['src/engine/**/*.ts'],
    ignores: ['src/engine/system-clock.ts'],
    rules: {
      'no-restricted-globals': ['error', ...injectedTime],
      'no-restricted-properties': [
        'error',
        { object: 'Date', property: 'now', message: 'Time is injected: take a Clock.' },
        { object: 'performance', property: 'now', message: 'Time is injected: take a Clock.' },
        { object: 'Math', property: 'random', message: 'Chance is injected: take a Random.' },
      ],
      'no-console': 'error',
    },
  },
  {
    files: ['test/**/*.ts', 'bench/**/*.ts'],
    rules: {
      'max-lines': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
    },
  },
  { files: ['**/*.js'], extends: [ts.configs.disableTypeChecked] },
);
