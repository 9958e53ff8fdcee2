import path from 'node:path';
import { ESLint } from 'eslint';
import { expect, it } from 'vitest';

const RENDERER = path.join(import.meta.dirname, '..', '..', '..', 'src', 'renderer');
const eslint = new ESLint({ cwd: path.join(RENDERER, '..', '..') });

/** Lint messages about an effect, in a component and in a module. */
async function messagesOn(effect: string): Promise<string[]> {
  const script = `import { untrack } from 'svelte';\nlet a = $state(0);\n${effect}\n`;
  const results = await Promise.all([
    eslint.lintText(`<script lang="ts">\n${script}</script>\n{a}\n`, {
      filePath: path.join(RENDERER, 'any.svelte'),
    }),
    eslint.lintText(script, { filePath: path.join(RENDERER, 'any.svelte.ts') }),
  ]);
  return results.flat().flatMap(({ messages }) => messages.map(({ message }) => message));
}

it.each([
  '$effect(() => untrack(() => a++));',
  '$effect(() => { untrack(() => a++); });',
  '$effect(() => { void untrack(() => a++); if (a > 9) a = 0; });',
  '$effect(function () { untrack(() => a++); });',
  '$effect.pre(() => { untrack(() => a++); });',
])('refuses an effect that begins with untrack: %s', async (effect) => {
  const message = 'An effect that tracks nothing runs once: use onMount.';
  expect(await messagesOn(effect)).toEqual([message, message]);
});

it.each([
  '$effect(() => { const b = a; untrack(() => console.log(b)); });',
  '$effect(() => { console.log(a); });',
])('accepts an effect that tracks something first: %s', async (effect) => {
  expect(await messagesOn(effect)).toEqual([]);
});
