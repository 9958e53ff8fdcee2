import { describe, expect, it, test } from 'vitest';
import { stripVTControlCharacters } from 'node:util';
import type { BatchProgress } from '../../../src/cli/batch-progress.ts';
import { progressView, blockedText } from '../../../src/cli/display/progress-view.ts';
import { jobLine, nextStepText } from '../../../src/cli/display/job-line.ts';
import { countsLine } from '../../../src/cli/display/job-table.ts';
import { report } from '../../../src/cli/display/report.ts';
import { cells } from '../../../src/cli/display/text-cells.ts';
import type { Job, Wait } from '../../../src/contract/job.ts';
import type { Balance } from '../../../src/contract/service-cost.ts';
import type { Quota } from '../../../src/contract/summary.ts';
import { userMessage } from '../../../src/contract/user-message.ts';
import { aJob, aSummary, NOON } from '../../rigs/job-builder.ts';
import { batch } from '../../rigs/summary-builder.ts';

const file = { path: '/videos/1 Meet.mp4', bytes: 2_100_000, sha256: '', durationSeconds: 8 };

const jobs: Job[] = [
  aJob({ id: 'a', state: 'done', file, submittedAt: NOON - 9000, readyAt: NOON - 1000 }),
  aJob({
    id: 'b',
    title: 'Wie man eine sehr lange Überschrift schreibt, die nirgends hineinpasst 🎬🎬🎬',
    state: 'rendering',
    progress: { fraction: 0.5, estimated: false },
    forecast: { sendAt: null, readyAt: null, savedAt: NOON + 8000 },
  }),
  aJob({
    id: 'c',
    title: '日本語のタイトル',
    state: 'downloading',
    transfer: { receivedBytes: 1e6, totalBytes: 4e6, bytesPerSecond: 1e6 },
    forecast: { sendAt: null, readyAt: null, savedAt: NOON + 3000 },
  }),
  aJob({ id: 'd', title: 'Evil \u001b]0;owned\u0007\u202e\ntitle', state: 'failed' }),
  aJob({
    id: 'e',
    wait: { reason: 'turn', until: NOON + 720_000 },
    forecast: { sendAt: NOON + 720_000, readyAt: null, savedAt: NOON + 900_000 },
  }),
];

const progress: BatchProgress = {
  name: 'Launch week',
  folder: '/videos',
  jobs,
  awaited: [],
  summary: aSummary({
    service: { name: 'example.com', origin: 'https://example.com', isLocal: false },
    limits: {
      ...aSummary().limits,
      generate: {
        limit: 10,
        remaining: 0,
        windowSeconds: 3600,
        resetAt: NOON + 720_000,
        nextAt: NOON + 721_000,
        othersPerHour: 0,
      },
    },
  }),
};

function draw(width: number, height = 40, colours = false): string[] {
  return progressView(progress, NOON, { width, height, colours }).split('\n');
}

test('a limit is fully available once its window is over', () => {
  const at = (now: number): string =>
    progressView(progress, now, { width: 100, height: 40, colours: false });
  expect(at(NOON + 719_000)).toContain('sent 10/10 (more in 1 s)');
  expect(at(NOON + 720_000)).toContain('sent 0/10 ·');
});

test('on this computer, one line says what is true: no limits, no quota', () => {
  const canvas = { width: 140, height: 40, colours: false };
  const lastLine = (renderMs: number | null): string | undefined => {
    const summary = aSummary({ quota: null, renderMs });
    return progressView({ ...progress, summary }, NOON, canvas)
      .split('\n')
      .at(-1);
  };
  expect(lastLine(4200)).toBe('This computer · about 4 s a video · no limit');
  expect(lastLine(null)).toBe('This computer · no limit');
});

test('the end of a batch is a range where the app says one', () => {
  const canvas = { width: 140, height: 40, colours: false };
  const savedBetween = { from: NOON + 12 * 60_000, to: NOON + 18 * 60_000 };
  const text = (between: typeof savedBetween | null): string => {
    const batches = [batch({}, { id: 'batch-1', savedBetween: between })];
    const rendering = jobs.filter(({ state }) => state !== 'failed');
    const summary = aSummary({ batches });
    return progressView({ ...progress, jobs: rendering, summary }, NOON, canvas);
  };
  expect(text(savedBetween)).toContain('all saved in 12 to 18 min');
  expect(text(null)).toContain('all saved in about 15 min');
});

test('the practice account is named with its plan', () => {
  const canvas = { width: 140, height: 40, colours: false };
  const text = progressView({ ...progress, summary: aSummary() }, NOON, canvas);
  expect(text).toContain('quota 0 of 15 (practice account, starter)');
});

test('a limit of renders is shown beside those of requests, where there is one', () => {
  const { limits } = progress.summary;
  const renders = { limit: 5, underWay: 3 };
  const summary = aSummary({ ...progress.summary, limits: { ...limits, renders } });
  const canvas = { width: 140, height: 40, colours: false };
  expect(progressView({ ...progress, summary }, NOON, canvas)).toContain(
    'rendering 3 of 5 at a time',
  );
  expect(progressView(progress, NOON, canvas)).not.toContain('at a time');
});

test('the quota is shown by its plan or by its day, and not where there is none', () => {
  const canvas = { width: 200, height: 40, colours: false };
  const shown = (quota: Quota | null): string =>
    progressView({ ...progress, summary: { ...progress.summary, quota } }, NOON, canvas);
  const quota = progress.summary.quota!;
  expect(shown(quota)).toContain('quota 0 of 15 (starter), resets ');
  expect(shown({ ...quota, plan: null, per: 'day' })).toContain('quota 0 of 15 a day, resets ');
  expect(shown(null)).toContain('sent 10/10');
  expect(shown(null)).not.toMatch(/quota|resets/);
});

test('the balance is shown with its age, and not if the service reports none', () => {
  const balance: Balance = { amount: 1180, unit: 'credit', currency: null, readAt: NOON - 150_000 };
  const canvas = { width: 140, height: 40, colours: false };
  const shown = (of: Balance | null): string =>
    progressView(
      { ...progress, summary: aSummary({ ...progress.summary, quota: null, balance: of }) },
      NOON,
      canvas,
    );
  expect(shown(balance)).toContain('downloads 0/30 · balance 1,180 credits, read 3 min ago');
  expect(shown({ ...balance, amount: 8.07, unit: 'money', currency: 'USD' })).toContain(
    'balance 8.07 USD, read 3 min ago',
  );
  expect(shown(null)).not.toContain('balance');
});

test('a damaged file is not reported as missing', () => {
  const failure = {
    code: 'file-damaged',
    ...userMessage('verbatim', { text: '1 Meet.mp4 is damaged.' }),
  } as const;
  const draw = (job: Job): string =>
    jobLine(job, '1', NOON, { width: 100, colours: false }).replaceAll(/ +/g, ' ');
  expect(draw(aJob({ state: 'missing', failure }))).toMatch(
    /file damaged 1 Meet\.mp4 is damaged\.$/,
  );
  expect(draw(aJob({ state: 'missing' }))).toMatch(
    /file missing it was saved, but its file is no longer there/,
  );
  const both = new Map([['missing', 2]] as const);
  expect(countsLine(both)).toBe('2 videos: 2 missing or damaged.');
});

describe('why a video does not move', () => {
  const never = { until: null };
  const soon = { until: NOON + 300_000 };
  it.each<[Job['state'], Wait | null, string]>([
    ['queued', { ...soon, reason: 'turn' }, 'sends in 5 min'],
    ['queued', { ...never, reason: 'turn' }, 'waits its turn'],
    ['queued', { ...soon, reason: 'render-slot' }, 'sends in 5 min'],
    [
      'queued',
      // The command line names days of the computer's time zone.
      { reason: 'quota', until: new Date(2026, 1, 5).getTime() },
      'quota resets on 5 Feb',
    ],
    ['queued', { ...never, reason: 'pause-point' }, 'queue pauses first'],
    ['queued', { ...never, reason: 'not-planned' }, 'not estimated yet'],
    ['queued', { ...never, reason: 'years-away' }, 'in more than 5 years'],
    ['queued', { ...soon, reason: 'sending-suspended' }, 'suspended, resumes in 5 min'],
    ['queued', { ...never, reason: 'queue-unconfirmed' }, 'needs confirmation'],
    ['queued', { ...never, reason: 'queue-unwritable' }, 'disk full'],
    ['queued', { ...never, reason: 'paused' }, 'paused'],
    ['queued', { ...never, reason: 'key-missing' }, 'needs an API key'],
    ['rendering', { ...never, reason: 'key-refused' }, 'API key refused'],
    ['rendering', { ...soon, reason: 'offline' }, 'offline, retries in 5 min'],
    ['ready', null, 'waits to be downloaded'],
    ['ready', { ...never, reason: 'download-paused' }, 'download paused'],
    ['ready', { ...never, reason: 'disk-full', missingBytes: 2e9 }, 'needs 2.00 GB of space'],
    ['ready', { ...never, reason: 'folder-unusable' }, 'folder not writable'],
    ['ready', { ...never, reason: 'too-many-files' }, 'too many open files'],
    ['ready', { ...soon, reason: 'link-limit' }, 'download limit, next in 5 min'],
    ['ready', { ...soon, reason: 'file-server-busy' }, 'retries in 5 min'],
    ['ready', { ...soon, reason: 'address-blocked', host: 'files.example' }, 'address blocked'],
    ['ready', { ...never, reason: 'file-server-unreachable' }, 'file server offline'],
  ])('is shown for a %s one: %o', (state, wait, words) => {
    expect(nextStepText(aJob({ state, wait }), NOON)).toBe(words);
  });

  it('is shown for the queue as well, even while it is paused', () => {
    const failure = {
      code: 'key-refused',
      ...userMessage('verbatim', { text: 'The key is refused.' }),
    } as const;
    const words = blockedText(
      aSummary({ flow: { state: 'paused', what: 'sending', failure } }),
      NOON,
    );
    expect(words).toBe('Paused. Resume it with spool queue resume. The key is refused.');
  });
});

describe('the live display', () => {
  it('has a symbol, a state and the next step for every video', () => {
    const [done, rendering, downloading, failed, waiting] = draw(120);
    expect(done).toMatch(/^✓ 1 Meet the new one +saved +0:08 · 2\.10 MB$/);
    expect(rendering).toMatch(/^◐ 2 Wie man .*… rendering +━+─+ +50 % saved in about 8 s$/u);
    expect(downloading).toMatch(
      /^↓ 3 日本語のタイトル +downloading +━+╸?─+ +25 % 1\.00 MB of 4\.00 MB$/u,
    );
    expect(failed).toMatch(/^✕ 4 Evil +title +failed/);
    expect(waiting).toMatch(/^○ 5 Meet the new one +waiting +sends in 12 min$/);
  });

  it('shows the progress of the batch, and the used part of each limit', () => {
    const text = draw(120).join('\n');
    expect(text).toMatch(/Launch week {2}━+╸?─+ {2}1 of 5 saved · 1 failed/);
    expect(text).toContain('sent 10/10 (more in 12 min)');
    expect(text).toContain('quota 0 of 15 (starter), resets 5 Feb');
  });

  it.each([20, 32, 45, 60, 79, 100, 200])('never writes beyond %i cells', (width) => {
    for (const colours of [false, true]) {
      for (const line of draw(width, 40, colours)) {
        expect(cells(stripVTControlCharacters(line))).toBeLessThanOrEqual(width);
      }
    }
  });

  it('shows active videos first when a terminal has few lines, and says how many it hides', () => {
    const lines = draw(100, 9);
    expect(lines.length).toBeLessThanOrEqual(9);
    expect(lines.join('\n')).toMatch(/◐ 2 [^]*↓ 3 [^]*… and 3 more videos/);
  });

  it('lets no escape sequence or bidi control of a title reach the terminal', () => {
    const drawn = draw(200).join('\n');
    for (const control of ['\u0007', '\u001b', '\u202e']) expect(drawn).not.toContain(control);
  });

  it('uses colours where they are wanted', () => {
    expect(draw(100, 40, true).join('\n')).toContain('\u001b[');
  });
});

describe('the table at the end', () => {
  it('lists file, length, size and time, and below them the videos that were not saved', () => {
    const lines = report(progress, '/videos', NOON, { width: 80, colours: false }).split('\n');
    expect(lines[0]).toMatch(/^file +length +size +time$/);
    expect(lines[1]).toMatch(/^1 Meet\.mp4 +0:08 +2\.10 MB +8 s$/);
    expect(lines).toContain('✕ Evil  title (row 2): failed');
  });

  it('foretells nothing of what is left, and says what it waits for', () => {
    const canvas = { width: 80, colours: false };
    const waiting = aJob({ wait: { reason: 'daily-quota', until: null }, row: 7, title: 'Later' });
    const text = report({ ...progress, jobs: [...jobs, waiting] }, '/videos', NOON, canvas);
    expect(text).not.toMatch(/ in |saved in|sends/);
    expect(text).toMatch(/Later \(row 7\): waiting, .*quota/);
  });

  it('writes the full path of a file outside the current folder', () => {
    const canvas = { width: 80, colours: false };
    expect(report(progress, '/elsewhere', NOON, canvas)).toContain('/videos/1 Meet.mp4');
  });
});
