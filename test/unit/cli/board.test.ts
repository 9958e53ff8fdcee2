import { describe, expect, it } from 'vitest';
import { stripVTControlCharacters } from 'node:util';
import type { BatchProgress } from '../../../src/cli/batch-progress.ts';
import { board } from '../../../src/cli/display/board.ts';
import { tellMore } from '../../../src/cli/display/job-line.ts';
import { report } from '../../../src/cli/display/report.ts';
import { cells } from '../../../src/cli/display/text-cells.ts';
import type { Job } from '../../../src/contract/job.ts';
import { aJob, aSummary, NOON } from '../../rigs/job-builder.ts';

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
    transfer: { receivedBytes: 1e6, totalBytes: 4e6, bytesPerSecond: 1e6, secondsLeft: 3 },
    forecast: { sendAt: null, readyAt: null, savedAt: NOON + 3000 },
  }),
  aJob({ id: 'd', title: 'Evil \u001b]0;owned\u0007\u202e\ntitle', state: 'failed' }),
  aJob({ id: 'e', forecast: { sendAt: NOON + 720_000, readyAt: null, savedAt: NOON + 900_000 } }),
];

const progress: BatchProgress = {
  name: 'Launch week',
  folder: '/videos',
  jobs,
  summary: aSummary({
    limits: {
      ...aSummary().limits,
      generate: {
        limit: 10,
        remaining: 0,
        windowSeconds: 3600,
        resetAt: NOON + 720_000,
        nextAt: NOON + 721_000,
      },
    },
  }),
};

function draw(width: number, height = 40, colours = false): string[] {
  return board(progress, NOON, { width, height, colours }).split('\n');
}

describe('what a finished video waits for', () => {
  const wait = { until: null, missingBytes: null };
  it.each<[NonNullable<Job['transferWait']> | null, string]>([
    [null, 'waits for a free transfer'],
    [{ ...wait, reason: 'paused' }, 'its transfer is paused'],
    [{ ...wait, reason: 'disk-full', missingBytes: 2e9 }, 'the disk is full: it needs 2.0 GB more'],
    [{ ...wait, reason: 'folder-unusable' }, 'its folder cannot be written to'],
    [
      { ...wait, reason: 'link-limit', until: NOON + 300_000 },
      'no link may be asked for yet, tries in 5 min',
    ],
    [{ ...wait, reason: 'unreachable' }, 'the server of the file cannot be reached'],
  ])('is told: %o', (transferWait, words) => {
    expect(tellMore(aJob({ state: 'ready', transferWait }), NOON)).toBe(words);
  });
});

describe('the live display', () => {
  it('gives every video a shape, a word and what happens next', () => {
    const [done, rendering, downloading, failed, waiting] = draw(120);
    expect(done).toMatch(/^✓ 1 Meet the new one +saved +0:08 · 2\.1 MB$/);
    expect(rendering).toMatch(/^◐ 2 Wie man .*… rendering +━+─+ +50 % saved in about 8 s$/u);
    expect(downloading).toMatch(
      /^↓ 3 日本語のタイトル +downloading +━+╸?─+ +25 % 1\.0 MB of 4\.0 MB$/u,
    );
    expect(failed).toMatch(/^✕ 4 Evil +title +failed/);
    expect(waiting).toMatch(/^○ 5 Meet the new one +waiting +sends in 12 min$/);
  });

  it('has one line for the batch and the limits with what is used', () => {
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

  it('shows what moves first when a terminal has few lines, and says how many it hides', () => {
    const lines = draw(100, 9);
    expect(lines.length).toBeLessThanOrEqual(9);
    expect(lines.join('\n')).toMatch(/◐ 2 [^]*↓ 3 [^]*… and 3 more videos/);
  });

  it('lets no escape sequence or bidi control of a title reach the terminal', () => {
    const drawn = draw(200).join('\n');
    for (const control of ['\u0007', '\u001b', '\u202e']) expect(drawn).not.toContain(control);
  });

  it('paints only where colours are wanted', () => {
    expect(draw(100, 40, true).join('\n')).toContain('\u001b[');
  });
});

describe('the table at the end', () => {
  it('lists file, length, size and time, and below them what was not saved', () => {
    const lines = report(progress, '/videos', NOON, { width: 80, colours: false }).split('\n');
    expect(lines[0]).toMatch(/^file +length +size +time$/);
    expect(lines[1]).toMatch(/^1 Meet\.mp4 +0:08 +2\.1 MB +8 s$/);
    expect(lines).toContain('✕ Evil  title (row 2): failed');
  });

  it('writes a path in full when it lies outside of the folder one is in', () => {
    const canvas = { width: 80, colours: false };
    expect(report(progress, '/elsewhere', NOON, canvas)).toContain('/videos/1 Meet.mp4');
  });
});
