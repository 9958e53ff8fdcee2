import { describe, expect, it } from 'vitest';
import { isWanted, newsBetween, type News } from '../../../src/contract/news.ts';
import { newsInEnglish, newsInGerman } from '../../../src/contract/news-words.ts';
import type { Summary } from '../../../src/contract/summary.ts';
import { userMessage } from '../../../src/contract/user-message.ts';
import { batch, counts, summary } from '../../rigs/summary-builder.ts';

const missingKey = {
  state: 'blocked',
  failure: { code: 'key-missing', ...userMessage('key-needed') },
} as const;

const ended = {
  kind: 'batch',
  id: '1',
  name: 'Launch week',
  service: null,
  saved: 3,
  failed: 0,
  uncertain: 0,
};

describe('the news of a batch', () => {
  const running = summary({ batches: [batch({ done: 4, downloading: 1 }, { id: '1' })] });
  const finished = summary({ batches: [batch({ done: 5 }, { id: '1' })] });

  it('comes once, when its last video has ended', () => {
    expect(newsBetween(running, running)).toEqual([]);
    expect(newsBetween(running, finished)).toEqual([{ ...ended, saved: 5 }]);
    expect(newsBetween(finished, finished)).toEqual([]);
  });

  it('is none for a batch that was finished at the start, or whose rows were cancelled', () => {
    expect(newsBetween(null, finished)).toEqual([]);
    expect(
      newsBetween(
        summary({ batches: [batch({ queued: 5 })] }),
        summary({ batches: [batch({ cancelled: 5 })] }),
      ),
    ).toEqual([]);
  });

  it('reports failures and what only the user can decide', () => {
    const [news] = newsBetween(
      summary({ batches: [batch({ done: 1, sending: 1, rendering: 2 })] }),
      summary({ batches: [batch({ done: 1, uncertain: 1, failed: 1, rejected: 1 })] }),
    );
    expect(news && newsInEnglish(news)).toEqual({
      title: 'Launch week needs attention',
      body: '1 video is saved, 2 failed, 1 needs your decision.',
    });
    expect(news && newsInGerman(news)).toEqual({
      title: 'Launch week wartet auf Sie',
      body: '1 Video ist gespeichert, 2 fehlgeschlagen, 1 braucht Ihre Entscheidung.',
    });
  });
});

describe('a standstill is reported', () => {
  const waiting = { batches: [batch({ queued: 3 })] };
  const away = {
    state: 'blocked',
    failure: {
      code: 'service-unreachable',
      ...userMessage('verbatim', { text: 'The service did not answer.' }),
    },
  } as const;

  it.each([
    ['for a missing key', { ...waiting, flow: missingKey }, ['key-missing']],
    ['not while nothing waits', { batches: [batch({ done: 3 })], flow: missingKey }, []],
    ['not for an unreachable service', { ...waiting, flow: away }, []],
    ['not for a running queue', waiting, []],
  ] satisfies [string, Partial<Summary>, string[]][])('%s', (_, some, reasons) => {
    const news = newsBetween(null, summary(some));
    expect(news).toMatchObject(reasons.map((reason) => ({ kind: 'standstill', reason })));
    expect(newsBetween(summary(some), summary(some))).toEqual([]);
  });
});

describe('the news of services that are not shown', () => {
  const origin = 'https://other.example';
  const other = (
    batches: Summary['others'][number]['batches'],
    flow: Summary['others'][number]['flow'] = { state: 'running' },
  ): Summary['others'][number] => ({
    name: 'other.example',
    origin,
    isLocal: false,
    counts: counts(),
    batches,
    flow,
  });
  const theirs = (some: Parameters<typeof counts>[0]) => [
    { id: '7', name: 'There', counts: counts(some) },
  ];

  it('name the service', () => {
    const before = summary({ others: [other(theirs({ done: 1, rendering: 1 }))] });
    const after = summary({ others: [other(theirs({ done: 2 }))] });
    const [news, ...rest] = newsBetween(before, after);
    expect(rest).toEqual([]);
    expect(news && newsInEnglish(news)).toEqual({
      title: 'There (other.example) is finished',
      body: '2 videos are saved.',
    });
    expect(newsBetween(after, after)).toEqual([]);
  });

  it('say once why it stopped', () => {
    const running = summary({ others: [other(theirs({ queued: 2 }))] });
    const stopped = summary({ others: [other(theirs({ queued: 2 }), missingKey)] });
    const [news] = newsBetween(running, stopped);
    expect(news && newsInEnglish(news)).toEqual({
      title: 'Spool needs attention',
      body: 'other.example: Nothing is sent: the API key is missing.',
    });
    expect(newsBetween(stopped, stopped)).toEqual([]);
    const here = { ...other(theirs({ queued: 2 }), missingKey), isLocal: true };
    const [local] = newsBetween(running, summary({ others: [here] }));
    expect(local && newsInGerman(local).body).toMatch(/^Dieser Computer: /);
  });

  it('are none when the user switches to another service', () => {
    const service = { name: 'other.example', origin, isLocal: false };
    const { service: shown } = summary();
    const before = summary({
      batches: [batch({ queued: 1 })],
      others: [other(theirs({ done: 2 }), null)],
    });
    const after = summary({
      service,
      flow: missingKey,
      batches: [batch({ queued: 1 }, { id: '7' })],
      others: [{ ...other([]), ...shown, batches: [{ ...batch({ queued: 1 }) }] }],
    });
    expect(newsBetween(before, after)).toEqual([]);
  });
});

describe('a notification', () => {
  const all = { batchSaved: true, needsDecision: true, failed: true };
  const none = { batchSaved: false, needsDecision: false, failed: false };
  const stuck = { kind: 'standstill', origin: '', service: null, reason: 'key-missing' };

  it.each([
    [ended, all, true],
    [ended, { ...all, batchSaved: false }, false],
    [{ ...ended, failed: 1 }, { ...none, failed: true }, true],
    [{ ...ended, uncertain: 1 }, { ...none, needsDecision: true }, true],
    [{ ...ended, uncertain: 1, failed: 1 }, none, false],
    [stuck, { ...none, needsDecision: true }, true],
    [stuck, { ...all, needsDecision: false }, false],
  ] as [News, typeof all, boolean][])(
    'comes according to the settings: %#',
    (news, wanted, comes) => {
      expect(isWanted(news, wanted)).toBe(comes);
    },
  );
});
