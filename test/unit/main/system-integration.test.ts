import { describe, expect, it, vi } from 'vitest';
import type { Settings } from '../../../src/contract/settings.ts';
import { userMessage } from '../../../src/contract/user-message.ts';
import { SystemIntegration } from '../../../src/main/system-integration.ts';
import { textsFor } from '../../../src/main/texts.ts';
import { resetSystem, system } from '../../rigs/fake-electron.ts';
import { batch, counts, summary } from '../../rigs/summary-builder.ts';

vi.mock('electron', () => import('../../rigs/fake-electron.ts'));

const ALL: Settings['notifications'] = { batchSaved: true, needsDecision: true, failed: true };

function integrated(hasTray = true) {
  resetSystem();
  system.hasTray = hasTray;
  const progress: unknown[] = [];
  const state = { notifications: ALL, clicks: 0 };
  const integration = new SystemIntegration({
    texts: () => textsFor('en'),
    menuParts: (status) => ({
      platform: 'linux',
      texts: textsFor('en'),
      status,
      startsAtLogin: false,
      updates: null,
      actions: {} as never,
    }),
    windowNow: () => ({ setProgressBar: (...given: unknown[]) => progress.push(given) }) as never,
    notificationSettings: () => state.notifications,
    onClick: () => {
      state.clicks += 1;
    },
    now: () => 0,
  });
  return { integration, progress, state };
}

const rendering = summary({
  batches: [batch({ rendering: 1, done: 3 })],
  counts: counts({ rendering: 1, done: 3 }),
});
const finished = summary({ batches: [batch({ done: 4 })], counts: counts({ done: 4 }) });

describe('the computer', () => {
  it('is kept awake once while a video renders, and sleeps afterwards', () => {
    const { integration } = integrated();
    integration.applySummary(rendering);
    integration.applySummary(rendering);
    expect(system.awake.size).toBe(1);
    integration.applySummary(finished);
    expect(system.awake.size).toBe(0);
    integration.applySummary(rendering);
    expect(system.awake.size).toBe(1);
  });

  it('may sleep, and has no tray icon, once the app closes', () => {
    const { integration } = integrated();
    integration.applySummary(rendering);
    expect(system.trays).toBe(1);
    integration.close();
    expect(system.awake.size).toBe(0);
    expect(system.trays).toBe(0);
  });

  it('may have no tray', () => {
    const { integration } = integrated(false);
    expect(integration.hasTray).toBe(false);
    integration.applySummary(rendering);
    integration.close();
    expect(system.awake.size).toBe(0);
  });
});

describe('the progress bar', () => {
  it('shows how much is saved and whether the queue is paused or blocked, and disappears', () => {
    const { integration, progress } = integrated();
    integration.showProgress();
    integration.applySummary(rendering);
    integration.applySummary({
      ...rendering,
      flow: { state: 'paused', what: 'sending', failure: null },
    });
    integration.applySummary({
      ...rendering,
      flow: { state: 'blocked', failure: { code: 'key-missing', ...userMessage('key-needed') } },
    });
    integration.applySummary(finished);
    expect(progress).toEqual([
      [0.75, { mode: 'normal' }],
      [0.75, { mode: 'paused' }],
      [0.75, { mode: 'error' }],
      [-1, { mode: 'normal' }],
    ]);
    expect(system.toolTip).toBe('Spool · Nothing to do');
  });
});

describe('a notification', () => {
  it('is shown once for a batch that is finished, and shows the window when it is clicked', () => {
    const { integration, state } = integrated();
    integration.applySummary(finished);
    expect(system.notifications).toEqual([]);
    integration.applySummary(rendering);
    integration.applySummary(finished);
    integration.applySummary(finished);
    expect(system.notifications).toMatchObject([{ title: 'Launch week is finished' }]);
    system.notifications[0]?.emit('click');
    expect(state.clicks).toBe(1);
  });

  it('is not shown if the user turned it off', () => {
    const { integration, state } = integrated();
    state.notifications = { ...ALL, batchSaved: false };
    integration.applySummary(rendering);
    integration.applySummary(finished);
    expect(system.notifications).toEqual([]);
  });
});
