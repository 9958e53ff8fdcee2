import { beforeEach, describe, expect, it } from 'vitest';
import { serviceApiSchema } from '../../../src/contract/service-profile.ts';
import { Commands } from '../../../src/renderer/state/commands.svelte.ts';
import { ProfileState } from '../../../src/renderer/state/profile-state.svelte.ts';
import { Toasts } from '../../../src/renderer/state/toasts.svelte.ts';
import { en } from '../../../src/renderer/texts/en.ts';
import { fakeEngine, type FakeEngine } from '../../rigs/fake-client.ts';
import { notPressed } from '../../rigs/fake-pointer.ts';

let engine: FakeEngine;
let state: ProfileState;

beforeEach(async () => {
  engine = fakeEngine({ states: [] }, 0);
  state = new ProfileState(
    engine.client,
    new Commands(engine.client, new Toasts(notPressed, 5000), () => en),
    ({ message }) => message,
  );
  await state.open();
});

const EXAMPLES = {
  generate: '{"job":{"uuid":"r-77"}}',
  status: '{"job":{"phase":"done","percent":100}}',
};

async function setExamples(): Promise<void> {
  state.setExample('generate', EXAMPLES.generate);
  state.setExample('status', EXAMPLES.status);
  await state.propose();
}

describe('trying rules on examples', () => {
  it('reads examples by the rules in the form at once', async () => {
    state.setExample('generate', '{"id":"vid_1"}');
    await expect.poll(() => state.reading?.id).toBe('vid_1');
    state.editRules({ id: 'key' });
    await expect.poll(() => state.reading?.id).toBeNull();
  });

  it('reports an invalid field, and reads no example by it', async () => {
    state.setExample('generate', '{"id":"vid_1"}');
    state.editRules({ id: 'two words' });
    await expect.poll(() => state.errorOf('answers.id')).toMatch(/^Enter a path/);
    expect(state.reading).toBeNull();
    expect(state.isValid).toBe(false);
    expect(await state.save()).toBe(false);
  });

  it('names the example that is not JSON', async () => {
    state.setExample('download', 'Not found');
    await expect.poll(() => state.reading?.unreadable).toEqual(['download']);
  });
});

describe('proposing and saving', () => {
  it('fills the form from examples, and changes nothing before it is saved', async () => {
    await setExamples();
    expect(state.draft?.rules.id).toMatch(/^job\.uuid/);
    expect(state.draft?.rules.status).toMatch(/^job\.phase/);
    expect(state.isChanged).toBe(true);
    expect(state.view?.from).toBe('usual');
    expect(await state.save()).toBe(true);
    expect([state.isChanged, state.view?.from]).toEqual([false, 'saved']);
  });

  it('keeps the endpoints of the profile, which the form does not show', async () => {
    const { origin, profile } = await engine.client.profile.get();
    const api = serviceApiSchema.parse({ auth: { header: 'Authorization', scheme: 'Bearer' } });
    await engine.client.profile.save({ origin, profile: { ...profile, api } });
    await state.open();
    const [start] = state.startingPoints;
    state.startFrom(start!);
    state.edit({ name: 'Mine' });
    expect(await state.save()).toBe(true);
    expect((await engine.client.profile.get()).profile).toMatchObject({ name: 'Mine', api });
  });

  it('reports what the examples lack', async () => {
    state.setExample('generate', '{"ok":true}');
    await state.propose();
    expect(state.notFound).toEqual(['id']);
  });

  it('saves no request that is not JSON, and no status word with two meanings', async () => {
    state.edit({ request: '{' });
    expect(await state.save()).toBe(false);
    state.discard();
    const words = state.draft!.rules.words;
    state.editRules({ words: { ...words, failed: 'done' } });
    expect(await state.save()).toBe(false);
    expect(engine.calls.filter(({ name }) => name === 'profile.save')).toEqual([]);
  });

  it('reports the field of an error that only the engine can find', async () => {
    state.edit({ name: ' ' });
    expect(await state.save()).toBe(false);
    expect(state.errorOf('name')).not.toBeNull();
  });

  it('starts from another profile, and resets to the default', async () => {
    state.startFrom(state.startingPoints.find(({ name }) => /runway/i.test(name))!);
    expect(state.draft?.rules.progress).toBe('progress');
    expect(await state.save()).toBe(true);
    expect(await state.reset()).toBe(true);
    expect(state.view?.from).toBe('usual');
  });
});

it('keeps unsaved edits, and says what has changed meanwhile', async () => {
  state.editRules({ id: 'key' });
  await state.open();
  expect([state.draft?.rules.id, state.overtakenBy]).toEqual(['key', null]);
  await engine.client.settings.set({
    service: { kind: 'remote', baseUrl: 'https://other.example.com' },
  });
  await state.open();
  expect([state.draft?.rules.id, state.overtakenBy]).toEqual(['key', 'service']);
  state.discard();
  expect([state.isChanged, state.overtakenBy]).toEqual([false, null]);
});

it('keeps what is edited while the draft is being saved', async () => {
  state.edit({ name: 'First' });
  const saving = state.save();
  state.edit({ name: 'Second' });
  expect(await saving).toBe(true);
  expect(state.view?.profile.name).toBe('First');
  expect([state.draft?.name, state.isChanged, state.overtakenBy]).toEqual(['Second', true, null]);
});

it('does not report the errors of a draft that has been corrected while it was being saved', async () => {
  state.edit({ name: ' ' });
  const saving = state.save();
  state.edit({ name: 'Corrected' });
  expect(await saving).toBe(false);
  await expect.poll(() => state.isValid).toBe(true);
  expect(state.errorOf('name')).toBeNull();
});

it('says that the profile has changed in a rule that has no field', async () => {
  state.edit({ name: 'Saved' });
  await state.save();
  const { origin, profile } = await engine.client.profile.get();
  state.edit({ name: 'Mine' });
  const answers = { ...profile.answers, failedBy: ['error'] };
  await engine.client.profile.save({ origin, profile: { ...profile, answers } });
  await state.open();
  expect(state.overtakenBy).toBe('profile');
});
