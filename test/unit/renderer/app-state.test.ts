import { expect, it, onTestFinished } from 'vitest';
import { ALL_ACTIONS } from '../../../src/renderer/actions/all-actions.ts';
import { rowMenu } from '../../../src/renderer/actions/menu-items.ts';
import { AppState } from '../../../src/renderer/state/app-state.svelte.ts';
import { offeredText } from '../../../src/renderer/state/offered-file.ts';
import type { PageEnvironment } from '../../../src/renderer/state/page-environment.ts';
import { fakeEngine, type FakeScene } from '../../rigs/fake-client.ts';
import { notPressed } from '../../rigs/fake-pointer.ts';
import { counts } from '../../rigs/summary-builder.ts';

const OTHER = 'https://other.example.com';

/** A page without a document, connected until the test ends. */
async function openPage(scene: FakeScene) {
  const engine = fakeEngine(scene, 0);
  const environment: PageEnvironment = {
    storage: { getItem: () => null, setItem: () => undefined },
    languages: ['en'],
    onMac: false,
    onLinux: true,
    notifications: {
      permission: () => 'denied',
      ask: () => Promise.resolve('denied'),
      isWatched: () => true,
      show: () => undefined,
    },
    keys: {
      canWait: () => true,
      isDialogOpen: () => false,
      replay: () => undefined,
      settled: () => Promise.resolve(),
    },
    successToastMs: 5000,
    now: () => 0,
    connectionLoss: () => Promise.resolve('unknown'),
    continueWith: () => undefined,
    parameters: new URLSearchParams(),
    random: () => 0,
    pointerReleased: notPressed,
    wait: (_milliseconds, signal) =>
      new Promise((resolve) => signal.addEventListener('abort', () => resolve())),
    fileAddress: (id) => id,
    posterAddress: (id) => id,
    saveFile: () => undefined,
  };
  const app = new AppState(engine.client, environment);
  const document = Object.assign(new EventTarget(), { hidden: false, defaultView: null });
  onTestFinished(app.start(document as unknown as Document));
  await expect.poll(() => app.summary).not.toBeNull();
  return { engine, app };
}

it('closes what belongs to a service once another one is shown', async () => {
  const { engine, app } = await openPage({
    states: ['done', 'queued'],
    others: [
      { name: 'Other', origin: OTHER, isLocal: false, counts: counts(), batches: [], flow: null },
    ],
  });
  app.details.open('job-0');
  app.activity.batchId = 'batch-0';
  await expect.poll(() => app.details.details).not.toBeNull();
  app.saved.playing = app.details.details?.job ?? null;
  await app.services.show(OTHER);
  await expect.poll(() => app.summary?.service.origin).toBe(OTHER);
  expect([app.details.id, app.saved.playing, app.activity.batchId]).toEqual([null, null, null]);
  expect(engine.calls.map(({ name }) => name)).not.toContain('batches.plan');
});

it('opens the form of the job that was chosen last', async () => {
  const { engine, app } = await openPage({ states: ['queued', 'queued'] });
  const { show } = engine.client.jobs;
  const late = Promise.withResolvers<undefined>();
  const slow: typeof show = async (input, ...rest) => {
    const details = await show(input, ...rest);
    if (input.id === 'job-0') await late.promise;
    return details;
  };
  Object.assign(engine.client.jobs, { show: slow });
  const first = app.edit('job-0');
  await app.edit('job-1');
  late.resolve(undefined);
  await first;
  expect(app.editor?.submit()?.id).toBe('job-1');
});

it('offers no command for a video whose details the open view does not show', async () => {
  const { app } = await openPage({ states: ['queued'] });
  app.goTo('activity');
  app.details.open('job-0');
  await expect.poll(() => rowMenu(app).length).toBeGreaterThan(0);
  app.goTo('settings');
  expect(app.chosen.ids).toEqual([]);
  expect(rowMenu(app)).toEqual([]);
  app.goTo('activity');
  expect(app.chosen.ids).toEqual(['job-0']);
});

it('goes back from a form at once, although details are open in the view before', async () => {
  const { app } = await openPage({ states: ['queued'] });
  app.details.open('job-0');
  app.goTo('add');
  await ALL_ACTIONS.find(({ name }) => name === 'back')?.run(app);
  expect([app.view, app.details.id]).toEqual(['queue', 'job-0']);
});

it('holds keys back until the row of the next error is read', async () => {
  const { app } = await openPage({ states: [] });
  const rows = Array.from({ length: 40 }, (_, at) => `Tart ${at},long`);
  app.addFiles([offeredText('menu.csv', ['title,seconds', ...rows].join('\n'))]);
  await expect.poll(() => app.openAdding?.now.step).toBe('checked');
  const { adding } = app;
  const hasRow = (row: number): boolean =>
    adding.now.step === 'checked' && adding.now.plan.samples.some((sample) => sample.row === row);
  adding.shown = 30;
  expect(hasRow(31)).toBe(false);
  const opened = ALL_ACTIONS.find(({ name }) => name === 'nextProblem')?.run(app);
  const one = { key: '1', isTrusted: true } as KeyboardEvent;
  expect(app.keys.holdBack(one)).toBe(true);
  await opened;
  expect(hasRow(31)).toBe(true);
  await expect.poll(() => app.keys.holdBack(one)).toBe(false);
});
