import { describe, expect, it } from 'vitest';
import type { TransferWait } from '../../../src/contract/job.ts';
import { Sizes } from '../../../src/renderer/formatting/sizes.ts';
import { waitWords } from '../../../src/renderer/formatting/transfer-wait.ts';
import { whenOf } from '../../../src/renderer/formatting/when.ts';
import { de } from '../../../src/renderer/texts/de.ts';
import { en } from '../../../src/renderer/texts/en.ts';
import { aJob, NOON } from '../../rigs/job-builder.ts';

const sizes = new Sizes('en');
const wait = { until: null, missingBytes: null };
const later = { until: NOON + 7_500_000, missingBytes: null };

describe('a finished video that waits for its transfer', () => {
  it.each<[TransferWait, string]>([
    [{ ...wait, reason: 'paused' }, 'transfer paused'],
    [{ ...wait, reason: 'disk-full', missingBytes: 2e9 }, 'waits for 2.00 GB'],
    [{ ...wait, reason: 'disk-full' }, 'waits for room'],
    [{ ...wait, reason: 'folder-unusable' }, 'waits for its folder'],
    [{ ...wait, reason: 'link-limit' }, 'link limit'],
    [{ ...wait, reason: 'server-busy' }, 'server busy'],
  ])('says for what, where no time can be told: %o', (transferWait, words) => {
    expect(whenOf(aJob({ state: 'ready', transferWait }), en, sizes)).toEqual({
      kind: 'words',
      words,
    });
  });

  it.each<[TransferWait['reason'], string]>([
    ['link-limit', 'link limit: next 14:05'],
    ['server-busy', 'tries again 14:05'],
    ['unreachable', 'tries again 14:05'],
  ])('says when it goes on, where that is known: %s', (reason, words) => {
    const when = whenOf(aJob({ state: 'ready', transferWait: { ...later, reason } }), en, sizes);
    expect(when).toMatchObject({ kind: 'moment', at: later.until, estimated: false });
    expect(when.kind === 'moment' && when.words('14:05')).toBe(words);
  });

  it('says it in a sentence, in every language', () => {
    const transferWait: TransferWait = { ...wait, reason: 'disk-full', missingBytes: 2.5e9 };
    expect(waitWords(transferWait, en, sizes).sentence(null)).toContain('2.50 GB of room');
    expect(waitWords(transferWait, de, new Sizes('de')).sentence(null)).toContain(
      '2,50 GB freien Platz',
    );
    const links = waitWords({ ...later, reason: 'link-limit' }, en, sizes);
    expect(links.sentence('at 14:05')).toContain('the next one at 14:05');
  });
});
