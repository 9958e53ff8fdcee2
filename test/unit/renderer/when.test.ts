import { describe, expect, it } from 'vitest';
import type { Wait, WaitReason } from '../../../src/contract/job.ts';
import { waitWords } from '../../../src/contract/wait.ts';
import { sizesIn } from '../../../src/contract/sizes.ts';
import { whenOf } from '../../../src/renderer/formatting/when.ts';
import { de, deViews } from '../../../src/renderer/texts/de.ts';
import { enViews } from '../../../src/renderer/texts/en-views.ts';
import { en } from '../../../src/renderer/texts/en.ts';
import { aJob, NOON } from '../../rigs/job-builder.ts';

const sizes = sizesIn('en');
const bytes = (amount: number): string => sizes.bytes(amount);
const germanBytes = (amount: number): string => sizesIn('de').bytes(amount);
const until = NOON + 7_500_000;

describe('a video that does not move', () => {
  it.each<[Wait, string]>([
    [{ until: null, reason: 'download-paused' }, 'download paused'],
    [{ until: null, reason: 'disk-full', missingBytes: 2e9 }, 'needs 2.00 GB of space'],
    [{ until: null, reason: 'disk-full', missingBytes: null }, 'disk full'],
    [{ until: null, reason: 'folder-unusable' }, 'folder not writable'],
    [{ until: null, reason: 'too-many-files' }, 'too many open files'],
    [{ until: null, reason: 'link-limit' }, 'download limit'],
    [{ until: null, reason: 'file-server-busy' }, 'file server busy'],
    [{ until: null, reason: 'address-blocked', host: 'files.example' }, 'address blocked'],
    [{ until: null, reason: 'proxy-failed', proxy: 'http://proxy.example:3128' }, 'proxy failed'],
    [{ until: null, reason: 'paused' }, 'paused'],
    [{ until: null, reason: 'key-refused' }, 'API key refused'],
    [{ until: null, reason: 'offline' }, 'offline'],
    [{ until: null, reason: 'quota' }, 'quota used up'],
    [{ until: null, reason: 'render-slot' }, 'waits for another video'],
  ])('says why, if no time is known: %o', (wait, words) => {
    expect(whenOf(aJob({ state: 'ready', wait }), en, sizes)).toEqual({ kind: 'words', words });
  });

  it.each<
    [Exclude<WaitReason, 'disk-full' | 'address-blocked' | 'proxy-failed' | 'render-slot'>, string]
  >([
    ['turn', 'sends 14:05'],
    ['quota', 'quota resets 14:05'],
    ['offline', 'offline, retries 14:05'],
    ['sending-suspended', 'suspended, resumes 14:05'],
    ['link-limit', 'download limit, next 14:05'],
    ['file-server-busy', 'retries 14:05'],
    ['file-server-unreachable', 'retries 14:05'],
  ])('says when it continues, where that is known: %s', (reason, words) => {
    const when = whenOf(aJob({ state: 'queued', wait: { reason, until } }), en, sizes);
    expect(when).toMatchObject({ kind: 'moment', at: until, estimated: false });
    expect(when.kind === 'moment' && when.words('14:05')).toBe(words);
  });

  it('says when a video is saved rather than sent, where only this computer limits it', () => {
    const forecast = { sendAt: until, readyAt: null, savedAt: until + 5000 };
    const saved = { kind: 'moment', at: until + 5000, estimated: true };
    const sent = { kind: 'moment', at: until, estimated: false };
    for (const wait of [
      { reason: 'turn', until },
      { reason: 'render-slot', until, limit: 4 },
    ] as const) {
      const job = aJob({ state: 'queued', wait, forecast });
      expect(whenOf(job, en, sizes, true)).toMatchObject(saved);
      expect(whenOf(job, en, sizes)).toMatchObject(sent);
    }
    const unknown = aJob({ state: 'queued', wait: { reason: 'turn', until } });
    expect(whenOf(unknown, en, sizes, true)).toMatchObject(sent);
  });

  it('says why in a sentence, in every language', () => {
    const wait: Wait = { until: null, reason: 'disk-full', missingBytes: 2.5e9 };
    expect(waitWords(wait, en.waits, bytes).sentence(null)).toContain('2.50 GB of space');
    expect(waitWords(wait, de.waits, germanBytes).sentence(null)).toContain('2,50 GB freien Platz');
    const blocked: Wait = { until, reason: 'address-blocked', host: 'files.example' };
    for (const [texts, setting] of [
      [en, enViews.settings.allowVpnAddresses],
      [de, deViews.settings.allowVpnAddresses],
    ] as const) {
      const sentence = waitWords(blocked, texts.waits, bytes).sentence(null);
      expect(sentence).toContain('files.example');
      expect(sentence).toContain(setting);
    }
    const slot: Wait = { until, reason: 'render-slot' };
    expect(waitWords(slot, en.waits, bytes).sentence(null)).toBe(
      'Waits for another video to finish rendering.',
    );
    expect(waitWords(slot, de.waits, germanBytes).sentence(null)).toBe(
      'Wartet, bis ein anderes Video fertig gerendert ist.',
    );
    const links = waitWords({ until, reason: 'link-limit' }, en.waits, bytes);
    expect(links.sentence('at 14:05')).toContain('requested at 14:05');
  });
});
