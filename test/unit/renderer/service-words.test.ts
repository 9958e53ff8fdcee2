import { expect, it } from 'vitest';
import { DOCUMENTED_API } from '../../../src/contract/service-profile.ts';
import { fileOf } from '../../../src/renderer/formatting/service-words.ts';
import { enViews } from '../../../src/renderer/texts/en-views.ts';

const MINUTE_MS = 60_000;

it.each([
  [MINUTE_MS, 'a minute'],
  [15 * MINUTE_MS, '15 minutes'],
  [60 * MINUTE_MS, 'an hour'],
  [36 * 60 * MINUTE_MS, '36 hours'],
  [7 * 24 * 60 * MINUTE_MS, '7 days'],
])('a link that is valid for %d ms works for %s', (lifeMs, words) => {
  const api = { ...DOCUMENTED_API, file: { kind: 'in-status', lifeMs } as const };
  expect(fileOf(api, { viewTexts: enViews })).toContain(`works for ${words}`);
});
