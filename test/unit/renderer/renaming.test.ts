import { describe, expect, it } from 'vitest';
import { Renaming } from '../../../src/renderer/state/renaming.svelte.ts';
import { Toasts } from '../../../src/renderer/state/toasts.svelte.ts';
import { en } from '../../../src/renderer/texts/en.ts';
import { fakeEngine } from '../../rigs/fake-client.ts';
import { notPressed } from '../../rigs/fake-pointer.ts';

const IDS = ['job-0', 'job-1', 'job-2'];

function renaming() {
  const engine = fakeEngine({ states: ['done', 'done', 'done', 'missing'] }, 0);
  const toasts = new Toasts(notPressed, 0);
  const state = new Renaming(
    engine.client,
    toasts,
    () => en,
    (text) => toasts.good(text),
  );
  const named = (name: string) => engine.calls.filter((call) => call.name === name);
  return { engine, toasts, state, named };
}

describe('renaming saved files', () => {
  it('previews the new name of each file, and changes nothing', async () => {
    const { engine, state } = renaming();
    await state.open(IDS, 'Clip');
    expect(state.plan?.counts).toEqual({ renamed: 1, numbered: 2, unchanged: 0, kept: 0 });
    expect(state.stale).toBe(false);
    expect(engine.calls.map(({ name }) => name)).toEqual(['files.planRename']);
  });

  it('makes one more plan for everything typed while planning', async () => {
    const { state, named } = renaming();
    await Promise.all([
      state.open(IDS, 'a'),
      ...['ab', 'abc', 'abcd'].map((text) => state.write(text)),
    ]);
    await expect.poll(() => state.stale).toBe(false);
    expect(named('files.planRename').map(({ input }) => input)).toMatchObject([
      { nameTemplate: 'a' },
      { nameTemplate: 'abcd' },
    ]);
    expect(state.plan?.files[0]?.to).toBe('abcd.mp4');
  });

  it('does not rename by an outdated plan or an empty template', async () => {
    const { state, named } = renaming();
    await state.open(IDS, 'Clip');
    await state.write('  ');
    await state.apply();
    expect(named('files.rename')).toEqual([]);
    await state.write('{title}');
    await state.apply();
    expect(named('files.rename')).toHaveLength(1);
  });

  it('renames once however often it is asked to, and says so', async () => {
    const { state, toasts, named } = renaming();
    await state.open(IDS, 'Clip');
    await Promise.all([state.apply(), state.apply()]);
    expect(named('files.rename')).toHaveLength(1);
    expect(state.ids).toBe(null);
    expect(toasts.shown.map(({ text }) => text)).toEqual(['3 files renamed']);
  });

  it('does nothing where every file already has its name', async () => {
    const { state, named } = renaming();
    await state.open(IDS, '{title}');
    await state.apply();
    await state.open(IDS, '{title}');
    expect(state.plan?.counts).toMatchObject({ renamed: 0, unchanged: 3 });
    await state.apply();
    expect(named('files.rename')).toHaveLength(1);
  });

  it('keeps showing what could not be renamed, and reports it when closed', async () => {
    const { state, toasts } = renaming();
    await state.open([...IDS, 'job-3'], '{title}');
    await state.apply();
    expect(state.outcome?.refused.map(({ id }) => id)).toEqual(['job-3']);
    expect(toasts.shown).toEqual([]);
    state.close();

    await state.open([...IDS, 'job-3'], 'Clip');
    const applied = state.apply();
    state.close();
    await applied;
    expect(state).toMatchObject({ ids: null, outcome: null, busy: false });
    expect(toasts.shown[0]?.more).toBe('Its file is missing. Download it again first.');
    expect(toasts.shown.map(({ text }) => text)).toEqual(['3 files renamed, 1 keeps its name']);
  });

  it('is kept apart from an earlier renaming that still runs', async () => {
    const { state, toasts } = renaming();
    await state.open(IDS, 'Clip');
    const earlier = state.apply();
    await state.open(['job-0'], '{row}');
    await earlier;
    expect(state).toMatchObject({ ids: ['job-0'], busy: false, outcome: null });
    expect(toasts.shown.map(({ text }) => text)).toEqual(['3 files renamed']);
  });

  it('says why there is no plan, and plans again', async () => {
    const { engine, state } = renaming();
    engine.connected = false;
    await state.open(IDS, 'Clip');
    expect(state.problem).toBe('lost');
    await state.apply();
    engine.connected = true;
    await state.write('Clip 2');
    expect(state.problem).toBe(null);
    expect(state.plan?.counts.renamed).toBe(1);
  });
});
