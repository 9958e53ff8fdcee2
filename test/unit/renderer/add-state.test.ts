import { describe, expect, it } from 'vitest';
import { AddState } from '../../../src/renderer/state/add-state.svelte.ts';
import { fakeEngine } from '../../rigs/fake-client.ts';

const GOOD = 'title,aspect\nOne,16:9\nTwo,1:1';
const file = (content: string, name = 'batch.csv'): File => new File([content], name);

function adding() {
  const engine = fakeEngine({ states: [] }, 0);
  const names = () => engine.calls.map(({ name }) => name);
  return { engine, names, state: new AddState(engine.client) };
}

describe('adding a batch', () => {
  it('plans a file and adds nothing until told to', async () => {
    const { names, state } = adding();
    await state.takeFile(file(GOOD));
    expect(state.now).toMatchObject({ step: 'checked', adding: false });
    expect(names()).toEqual(['batches.plan']);
    expect(await state.add()).toMatchObject({ submitted: 2 });
    expect(state.now).toEqual({ step: 'choose', problem: null });
  });

  it('adds once however often the button is pressed', async () => {
    const { names, state } = adding();
    await state.takeFile(file(GOOD));
    await Promise.all([state.add(), state.add()]);
    expect(names().filter((name) => name === 'batches.add')).toHaveLength(1);
  });

  it('says why a file cannot be asked about', async () => {
    const { engine, state } = adding();
    engine.connected = false;
    await state.takeFile(file(GOOD));
    expect(state.now).toMatchObject({ step: 'choose', problem: { kind: 'lost' } });
  });

  it.each([
    ['more than 16 MiB', new File(['x'.repeat(16 * 1024 * 1024 + 1)], 'big.csv'), 'too-large'],
    ['a file that is not text', file('PK\u0003\u0004\0\0'), 'not-text'],
  ])('refuses %s without asking the engine', async (_what, refused, kind) => {
    const { names, state } = adding();
    await state.takeFile(refused);
    expect(state.now).toEqual({ step: 'choose', problem: { kind } });
    expect(names()).toEqual([]);
  });

  it('keeps the plan when adding fails, so that it can be tried again', async () => {
    const { engine, state } = adding();
    await state.takeFile(file(GOOD));
    engine.connected = false;
    expect(await state.add()).toBeNull();
    expect(state.now).toMatchObject({ step: 'checked', adding: false, problem: { kind: 'lost' } });
    engine.connected = true;
    expect(await state.add()).toMatchObject({ submitted: 2 });
  });

  it('forgets an answer that comes after starting over', async () => {
    const { state } = adding();
    const checking = state.check({ name: 'a.csv', content: GOOD });
    state.startOver();
    await checking;
    expect(state.now).toEqual({ step: 'choose', problem: null });
  });

  it('sends options only where they were given', async () => {
    const { engine, state } = adding();
    state.folder = '  /videos ';
    state.onCollision = 'skip';
    await state.check({ name: 'a.csv', content: GOOD });
    expect(engine.calls.at(-1)?.input).toMatchObject({
      options: { folder: '/videos', onCollision: 'skip' },
    });
    expect(engine.calls.at(-1)?.input).not.toHaveProperty('options.nameTemplate');
  });
});
