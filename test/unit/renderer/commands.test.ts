import { describe, expect, it, onTestFinished } from 'vitest';
import type { Failure } from '../../../src/contract/failure.ts';
import type { JobState } from '../../../src/contract/job-states.ts';
import { userMessage } from '../../../src/contract/user-message.ts';
import { Commands } from '../../../src/renderer/state/commands.svelte.ts';
import { SavedState } from '../../../src/renderer/state/saved-state.svelte.ts';
import { TableLayout } from '../../../src/renderer/state/table-layout.svelte.ts';
import { Toasts } from '../../../src/renderer/state/toasts.svelte.ts';
import { en } from '../../../src/renderer/texts/en.ts';
import { fakeEngine } from '../../rigs/fake-client.ts';
import { notPressed } from '../../rigs/fake-pointer.ts';

/** A paid video that the service no longer has. */
const GONE: Failure = { code: 'video-unknown', ...userMessage('acceptance-unknown') };

function commandsOf(states: readonly JobState[]) {
  const engine = fakeEngine({ states }, 0);
  const commands = new Commands(engine.client, new Toasts(notPressed, 0), () => en);
  const retries = () =>
    engine.calls.filter(({ name }) => name.startsWith('jobs.retry')).map(({ input }) => input);
  return { engine, commands, retries };
}

describe('retrying all failed videos', () => {
  it('retries no more than were counted when the user confirmed', async () => {
    const { engine, commands, retries } = commandsOf(['failed', 'failed', 'failed', 'queued']);
    engine.change(['job-1'], { failure: GONE });
    await commands.askToRetryFailed(null);
    expect(commands.asking).toMatchObject({ plan: { renders: 2, gone: 1 }, payAgain: false });
    engine.change(['job-3'], { state: 'failed' });
    await commands.confirm();
    expect(retries()).toEqual([expect.objectContaining({ limit: 3, payAgain: false })]);
    expect(commands.asking).toBeNull();
  });

  it('asks first even if only videos that the service no longer has are left', async () => {
    const { engine, commands, retries } = commandsOf(['failed']);
    engine.change(['job-0'], { failure: GONE });
    await commands.askToRetryFailed(null);
    expect(commands.asking).toMatchObject({ plan: { renders: 0, gone: 1 }, payAgain: true });
    expect(retries()).toEqual([]);
  });
});

it('says if the videos of a batch cannot be read to be played', async () => {
  const { engine } = commandsOf(['done']);
  const toasts = new Toasts(notPressed, 0);
  const commands = new Commands(engine.client, toasts, () => en);
  const layout = new TableLayout({ getItem: () => null, setItem: () => undefined }, 'saved');
  const saved = new SavedState(engine.client, notPressed, layout);
  engine.client.jobs.list = () => Promise.reject(new Error('The connection is lost.'));
  await commands.run(() => saved.playAll('batch-0'));
  expect([saved.playing, toasts.shown.map(({ text }) => text)]).toEqual([null, [en.problems.lost]]);
});

describe('a question that is asked late', () => {
  it('does not replace the question that the user has opened meanwhile', async () => {
    const { engine, commands } = commandsOf(['failed', 'queued']);
    const late = delayed(engine, 'planRetry');
    const asked = commands.runOn('retry', ['job-0']);
    commands.askToTrash(['job-1']);
    late.resolve(undefined);
    await asked;
    expect(commands.asking).toEqual({ verb: 'trash', ids: ['job-1'] });
  });

  it('is not asked once the user has answered a later one', async () => {
    const { engine, commands } = commandsOf(['failed', 'queued']);
    const late = delayed(engine, 'planRetry');
    const asked = commands.runOn('retry', ['job-0']);
    commands.askToTrash(['job-1']);
    await commands.confirm();
    late.resolve(undefined);
    await asked;
    expect(commands.asking).toBeNull();
  });
});

/** Delays the answers to a call until the returned promise is resolved. */
function delayed(
  { client }: ReturnType<typeof fakeEngine>,
  name: 'planRetry',
): PromiseWithResolvers<undefined> {
  const late = Promise.withResolvers<undefined>();
  const call = client.jobs[name];
  const slow: typeof call = async (input, ...rest) => {
    const answer = await call(input, ...rest);
    await late.promise;
    return answer;
  };
  Object.assign(client.jobs, { [name]: slow });
  return late;
}

it('archives batches in which nothing is left to do, and says how many videos', async () => {
  const engine = fakeEngine({ states: ['done', 'cancelled'] }, 0);
  const toasts = new Toasts(notPressed, 60_000);
  const commands = new Commands(engine.client, toasts, () => en);

  await commands.archiveBatches(['batch-0']);

  expect((await engine.client.jobs.list({ archived: false })).total).toBe(0);
  expect(toasts.shown.map(({ text }) => text)).toEqual(['2 videos archived']);
});

describe('undo', () => {
  function withToasts(states: readonly JobState[]) {
    const engine = fakeEngine({ states }, 0);
    const toasts = new Toasts(notPressed, 60_000);
    onTestFinished(() => {
      for (const { id } of toasts.shown) toasts.dismiss(id);
    });
    const commands = new Commands(engine.client, toasts, () => en);
    const statesNow = async (): Promise<readonly JobState[]> =>
      (await engine.client.jobs.list({})).jobs.map(({ state }) => state);
    return { engine, toasts, commands, statesNow };
  }

  it('is offered in the one toast that names the change', async () => {
    const { toasts, commands, statesNow } = withToasts(['queued', 'queued']);
    await commands.runOn('hold', ['job-0']);
    await commands.runOn('cancel', ['job-0', 'job-1']);
    expect(commands.asking).toBeNull();
    expect(toasts.shown.map(({ text }) => text)).toEqual(['2 videos cancelled']);

    await toasts.shown[0]?.action?.run();

    expect(await statesNow()).toEqual(['held', 'queued']);
    expect(toasts.shown.map(({ text }) => text)).toEqual(['Undone: 2 videos cancelled']);
  });

  it('goes back step by step, and says when nothing is left', async () => {
    const { toasts, commands, statesNow } = withToasts(['queued', 'queued']);
    await commands.runOn('hold', ['job-0']);
    await commands.move(['job-1'], 'job-0');
    await commands.undo();
    expect(toasts.shown.at(-1)?.text).toBe('Undone: 1 video moved');
    await commands.undo();
    expect(await statesNow()).toEqual(['queued', 'queued']);
    await commands.undo();
    expect(toasts.shown.map(({ text }) => text)).toEqual(['There is nothing to undo']);
  });

  it('does not replace the question before a video is abandoned, which stays paid for', async () => {
    const { commands } = withToasts(['queued', 'rendering']);
    await commands.runOn('cancel', ['job-0', 'job-1']);
    expect(commands.asking).toEqual({ verb: 'cancel', ids: ['job-0', 'job-1'] });
  });
});
