import { describe, expect, it } from 'vitest';
import { MAX_BATCH_BYTES } from '../../../src/contract/batch-limits.ts';
import { AddState } from '../../../src/renderer/state/add-state.svelte.ts';
import { handledFile, offeredFile, offeredText } from '../../../src/renderer/state/offered-file.ts';
import { BatchChoices } from '../../../src/renderer/state/batch-choices.svelte.ts';
import { BatchMemory } from '../../../src/renderer/state/batch-memory.ts';
import { useAsBefore } from '../../../src/renderer/state/used-before.ts';
import { fakeEngine, type FakeScene } from '../../rigs/fake-client.ts';

const GOOD = 'title,aspect\nOne,16:9\nTwo,1:1';
const OTHER = 'Film,What\nA,One\nB,Two';
const file = (content: string | Uint8Array<ArrayBuffer>, name = 'batch.csv'): File =>
  new File([content], name);

const atOnce = () => Promise.resolve();

function setUp(scene: Partial<FakeScene> = {}) {
  const engine = fakeEngine({ states: [], ...scene }, 0);
  const callNames = () => engine.calls.map(({ name }) => name);
  const kept = new Map<string, string>();
  const memory = new BatchMemory({
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
  });
  return { engine, memory, callNames, state: new AddState(engine.client, memory, atOnce) };
}

function shownPlan(state: AddState) {
  if (state.now.step !== 'checked') throw new Error(`The step is ${state.now.step}, not checked.`);
  return state.now.plan;
}

describe('adding a batch', () => {
  it('plans a file and adds nothing until asked to', async () => {
    const { callNames, state } = setUp();
    await state.take([offeredFile(file(GOOD))]);
    expect(state.now).toMatchObject({ step: 'checked', adding: false, stale: false });
    expect(callNames()).toEqual(['batches.plan']);
    expect(await state.add()).toMatchObject({ submitted: 2 });
    expect(state.now).toEqual({ step: 'choose', problem: null });
  });

  it('proposes the choices of the last file like it, and makes them at once', async () => {
    const usedBefore = {
      pattern: 'week-*.csv',
      file: 'week-46.csv',
      origin: 'https://video.example.com',
      options: {
        folder: '/films/weeks',
        nameTemplate: '{row} {title}',
        duplicates: 'render' as const,
        columns: { title: 'Film' },
        reading: { headerRow: 1 },
      },
    };
    const { engine, state } = setUp({ usedBefore });
    await state.take([offeredFile(file(OTHER, 'week-47.csv'))]);
    expect(state.usedBefore).toEqual(usedBefore);
    expect(state.choices.options).toEqual({});
    await useAsBefore(state);
    expect(state.usedBefore).toBeNull();
    const { reading, ...options } = usedBefore.options;
    const { input } = engine.calls.findLast(({ name }) => name === 'batches.plan')!;
    expect(input).toMatchObject({ source: { name: 'week-47.csv', reading }, options });

    // With these choices already made, there is nothing to propose.
    await state.take([offeredFile(file(GOOD, 'week-48.csv'))]);
    expect(state.usedBefore?.options).not.toHaveProperty('folder');
  });

  it.each([
    [
      'names the service of the last file like it, if only that differs',
      'https://other.example',
      {},
    ],
    [
      'proposes nothing if that file had the same choices and service',
      'https://video.example.com',
      null,
    ],
  ])('%s', async (_, origin, options) => {
    const usedBefore = { pattern: 'week-*.csv', file: 'week-46.csv', origin, options: {} };
    const { state } = setUp({ usedBefore });
    await state.take([offeredFile(file(GOOD, 'week-47.csv'))]);
    expect(state.usedBefore?.options ?? null).toEqual(options);
  });

  it('adds once however often the button is pressed', async () => {
    const { callNames, state } = setUp();
    await state.take([offeredFile(file(GOOD))]);
    await Promise.all([state.add(), state.add()]);
    expect(callNames().filter((name) => name === 'batches.add')).toHaveLength(1);
  });

  it('reports a lost connection when a file is chosen', async () => {
    const { engine, state } = setUp();
    engine.connected = false;
    await state.take([offeredFile(file(GOOD))]);
    expect(state.now).toMatchObject({ step: 'choose', problem: { kind: 'lost' } });
  });

  it.each([
    ['more than 64 MiB', new File([new Uint8Array(MAX_BATCH_BYTES + 1)], 'big.csv'), 'too-large'],
  ])('refuses %s without asking the engine', async (_what, refused, kind) => {
    const { callNames, state } = setUp();
    await state.take([offeredFile(refused)]);
    expect(state.now).toEqual({ step: 'choose', problem: { kind } });
    expect(callNames()).toEqual([]);
  });

  it('keeps the plan for a retry when adding fails', async () => {
    const { engine, state } = setUp();
    await state.take([offeredFile(file(GOOD))]);
    engine.connected = false;
    expect(await state.add()).toBeNull();
    expect(state.now).toMatchObject({ step: 'checked', adding: false, problem: { kind: 'lost' } });
    engine.connected = true;
    expect(await state.add()).toMatchObject({ submitted: 2 });
  });

  it('discards the plan when adding fails after a change of service', async () => {
    const { engine, callNames, state } = setUp();
    await state.take([offeredFile(file(GOOD))]);
    engine.connected = false;
    const added = state.add();
    expect(state.changeService()).toBe(true);
    expect(await added).toBeNull();
    expect(state.now).toEqual({ step: 'choose', problem: { kind: 'lost' } });
    expect(callNames()).toEqual(['batches.plan', 'batches.add']);
  });

  it('plans again, and says so, when the profile has changed', async () => {
    const { engine, callNames, state } = setUp();
    await state.take([offeredFile(file(GOOD))]);
    const { origin, profile } = await engine.client.profile.get();
    await engine.client.profile.save({ origin, profile: { ...profile, name: 'Another' } });
    expect(await state.add()).toBeNull();
    expect(callNames().filter((name) => name.startsWith('batches.'))).toEqual([
      'batches.plan',
      'batches.add',
      'batches.plan',
    ]);
    expect(state.now).toMatchObject({
      step: 'checked',
      adding: false,
      stale: false,
      problem: { kind: 'failure', failure: { code: 'plan-outdated' } },
    });
    expect(await state.add()).toMatchObject({ submitted: 2 });
  });

  it('ignores an answer that arrives after starting over', async () => {
    const { state } = setUp();
    const checking = state.take([offeredText('a.csv', GOOD)]);
    state.startOver();
    await checking;
    expect(state.now).toEqual({ step: 'choose', problem: null });
  });

  it('sends options only where they were given', async () => {
    const { engine, state } = setUp();
    await state.take([offeredText('a.csv', GOOD)]);
    expect(engine.calls.at(-1)?.input).toHaveProperty('options', {});
    state.choices.folder = '  /videos ';
    state.choices.onCollision = 'skip';
    state.choices.nameTemplate = ' ';
    await state.replan();
    expect(engine.calls.at(-1)?.input).toHaveProperty('options', {
      folder: '/videos',
      onCollision: 'skip',
    });
  });

  it('decodes files in older code pages', async () => {
    const { state } = setUp();
    await state.take([
      offeredFile(file(new Uint8Array([...Buffer.from('title\nCaf\u00e9', 'latin1')]))),
    ]);
    expect(shownPlan(state).rows[0]?.title).toBe('Café');
  });

  it.each([
    ['batch.json', '[{"title": "One"', 'batch-unreadable'],
    ['batch.csv', '\n \n', 'batch-empty'],
  ])('stays at the file selection when %s is refused', async (name, text, code) => {
    const { state } = setUp();
    await state.take([offeredFile(file(text, name))]);
    expect(state.now).toMatchObject({
      step: 'choose',
      problem: { kind: 'failure', failure: { code } },
    });
  });

  it('opens the columns section when a required column is missing', async () => {
    const { state } = setUp();
    await state.take([offeredFile(file(OTHER))]);
    expect(state.section).toBe('columns');
    await state.take([offeredFile(file(GOOD))]);
    expect(state.section).toBe('rows');
  });
});

describe('choices', () => {
  it('are planned again, once for all changes made meanwhile, and cannot be added before that', async () => {
    const { callNames, state } = setUp();
    await state.take([offeredFile(file(GOOD))]);
    const planning = ['{title}', '{title}!', '{title}!!'].map((template) => {
      state.choices.nameTemplate = template;
      return state.replan();
    });
    expect(state.now).toMatchObject({ stale: true });
    expect(await state.add()).toBeNull();
    await Promise.all(planning);
    expect(state.now).toMatchObject({ stale: false });
    expect(shownPlan(state).rows.map(({ fileName }) => fileName)).toEqual([
      'One!!.mp4',
      'Two!!.mp4',
    ]);
    expect(callNames()).toEqual(['batches.plan', 'batches.plan', 'batches.plan']);
  });

  it('keep the batch when planning fails', async () => {
    const { engine, state } = setUp();
    await state.take([offeredFile(file(GOOD))]);
    engine.connected = false;
    state.choices.nameTemplate = '{row}';
    await state.replan();
    expect(state.now).toMatchObject({ step: 'checked', stale: true, problem: { kind: 'lost' } });
    engine.connected = true;
    await state.replan();
    expect(state.now).toMatchObject({ stale: false, problem: null });
  });

  it('show where a typed request is not JSON, and plan nothing then', async () => {
    const { callNames, state } = setUp();
    await state.take([offeredFile(file(GOOD))]);
    state.choices.templateText = '{\n  "a": "{{title}}" x\n}';
    await state.replan();
    expect(state.choices.templateError).toEqual({ line: 2, column: 20 });
    expect(state.now).toMatchObject({ stale: true });
    state.choices.templateText = '[]';
    expect(state.choices.templateError).toEqual({ line: null, column: null });
    expect(callNames()).toEqual(['batches.plan']);
    state.choices.templateText = '{"a": "{{title}}"}';
    await state.replan();
    expect(shownPlan(state).samples[0]?.request).toEqual({ a: 'One' });
  });

  it('for single rows override the choice for all rows until that is changed', () => {
    const choices = new BatchChoices();
    choices.setDuplicatesFor(4, 'skip');
    choices.setDuplicatesFor(6, 'render');
    choices.setDuplicatesFor(6, 'reuse');
    expect(choices.options).toEqual({ duplicateRows: { 4: 'skip' } });
    expect([choices.duplicatesFor(4), choices.duplicatesFor(6)]).toEqual(['skip', 'reuse']);
    choices.setDuplicatesForAll('render');
    expect(choices.options).toEqual({ duplicates: 'render' });
  });

  it('for single rows are dropped when the row is no duplicate any more', async () => {
    const { callNames, state } = setUp();
    await state.take([offeredFile(file('title\nOne\nOne'))]);
    state.choices.duplicateRows = { 2: 'skip', 3: 'skip' };
    await state.replan();
    expect(state.choices.options).toEqual({ duplicateRows: { 3: 'skip' } });
    expect(callNames()).toEqual(['batches.plan', 'batches.plan', 'batches.plan']);
  });

  it('show any row of the file', async () => {
    const { state } = setUp();
    const rows = Array.from({ length: 40 }, (_, row) => `Film ${row}`);
    await state.take([offeredFile(file(['title', ...rows].join('\n')))]);
    await state.show(33);
    expect(shownPlan(state).samples.at(-1)).toMatchObject({
      row: 33,
      request: { title: 'Film 31' },
    });
  });

  it('about columns and the request are remembered for files with the same columns', async () => {
    const { state } = setUp();
    await state.take([offeredFile(file(OTHER))]);
    await state.matchColumns({ title: 'Film' });
    await state.take([offeredFile(file('What,Film\nThree,C', 'batch-2.csv'))]);
    expect(state.recalled).toBe(true);
    expect(shownPlan(state).rows.map(({ title }) => title)).toEqual(['C']);
    await state.matchColumns({});
    await state.writeRequest('{"a": "{{Film}}"}');
    await state.writeRequest('{"a": ');
    await state.take([offeredFile(file(OTHER, 'batch-3.csv'))]);
    expect(shownPlan(state).samples[0]?.request).toEqual({ a: 'A' });
    expect(state.recalledTemplate).toBe(true);
    await state.writeRequest('{"b": "{{Film}}"}');
    expect(state.recalledTemplate).toBe(false);
    await state.writeRequest(null);
    await state.take([offeredFile(file(OTHER, 'batch-4.csv'))]);
    expect([state.recalled, state.recalledTemplate]).toEqual([false, false]);
  });
});

describe('a single video', () => {
  it('is planned while it is written, and added to the batch of single videos', async () => {
    const { engine, state } = setUp();
    await state.openVideoForm('Single videos');
    expect(shownPlan(state).issues).toMatchObject([{ row: 1, column: 'title' }]);
    state.video?.write('title', 'Plum tart');
    state.video?.write('seconds', '8');
    await state.replan();
    expect(shownPlan(state)).toMatchObject({
      name: 'Single videos',
      issues: [],
      samples: [{ request: { title: 'Plum tart', duration: 8 } }],
    });
    expect(await state.add()).toMatchObject({ submitted: 1 });
    expect(engine.calls.at(-1)?.name).toBe('batches.add');
    expect(state.video).toBeNull();
  });
});

describe('correcting rows', () => {
  const INVALID = 'Title,aspect\nOne,16:9\nTwo,round\nThree,round\nFour,oval';
  const lastOptions = ({ calls }: ReturnType<typeof fakeEngine>): unknown =>
    (
      calls.findLast(({ name }) => name.startsWith('batches.'))?.input as
        | { options?: unknown }
        | undefined
    )?.options;

  it('adds a corrected row, and the file’s own text for all others', async () => {
    const { engine, state } = setUp();
    await state.take([offeredText('a.csv', INVALID)]);
    await state.setCells([3, 4], 'aspect', '1:1');
    await state.leaveRowsOut([5]);
    expect(shownPlan(state)).toMatchObject({ issues: [], leftOut: [{ row: 5, name: 'Four' }] });
    expect(await state.add()).toMatchObject({ submitted: 3 });
    expect(lastOptions(engine)).toEqual({
      edits: { 3: { aspect: '1:1' }, 4: { aspect: '1:1' } },
      leaveOut: [5],
    });
  });

  it('plans once the user stops typing, and adds nothing before', async () => {
    const { engine, callNames, memory } = setUp();
    const waits: { end: () => void; signal: AbortSignal }[] = [];
    const wait = (_ms: number, signal: AbortSignal): Promise<void> => {
      const { promise, resolve } = Promise.withResolvers<undefined>();
      const end = (): void => {
        resolve(undefined);
      };
      waits.push({ end, signal });
      signal.addEventListener('abort', end);
      return promise;
    };
    const state = new AddState(engine.client, memory, wait);
    await state.take([offeredText('a.csv', INVALID)]);
    const typed = ['1', '1:', '1:1'].map((text) =>
      state.type({ row: 3, column: 'aspect' }, text, 'round'),
    );
    expect(waits.map(({ signal }) => signal.aborted)).toEqual([true, true, false]);
    expect(state.now).toMatchObject({ step: 'checked', stale: true });
    expect(await state.add()).toBeNull();
    expect(callNames()).toEqual(['batches.plan']);
    waits.at(-1)?.end();
    await Promise.all(typed);
    expect(callNames()).toEqual(['batches.plan', 'batches.plan']);
    expect(shownPlan(state).rows.map(({ title }) => title)).toEqual(['One', 'Two']);
    expect(state.now).toMatchObject({ stale: false });
  });

  it('undoes corrections', async () => {
    const { state } = setUp();
    await state.take([offeredText('a.csv', INVALID)]);
    await state.setCells([3, 4, 5], 'aspect', '1:1');
    expect(state.hasProblems).toBe(false);
    await state.undo();
    expect(shownPlan(state).issues).toHaveLength(3);
  });

  it('goes from error to error, with a sample of each row', async () => {
    const { state } = setUp();
    await state.take([offeredText('a.csv', INVALID)]);
    const seen: unknown[] = [];
    for (let step = 0; step < 4; step += 1) {
      await state.showNextProblem();
      seen.push(state.problem?.row);
      expect(shownPlan(state).samples.some(({ row }) => row === state.shown)).toBe(true);
    }
    expect(seen).toEqual([3, 4, 5, 3]);
  });

  it('corrects nothing while the batch is added', async () => {
    const { engine, state } = setUp();
    await state.take([offeredText('a.csv', GOOD)]);
    const adds = state.add();
    await state.setCells([2], 'title', 'Other');
    await adds;
    expect(lastOptions(engine)).toEqual({});
  });
});

describe('reading a file in another way', () => {
  const SPRING = 'Spring\ntitle;aspect\nOne;16:9\nTotal;\n';

  it('sends the choices of this file with each plan, and with the batch', async () => {
    const { engine, state } = setUp();
    await state.take([offeredText('a.csv', SPRING)]);
    await state.readAs(0, { headerRow: 2, skipRows: [4] });
    await state.readAs(0, { separator: ';' });
    const reading = { headerRow: 2, skipRows: [4], separator: ';' };
    expect(engine.calls.at(-1)?.input).toHaveProperty('source.reading', reading);
    expect(shownPlan(state).rows.map(({ title }) => title)).toEqual(['One']);
    await state.add();
    expect(engine.calls.at(-1)).toMatchObject({
      name: 'batches.add',
      input: { source: { reading } },
    });
  });

  it('corrects no row while its number is another one than is shown', async () => {
    const { engine, state } = setUp();
    await state.take([offeredText('a.csv', 'title,accent\n"One\nmore",\nTwo,\nThree,')]);
    await state.setCells([3], 'accent', 'red');
    const goOn = engine.delay('batches.plan');
    const read = state.readAs(0, { quotes: 'none' });
    await expect.poll(() => state.choices.options.edits).toEqual({ 4: { accent: 'red' } });
    // “Three” was in row 4, where “Two” is now.
    const corrections = [
      state.type({ row: 4, column: 'accent' }, 'blue', ''),
      state.leaveRowsOut([4]),
    ];
    state.choices.setDuplicatesFor(4, 'skip');
    expect(state.choices.duplicateRows).toEqual({});
    goOn();
    await Promise.all([read, ...corrections]);
    expect(state.choices.options).toEqual({ edits: { 4: { accent: 'red' } } });
    await state.type({ row: 5, column: 'accent' }, 'blue', '');
    expect(state.choices.options.edits).toHaveProperty('5', { accent: 'blue' });
  });

  it('takes choices back, one or all', async () => {
    const { engine, state } = setUp();
    await state.take([offeredText('a.csv', SPRING)]);
    await state.readAs(0, { headerRow: 2, separator: 'none' });
    await state.readAs(0, { separator: undefined });
    expect(engine.calls.at(-1)?.input).toHaveProperty('source.reading', { headerRow: 2 });
    await state.readAutomatically(0);
    expect(engine.calls.at(-1)?.input).not.toHaveProperty('source.reading');
  });

  it('keeps telling how the file was read while it cannot be read as chosen', async () => {
    const { state } = setUp();
    await state.take([offeredText('a.csv', SPRING)]);
    const [before] = state.readings;
    await state.readAs(0, { headerRow: 99 });
    expect(shownPlan(state).issues[0]?.message).toContain('Row 99');
    expect(state.readings[0]).toEqual(before);
    await state.readAutomatically(0);
    expect(shownPlan(state).fileColumns).toEqual(['title', 'aspect']);
  });

  it('forgets the choices with the file', async () => {
    const { engine, state } = setUp();
    await state.take([offeredText('a.csv', SPRING)]);
    await state.readAs(0, { headerRow: 1 });
    state.startOver();
    await state.take([offeredText('b.csv', GOOD)]);
    expect(engine.calls.at(-1)?.input).not.toHaveProperty('source.reading');
  });
});

describe('drafts', () => {
  const INVALID = 'title,accent\nOne,blau-ish\nTwo,red';

  it('wait with their corrections while another file is shown', async () => {
    const { state } = setUp();
    await state.take([offeredText('a.csv', INVALID)]);
    await state.setCells([2], 'accent', 'red', 'blau-ish');
    await state.readAs(0, { headerRow: 1 });
    await state.take([offeredText('b.csv', GOOD)]);
    expect(state.files.byId(state.shownFile)?.name).toBe('b.csv');
    expect(state.choices.isEmpty).toBe(true);
    const [first] = state.files.all;
    expect(first?.status).toMatchObject({ kind: 'checked', rows: 2 });
    await state.showFile(first!.id);
    expect(state.choices.options.edits).toEqual({ 2: { accent: 'red' } });
    expect(state.choices.readingOf(0)).toEqual({ headerRow: 1 });
    expect(shownPlan(state).issues).toEqual([]);
    await state.add();
    await expect.poll(() => state.files.byId(state.shownFile)?.name).toBe('b.csv');
    expect(state.choices.isEmpty).toBe(true);
  });

  it('are kept while another file is chosen, and lost only when they are discarded', async () => {
    const { state } = setUp();
    await state.take([offeredText('a.csv', INVALID)]);
    await state.leaveRowsOut([2]);
    expect(state.hasChanges).toBe(true);
    state.chooseAnother();
    expect(state.now).toEqual({ step: 'choose', problem: null });
    await state.showFile(state.files.all[0]!.id);
    expect(state.choices.options.leaveOut).toEqual([2]);
    state.stop();
    expect(state.files.all).toEqual([]);
    await state.take([offeredText('a.csv', INVALID)]);
    expect(state.hasChanges).toBe(false);
  });

  it('of a file that was saved again keep the corrections that fit, and list the others', async () => {
    const { state } = setUp();
    await state.take([offeredText('a.csv', INVALID)]);
    await state.setCells([2], 'accent', 'green', 'blau-ish');
    await state.type({ row: 3, column: 'title' }, 'Zwei', 'Two');
    await state.take([offeredText('a.csv', 'title,accent\nOne,blau-ish\nTWO,red')]);
    expect(state.files.all).toHaveLength(1);
    expect(state.choices.options.edits).toEqual({ 2: { accent: 'green' } });
    expect(state.lost).toEqual([
      { choice: 'edit', file: null, row: 3, name: 'Two', column: 'title', text: 'Zwei' },
    ]);
    expect(shownPlan(state).rows.map(({ title }) => title)).toEqual(['One', 'TWO']);
  });

  it('of rows that are left out follow these, and list those that are not found', async () => {
    const { state } = setUp();
    const rows = ['One,blau-ish', 'Two,plum', 'Three,blau-ish'];
    const table = (lines: readonly string[]) =>
      offeredText('a.csv', ['title,accent', ...lines].join('\n'));
    await state.take([table(rows)]);
    await state.leaveRowsOut([2, 4]);
    await state.take([table(['ONE,blau-ish', 'Two,plum', 'New,red', 'Three,blau-ish'])]);
    expect(state.choices.options.leaveOut).toEqual([5]);
    expect(state.lost).toMatchObject([{ choice: 'left-out', row: 2, name: 'One' }]);
    const { leftOut, invalidRows } = shownPlan(state);
    expect(leftOut.map(({ name }) => name)).toEqual(['Three']);
    expect(invalidRows.map(({ name }) => name)).toEqual(['ONE', 'Two']);
  });

  it.each([
    ['inserted above', ['title,accent', 'New,', 'One,', 'Two,'], { 3: { accent: 'red' } }],
    ['sorted', ['title,accent', 'Two,', 'One,'], { 3: { accent: 'red' } }],
    ['moved columns', ['accent,title', ',One', ',Two'], { 2: { accent: 'red' } }],
  ])('follow their row, with rows or columns that were %s', async (_, lines, edits) => {
    const { state } = setUp();
    await state.take([offeredText('a.csv', 'title,accent\nOne,\nTwo,')]);
    await state.setCells([2], 'accent', 'red', '');
    await state.take([offeredText('a.csv', lines.join('\n'))]);
    expect(state.choices.options.edits).toEqual(edits);
    expect(state.lost).toEqual([]);
  });

  it('come back with a file that could not be read for a while', async () => {
    const { state } = setUp();
    await state.take([offeredText('a.csv', INVALID)]);
    await state.setCells([3], 'title', 'Zwei', 'Two');
    for (const unusable of ['', '{"title":']) {
      await state.take([offeredText('a.csv', unusable)]);
      expect(state.unusable).toMatchObject({ kind: 'failure' });
      expect(shownPlan(state).samples.map(({ cells }) => cells.title)).toEqual(['One', 'Zwei']);
    }
    await state.take([offeredText('a.csv', `${INVALID}\nThree,red`)]);
    expect(state.unusable).toBeNull();
    expect(shownPlan(state).rows.map(({ title }) => title)).toEqual(['Zwei', 'Three']);
  });

  it('have no steps to undo from a version with other rows', async () => {
    const { state } = setUp();
    await state.take([offeredText('a.csv', INVALID)]);
    await state.leaveRowsOut([2]);
    await state.takeRowsBackIn([2]);
    await state.take([offeredText('a.csv', INVALID)]);
    expect(state.choices.repairs.canUndo).toBe(true);
    await state.take([offeredText('a.csv', 'title,accent\nTwo,red\nOne,blau-ish')]);
    expect(state.choices.repairs.canUndo).toBe(false);
  });

  it('of one video are kept when a file is dropped', async () => {
    const { state } = setUp();
    await state.openVideoForm('Single videos');
    state.video?.write('title', 'Mine');
    await state.take([offeredText('a.csv', GOOD)]);
    expect(state.video).toBeNull();
    expect(shownPlan(state).name).toBe('a');
    await state.openVideoForm('Single videos');
    expect(state.video).toMatchObject({ values: { title: 'Mine' } });
    expect(state.files.open.map(({ name }) => name)).toEqual(['a.csv']);
  });
});

describe('a file that another program saves', () => {
  /** A handle of a file whose content the test changes. */
  function savedFile(content: string) {
    let now = new File([content], 'a.csv', { lastModified: 1 });
    return {
      offered: handledFile(now, { getFile: () => Promise.resolve(now) }),
      save: (text: string) => {
        now = new File([text], 'a.csv', { lastModified: now.lastModified + 1 });
      },
    };
  }

  it('is read again by itself while it is shown, with the corrections that fit', async () => {
    const { engine, memory } = setUp();
    const ticks: (() => void)[] = [];
    const tick = (): void => ticks.splice(0).forEach((resolve) => resolve());
    const wait = () => new Promise<void>((resolve) => ticks.push(resolve));
    const state = new AddState(engine.client, memory, wait);
    const { offered, save } = savedFile('title,accent\nOne,blau-ish\nTwo,plum');
    await state.take([offered]);
    await state.setCells([2], 'accent', 'red', 'blau-ish');
    const look = async (): Promise<void> => {
      tick();
      await expect.poll(() => ticks.length).toBe(1);
    };
    await look();
    expect(shownPlan(state).issues).toHaveLength(1);
    // At the next look, only a part is written.
    save('title,accent\nOn');
    await look();
    expect(shownPlan(state).issues).toHaveLength(1);
    save('title,accent\nOne,blau-ish\nTwo,green');
    await expect
      .poll(() => {
        tick();
        return state.now.step === 'checked' && state.now.plan.issues.length;
      })
      .toBe(0);
    expect(state.choices.options.edits).toEqual({ 2: { accent: 'red' } });
    expect(state.files.all).toHaveLength(1);
  });

  it('is not added anew once it was added or discarded', async () => {
    const { state } = setUp();
    await state.take([offeredText('a.csv', GOOD)]);
    await state.add();
    await state.readAgain(offeredText('a.csv', OTHER));
    expect(state.now).toEqual({ step: 'choose', problem: null });
    expect(state.files.all).toEqual([]);
  });

  it('is counted again in the list while another one is shown', async () => {
    const { state } = setUp();
    await state.take([offeredText('a.csv', GOOD)]);
    await state.take([offeredText('b.csv', GOOD)]);
    await state.readAgain(offeredText('a.csv', 'title\nOne'));
    expect(state.files.byId(state.shownFile)?.name).toBe('b.csv');
    expect(state.files.all[0]?.status).toEqual({ kind: 'checked', rows: 1, errors: 0 });
  });
});
