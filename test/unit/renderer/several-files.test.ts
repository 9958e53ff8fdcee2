import { describe, expect, it } from 'vitest';
import type { AddedBatch } from '../../../src/contract/batch.ts';
import { MAX_BATCH_BYTES } from '../../../src/contract/batch-limits.ts';
import { userMessage } from '../../../src/contract/user-message.ts';
import { AddState } from '../../../src/renderer/state/add-state.svelte.ts';
import { BatchMemory } from '../../../src/renderer/state/batch-memory.ts';
import {
  offeredFile,
  offeredText,
  openedFile,
  type OfferedFile,
} from '../../../src/renderer/state/offered-file.ts';
import { fakeEngine } from '../../rigs/fake-client.ts';

const GOOD = 'title,aspect\nOne,16:9\nTwo,1:1';
const ONE = 'title\nThree';

const atOnce = () => Promise.resolve();

function setUp() {
  const engine = fakeEngine({ states: [] }, 0);
  const kept = new Map<string, string>();
  const memory = new BatchMemory({
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
  });
  const added = (): string[] =>
    engine.calls
      .filter(({ name }) => name === 'batches.add')
      .map(({ input }) => (input as { source: { name: string } }).source.name);
  return { engine, memory, added, state: new AddState(engine.client, memory, atOnce) };
}

const statuses = ({ files }: AddState): string[] =>
  files.all.map(({ name, status }) => `${name}: ${status.kind}`);

const shownName = ({ files, shownFile }: AddState): string | undefined =>
  files.byId(shownFile)?.name;

describe('several files that are added', () => {
  it('are added one after another, and files offered meanwhile wait', async () => {
    const { added, state } = setUp();
    await state.take([offeredText('a.csv', GOOD), offeredText('b.csv', ONE)]);
    const adds = state.add();
    await state.take([offeredText('c.csv', ONE), offeredText('a.csv', ONE)]);
    expect(await adds).toMatchObject({ submitted: 2 });
    await expect.poll(() => state.now.step).toBe('checked');
    expect(shownName(state)).toBe('b.csv');
    expect(added()).toEqual(['a.csv']);
  });

  it.each([
    ['is added', true, ['a.csv: added', 'a.csv: checked']],
    ['cannot be added', false, ['a.csv: checked', 'a.csv: checked']],
  ])('wait for a file of the same name that %s', async (_how, works, after) => {
    const { engine, memory } = setUp();
    const answer = Promise.withResolvers<AddedBatch>();
    const { batches } = engine.client;
    const client = { ...engine.client, batches: { ...batches, add: () => answer.promise } };
    const state = new AddState(client, memory, atOnce);
    await state.take([offeredText('a.csv', GOOD)]);
    const adds = state.add();
    await state.take([offeredText('a.csv', ONE)]);
    expect(statuses(state)).toEqual(['a.csv: checked', 'a.csv: waiting']);
    const counts = { submitted: 2, downloadedAgain: 0, alreadyThere: 0, inOtherBatches: [] };
    if (works) answer.resolve({ batchId: '1', jobIds: [], ...counts });
    else answer.reject(new Error('gone'));
    await adds;
    await expect.poll(() => statuses(state)).toEqual(after);
    await expect
      .poll(() => state.now)
      .toMatchObject({ step: 'checked', plan: { rows: works ? [{ title: 'Three' }] : [{}, {}] } });
  });

  it('are added one by one when they are too large together', async () => {
    const { engine, state } = setUp();
    const half = (key: string): OfferedFile => ({
      ...offeredText(key, ONE),
      bytes: MAX_BATCH_BYTES / 2 + 1,
    });
    await state.take([half('a.csv'), half('b.csv')]);
    await state.setTogether(true);
    expect(state.now).toEqual({ step: 'stuck', problem: { kind: 'too-large-together' } });
    expect(engine.calls.every(({ input }) => !JSON.stringify(input).includes('further'))).toBe(
      true,
    );
    await state.setTogether(false);
    expect(state.now.step).toBe('checked');
  });

  it('stay left out when they are left out while they are checked', async () => {
    const { engine, state } = setUp();
    await state.take([offeredText('a.csv', GOOD)]);
    const answer = engine.delay('batches.plan');
    const taken = state.take([offeredText('b.csv', ONE)]);
    await expect.poll(() => statuses(state)).toEqual(['a.csv: checked', 'b.csv: waiting']);
    const left = state.leaveOut(state.files.all[1]!.id);
    answer();
    await Promise.all([taken, left]);
    expect(shownName(state)).toBe('a.csv');
    expect(statuses(state)).toEqual(['a.csv: checked', 'b.csv: left-out']);
  });

  it('of one name in two folders keep their own choices about reading', async () => {
    const { state } = setUp();
    const file = (folder: string): OfferedFile =>
      openedFile({
        path: `${folder}/a.csv`,
        name: 'a.csv',
        folder,
        base64: btoa(`title\n${folder}\nTwo`),
      });
    await state.take([file('/may'), file('/june')]);
    await state.setTogether(true);
    await state.readAs(0, { skipRows: [3] });
    await state.leaveOut(state.files.all[0]!.id);
    expect(state.choices.readingOf(0)).toEqual({});
    expect(state.now).toMatchObject({ plan: { rows: [{ title: '/june' }, { title: 'Two' }] } });
  });

  it('become one batch together, or one each, as chosen last', async () => {
    const { state } = setUp();
    await state.take([offeredText('a.csv', GOOD), offeredText('b.csv', ONE)]);
    void state.setTogether(true);
    void state.setTogether(false);
    await state.setTogether(true);
    expect(state.now).toMatchObject({
      step: 'checked',
      plan: { rows: [{ title: 'One' }, { title: 'Two' }, { title: 'Three' }] },
    });
  });

  it('keep the corrections of each in one batch while others join or are left out', async () => {
    const { state } = setUp();
    const bad = (title: string): string => `title,aspect\n${title},oval\n`;
    await state.take([offeredText('a.csv', bad('One')), offeredText('b.csv', bad('Two'))]);
    await state.setTogether(true);
    await state.setCells([2], 'aspect', '1:1');
    await state.setCells([4], 'aspect', '9:16');
    await state.take([offeredText('c.csv', ONE)]);
    expect(state.choices.options.edits).toEqual({ 2: { aspect: '1:1' }, 4: { aspect: '9:16' } });
    await state.take([offeredText('b.csv', '')]);
    expect(state.unusable).toMatchObject({ kind: 'failure' });
    expect(state.choices.options.edits).toEqual({ 2: { aspect: '1:1' }, 4: { aspect: '9:16' } });
    await state.take([offeredText('b.csv', bad('New\nTwo').replace('New', 'New,1:1'))]);
    expect(state.choices.options.edits).toEqual({ 2: { aspect: '1:1' }, 5: { aspect: '9:16' } });
    expect(state.lost).toEqual([]);
    await state.readAs(1, { keepRows: [3] });
    await state.leaveOut(state.files.all[0]!.id);
    expect(state.choices.options.edits).toEqual({ 3: { aspect: '9:16' } });
    expect([0, 1].map((at) => state.choices.readingOf(at))).toEqual([{ keepRows: [3] }, {}]);
    expect(state.lost).toMatchObject([{ choice: 'edit', file: 'a.csv', row: 2, name: 'One' }]);
  });

  it('are all kept when the connection is lost before they are checked', async () => {
    const { engine, state } = setUp();
    engine.connected = false;
    await state.take([offeredText('a.csv', GOOD), offeredText('b.csv', ONE)]);
    expect(state.now).toEqual({ step: 'stuck', problem: { kind: 'lost' } });
    expect(statuses(state)).toEqual(['a.csv: waiting', 'b.csv: waiting']);
    await state.setTogether(true);
    expect(state.now).toEqual({ step: 'stuck', problem: { kind: 'lost' } });
    engine.connected = true;
    await state.checkAgain();
    expect(state.now.step).toBe('checked');
    expect(statuses(state)).toEqual(['a.csv: checked', 'b.csv: checked']);
  });

  it('are marked when unreadable: a folder, a deleted file', async () => {
    const { state } = setUp();
    const folder = new File([], 'folder');
    folder.arrayBuffer = () => Promise.reject(new DOMException('gone', 'NotFoundError'));
    const failure = {
      code: 'batch-unreadable',
      ...userMessage('batch-file-gone', { file: '/b.csv' }),
    };
    await state.take([
      offeredFile(folder),
      openedFile({
        path: '/b.csv',
        name: 'b.csv',
        failure: { ...failure, code: 'batch-unreadable' },
      }),
      offeredText('c.csv', ONE),
    ]);
    expect(shownName(state)).toBe('c.csv');
    expect(statuses(state)).toEqual(['folder: unreadable', 'b.csv: unreadable', 'c.csv: checked']);
    await state.take([offeredText('/b.csv', ONE)]);
    expect(statuses(state).slice(1)).toEqual(['/b.csv: checked', 'c.csv: checked']);
  });

  it('are refused when the only one is a folder', async () => {
    const { state } = setUp();
    const folder = new File([], 'folder');
    folder.arrayBuffer = () => Promise.reject(new DOMException('gone', 'NotFoundError'));
    await state.take([offeredFile(folder)]);
    expect(state.now).toEqual({ step: 'choose', problem: { kind: 'unreadable' } });
    expect(state.files.all).toEqual([]);
  });

  it('are all removed by starting over', async () => {
    const { state } = setUp();
    await state.take([offeredText('a.csv', GOOD), offeredText('b.csv', ONE)]);
    const looks = state.showFile(state.files.all[1]?.id ?? 0);
    state.startOver();
    await looks;
    expect(state.now).toEqual({ step: 'choose', problem: null });
    expect(state.files.all).toEqual([]);
  });

  it('count as added only when the engine took them', async () => {
    const { engine, state } = setUp();
    await state.take([offeredText('a.csv', GOOD), offeredText('b.csv', ONE)]);
    engine.connected = false;
    expect(await state.add()).toBeNull();
    expect(statuses(state)).toEqual(['a.csv: checked', 'b.csv: checked']);
    engine.connected = true;
    expect(await state.add()).not.toBeNull();
    expect(statuses(state)[0]).toBe('a.csv: added');
  });
});
