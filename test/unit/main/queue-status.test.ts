import { describe, expect, it } from 'vitest';
import { JOB_STATES } from '../../../src/contract/job-states.ts';
import type { OtherServiceStatus, Summary } from '../../../src/contract/summary.ts';
import { userMessage } from '../../../src/contract/user-message.ts';
import { keepsAwake, queueStatusOf } from '../../../src/main/queue-status.ts';
import { textsFor } from '../../../src/main/texts.ts';
import { canReplaceItself, updateStep } from '../../../src/main/update-step.ts';
import { batch, counts, summary } from '../../rigs/summary-builder.ts';

const NOW = 1_000_000;
const MINUTE = 60_000;
const blocked = {
  state: 'blocked',
  failure: { code: 'key-missing', ...userMessage('key-needed') },
} as const;

describe('the queue status, for tray and taskbar', () => {
  it('counts the batches under way and leaves out those that are finished', () => {
    const batches = [
      batch({ done: 5 }, { id: '1' }),
      batch({ done: 3, rendering: 1, queued: 4 }, { id: '2' }),
    ];
    expect(queueStatusOf(summary({ batches }))).toMatchObject({
      open: 5,
      saved: 3,
      progress: 3 / 8,
      paused: false,
    });
  });

  it('shows no progress when nothing is under way', () => {
    const batches = [batch({ done: 5, failed: 1, held: 3, uncertain: 1 })];
    expect(queueStatusOf(summary({ batches })).progress).toBeNull();
    expect(queueStatusOf(summary()).progress).toBeNull();
  });

  it('has the end of all batches only when that of each is known', () => {
    const open = (id: string, savedBy: number | null) => batch({ queued: 1 }, { id, savedBy });
    const end = (...batches: ReturnType<typeof open>[]) =>
      queueStatusOf(summary({ batches })).savedBy;
    expect(end(open('1', NOW), open('2', NOW + MINUTE))).toBe(NOW + MINUTE);
    expect(end(open('1', NOW), open('2', null))).toBeNull();
  });

  it('has words for each state of the queue', () => {
    const { queueStatus } = textsFor('en-GB');
    const batches = [batch({ done: 3, queued: 5 })];
    const words = (flow: ReturnType<typeof summary>['flow']) =>
      queueStatus(queueStatusOf(summary({ batches, flow })));
    expect(words({ state: 'running' })).toBe('3 of 8 saved');
    expect(words({ state: 'paused', what: 'sending', failure: null })).toBe(
      'Paused · 3 of 8 saved',
    );
    expect(words(blocked)).toBe('Needs attention · 3 of 8 saved');
    expect(queueStatus(queueStatusOf(summary()))).toBe('Nothing to do');
    expect(textsFor('de-AT').queueStatus(queueStatusOf(summary()))).toBe('Nichts zu tun');
    expect(textsFor('fr').file).toBe('File');
  });

  it('is not idle while a video needs attention or is on hold', () => {
    const words = (some: Parameters<typeof counts>[0], language = 'en-GB') =>
      textsFor(language).queueStatus(queueStatusOf(summary({ counts: counts(some) })));
    expect(words({ rejected: 1 })).toBe('1 needs attention');
    expect(words({ failed: 1, uncertain: 1, held: 3 })).toBe('2 need attention');
    expect(words({ held: 3 })).toBe('3 on hold');
    expect(words({ failed: 1 }, 'de-DE')).toBe('1 wartet auf Sie');
    expect(words({ held: 3 }, 'de-DE')).toBe('3 zurückgestellt');
    const elsewhere = [
      { ...summary().service, flow: null, batches: [], counts: counts({ failed: 1 }) },
    ];
    const status = queueStatusOf(summary({ others: elsewhere }));
    expect(textsFor('en-GB').queueStatus(status)).toBe('1 needs attention');
  });
});

describe('sleep is prevented', () => {
  it.each([
    [
      'while something transfers',
      { transfers: { active: 1, bytesPerSecond: 10, paused: false } },
      true,
    ],
    ['while a request is in flight', { counts: counts({ sending: 1 }) }, true],
    ['while a video renders', { counts: counts({ rendering: 1 }) }, true],
    ['before a request that is due within minutes', { nextSendAt: NOW + 4 * MINUTE }, true],
    ['not for one that is due in an hour', { nextSendAt: NOW + 60 * MINUTE }, false],
    ['not for a queue that has nothing to do', {}, false],
    ['not while the key is missing', { counts: counts({ rendering: 1 }), flow: blocked }, false],
    [
      'not while everything is paused',
      {
        counts: counts({ rendering: 1 }),
        flow: { state: 'paused', what: 'everything', failure: null } as const,
      },
      false,
    ],
    [
      'while a sent video renders, though sending is paused',
      {
        counts: counts({ rendering: 1 }),
        flow: { state: 'paused', what: 'sending', failure: null } as const,
      },
      true,
    ],
    [
      'not for a request that is due while sending is paused',
      { nextSendAt: NOW, flow: { state: 'paused', what: 'sending', failure: null } as const },
      false,
    ],
  ])('%s', (_when, some, awake) => {
    expect(keepsAwake(summary(some), NOW)).toBe(awake);
  });
});

describe('sleep is prevented by a video', () => {
  const WORKING = ['sending', 'submitted', 'rendering', 'ready', 'downloading', 'verifying'];
  const paused = { state: 'paused', what: 'sending', failure: null } as const;
  const stopped = { state: 'paused', what: 'everything', failure: null } as const;

  it.each(JOB_STATES)('that is %s only if work is done on it', (state) => {
    const isWork = WORKING.includes(state);
    const some = counts({ [state]: 1 });
    const elsewhere = (flow: Summary['flow'] | null): Summary =>
      summary({ others: [{ ...summary().service, flow, batches: [], counts: some }] });
    expect(keepsAwake(summary({ counts: some }), NOW)).toBe(isWork);
    expect(keepsAwake(summary({ counts: some, flow: paused }), NOW)).toBe(isWork);
    // The request that is in flight is still answered.
    expect(keepsAwake(summary({ counts: some, flow: stopped }), NOW)).toBe(state === 'sending');
    expect(keepsAwake(elsewhere({ state: 'running' }), NOW)).toBe(isWork);
    expect(keepsAwake(elsewhere(paused), NOW)).toBe(isWork);
    expect(keepsAwake(elsewhere(stopped), NOW)).toBe(state === 'sending');
    expect(keepsAwake(elsewhere(null), NOW)).toBe(false);
  });
});

describe('an update', () => {
  const idle = queueStatusOf(summary());
  const busy = queueStatusOf(summary({ batches: [batch({ queued: 1 })] }));

  it.each([
    [false, false, idle, 'nothing'],
    [false, true, idle, 'nothing'],
    [true, false, idle, 'look'],
    [true, true, idle, 'install-at-quit'],
    [true, false, busy, 'nothing'],
    [true, true, busy, 'nothing'],
  ] as const)('wanted %s, downloaded %s: %#', (wanted, downloaded, queueStatus, step) => {
    expect(updateStep({ wanted, downloaded }, queueStatus)).toBe(step);
  });
});

describe('the app replaces itself', () => {
  const files =
    (...names: string[]) =>
    (name: string) =>
      names.includes(name);
  const installed = files('app-update.yml');
  it.each([
    ['from source', false, 'linux', { APPIMAGE: '/x' }, installed, false],
    ['without a source of updates', true, 'win32', {}, files(), false],
    ['installed on Windows', true, 'win32', {}, installed, true],
    [
      'portable on Windows',
      true,
      'win32',
      { PORTABLE_EXECUTABLE_FILE: 'E:\\s.exe' },
      installed,
      false,
    ],
    ['on macOS', true, 'darwin', {}, installed, true],
    ['as an AppImage', true, 'linux', { APPIMAGE: '/x' }, installed, true],
    ['as a package', true, 'linux', {}, files('app-update.yml', 'package-type'), true],
    ['as a folder', true, 'linux', {}, installed, false],
  ] as const)('%s', (_, isPackaged, platform, env, has, can) => {
    expect(canReplaceItself({ isPackaged, platform, env, has })).toBe(can);
  });
});

describe('services that are not shown', () => {
  const other = (
    some: Partial<Summary['counts']>,
    flow: Summary['flow'] | null,
    batches: OtherServiceStatus['batches'] = [],
  ) => ({
    name: 'other',
    origin: 'https://other.example',
    isLocal: false,
    counts: counts(some),
    flow,
    batches,
  });

  it('count in progress with the batches that are under way, and when their key is missing', () => {
    const batches = [batch({ done: 3, queued: 1 })];
    const theirs = [
      { id: '7', name: 'There', counts: counts({ done: 4, rendering: 2 }) },
      { id: '8', name: 'Finished', counts: counts({ done: 50 }) },
    ];
    const working = other({ done: 54, rendering: 2 }, { state: 'running' }, theirs);
    const resting = { ...other({ done: 9, queued: 2 }, null), origin: 'https://third.example' };
    const status = queueStatusOf(summary({ batches, others: [working, resting] }));
    expect(status).toMatchObject({ open: 5, saved: 7, progress: 7 / 12, blocked: false });
    expect(textsFor('en').queueStatus(status)).toBe('7 of 12 saved');
    const elsewhere = queueStatusOf(
      summary({ others: [other({ done: 4, rendering: 2 }, { state: 'running' }, theirs)] }),
    );
    expect(elsewhere).toMatchObject({ open: 2, saved: 4, progress: 4 / 6 });
    expect(queueStatusOf(summary({ others: [other({ queued: 1 }, blocked)] })).blocked).toBe(true);
    expect(queueStatusOf(summary({ others: [other({ done: 1 }, blocked)] })).blocked).toBe(false);
  });

  it('are included in a pause where they run', () => {
    const { pause } = textsFor('en');
    const isOne = (flow: Summary['flow'] | null): boolean =>
      queueStatusOf(summary({ others: [other({ done: 1 }, flow)] })).severalServices;
    expect([isOne(null), isOne({ state: 'running' })]).toEqual([false, true]);
    expect([pause(false), pause(true)]).toEqual(['Pause sending', 'Pause all services']);
    expect(textsFor('de').pause(true)).toBe('Alle Dienste pausieren');
  });

  it('count as open, and are paused when all of them are', () => {
    const others = [other({ queued: 3, done: 2 }, { state: 'running' })];
    const flow = { state: 'paused', what: 'sending', failure: null } as const;
    expect(queueStatusOf(summary({ others }))).toMatchObject({ open: 3, savedBy: null });
    expect(queueStatusOf(summary({ others, flow })).paused).toBe(false);
    const paused = [other({ queued: 3 }, flow)];
    expect(queueStatusOf(summary({ others: paused, flow })).paused).toBe(true);
  });

  it('keep the computer awake while they render', () => {
    const rendering = other({ rendering: 1 }, { state: 'running' });
    expect(keepsAwake(summary({ others: [rendering] }), 0)).toBe(true);
    expect(keepsAwake(summary({ others: [other({ queued: 1 }, { state: 'running' })] }), 0)).toBe(
      false,
    );
  });
});
