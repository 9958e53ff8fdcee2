import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Job } from '../../../src/contract/job.ts';
import { marksOf, placeOn, trackOf } from '../../../src/renderer/views/timeline/track.ts';

const job = (state: Job['state'], rest: Partial<Job>): Job =>
  ({
    state,
    submittedAt: null,
    readyAt: null,
    savedAt: null,
    wait: null,
    forecast: { sendAt: null, readyAt: null, savedAt: null },
    ...rest,
  }) as Job;

const NOW = 100;

describe('a track', () => {
  it('of a waiting video runs from now to its saved file', () => {
    const waiting = job('queued', { forecast: { sendAt: 110, readyAt: 130, savedAt: 133 } });
    expect(trackOf(waiting, NOW).segments).toEqual([
      { stage: 'waits', expected: true, from: 100, to: 110 },
      { stage: 'renders', expected: true, from: 110, to: 130 },
      { stage: 'fetches', expected: true, from: 130, to: 133 },
    ]);
  });

  it('of a rendering video separates the past from the forecast', () => {
    const rendering = job('rendering', {
      submittedAt: 90,
      forecast: { sendAt: null, readyAt: 130, savedAt: 133 },
    });
    expect(trackOf(rendering, NOW).segments).toEqual([
      { stage: 'renders', expected: false, from: 90, to: 100 },
      { stage: 'renders', expected: true, from: 100, to: 130 },
      { stage: 'fetches', expected: true, from: 130, to: 133 },
    ]);
  });

  it('prefers actual times over forecast ones', () => {
    const fetching = job('downloading', {
      submittedAt: 80,
      readyAt: 95,
      forecast: { sendAt: 10, readyAt: 130, savedAt: 104 },
    });
    expect(trackOf(fetching, NOW)).toMatchObject({ sendAt: 80, savedAt: 104 });
    expect(trackOf(fetching, NOW).segments).toEqual([
      { stage: 'renders', expected: false, from: 80, to: 95 },
      { stage: 'fetches', expected: false, from: 95, to: 100 },
      { stage: 'fetches', expected: true, from: 100, to: 104 },
    ]);
  });

  it('is not drawn for a job that waits for the user, the next cycle or the service', () => {
    const forecast = { sendAt: 110, readyAt: 130, savedAt: 133 };
    expect(trackOf(job('held', { forecast }), NOW).segments).toEqual([]);
    expect(trackOf(job('queued', {}), NOW).segments).toEqual([]);
    const offline = { reason: 'offline', until: 105 } as const;
    expect(trackOf(job('queued', { forecast, wait: offline }), NOW).segments).toEqual([]);
  });
});

describe('the axis', () => {
  const span = { from: 100, to: 200 };

  it.each([
    [120, 150, { start: 0.2, size: 0.3 }],
    [50, 150, { start: 0, size: 0.5 }],
    [150, 900, { start: 0.5, size: 0.5 }],
    [0, 100, null],
    [200, 300, null],
  ])('shows the part of %i to %i that it covers', (from, to, place) => {
    expect(placeOn(span, from, to)).toEqual(place);
  });

  it('is marked at midnight after a day without one', () => {
    vi.stubEnv('TZ', 'Africa/Cairo');
    onTestFinished(() => void vi.unstubAllEnvs());
    const from = new Date(2026, 3, 23, 12).getTime();
    const marks = marksOf({ from, to: from + 4 * 24 * 3_600_000 }, 24 * 60);
    expect(marks.map((mark) => new Date(mark).getHours())).toEqual([1, 0, 0, 0]);
  });

  it('has each mark once on the night when clocks go forward', () => {
    vi.stubEnv('TZ', 'Europe/Berlin');
    onTestFinished(() => void vi.unstubAllEnvs());
    const from = new Date(2026, 2, 29, 1).getTime();
    const marks = marksOf({ from, to: from + 3 * 3_600_000 }, 30);
    const times = marks.map((mark) => new Date(mark).toTimeString().slice(0, 5));
    expect(times).toEqual(['01:30', '03:00', '03:30', '04:00', '04:30']);
  });

  it('is marked at round local times', () => {
    const from = new Date(2026, 10, 21, 11, 50).getTime();
    const marks = marksOf({ from, to: from + 3 * 3_600_000 }, 30);
    expect(marks.map((mark) => new Date(mark).toTimeString().slice(0, 5))).toEqual([
      '12:00',
      '12:30',
      '13:00',
      '13:30',
      '14:00',
      '14:30',
    ]);
  });
});
