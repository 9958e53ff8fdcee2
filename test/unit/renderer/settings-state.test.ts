import { beforeEach, describe, expect, it } from 'vitest';
import { Commands } from '../../../src/renderer/state/commands.svelte.ts';
import { SettingsState } from '../../../src/renderer/state/settings-state.svelte.ts';
import { Toasts } from '../../../src/renderer/state/toasts.svelte.ts';
import { en } from '../../../src/renderer/texts/en.ts';
import { fakeEngine, type FakeEngine } from '../../rigs/fake-client.ts';
import { notPressed } from '../../rigs/fake-pointer.ts';

let engine: FakeEngine;
let toasts: Toasts;
let state: SettingsState;

beforeEach(async () => {
  engine = fakeEngine({ states: [] }, 0);
  toasts = new Toasts(notPressed, 5000);
  state = new SettingsState(
    new Commands(engine.client, toasts, () => en),
    ({ message }) => message,
  );
  await state.open(engine.client);
});

describe('changing settings', () => {
  it('puts in force what the engine takes', async () => {
    expect(await state.set({ onCollision: 'skip' })).toBe('saved');
    expect(state.view?.settings.onCollision).toBe('skip');
    expect(state.latest).toBe('saved');
  });

  it('says what is wrong by its field, and leaves everything as it was', async () => {
    expect(await state.set({ folder: 'videos' })).toBe('refused');
    expect(state.faultOf('folder')).toBe('Enter the full path.');
    expect(state.view?.settings.folder).toBeNull();
    expect(state.latest).toBe('refused');
  });

  it('keeps a fault while another setting is changed, and forgets it with a sound value', async () => {
    await state.set({ folder: 'videos' });
    await state.set({ nameTemplate: '{title}' });
    expect(state.faultOf('folder')).not.toBeNull();
    await state.set({ folder: '/videos' });
    expect(state.faultOf('folder')).toBeNull();
  });

  it('finds the fault of a part in its whole, and not in its namesakes', async () => {
    await state.set({ transfers: { parallel: 9, bytesPerSecond: null } });
    expect(state.faultOf('transfers')).not.toBeNull();
    expect(state.faultOf('transfers.parallel')).not.toBeNull();
    expect(state.faultOf('transfers.bytesPerSecond')).toBeNull();
    expect(state.faultOf('transfer')).toBeNull();
  });

  it('changes a part of a setting on top of the changes that are on their way', async () => {
    const inForce = state.view!.settings.transfers;
    const release = engine.delay('settings.set');
    const first = state.set({ transfers: state.changed('transfers', inForce, { parallel: 5 }) });
    const second = state.changed('transfers', inForce, { bytesPerSecond: 1_000_000 });
    expect(second).toEqual({ parallel: 5, bytesPerSecond: 1_000_000 });
    release();
    await first;
    await state.set({ transfers: { ...inForce, parallel: 2 } });
    expect(state.changed('transfers', state.view!.settings.transfers, {}).parallel).toBe(2);
  });

  it('says so when the engine is away, and keeps showing what is in force', async () => {
    engine.connected = false;
    expect(await state.set({ onCollision: 'skip' })).toBe('failed');
    expect(state.view?.settings.onCollision).toBe('number');
    expect(toasts.shown.map(({ text }) => text)).toEqual([en.problems.lost]);
  });
});

describe('reading settings', () => {
  it('shows what a change brought, although an older reading arrives after it', async () => {
    const old = await engine.client.settings.get();
    const reading = Promise.withResolvers<typeof old>();
    const slow = {
      ...engine.client,
      settings: { ...engine.client.settings, get: () => reading.promise },
    };
    const opened = state.open(slow);
    const change = state.set({ service: { kind: 'local' } });
    expect(state.changingService).toBe(true);
    await change;
    reading.resolve(old);
    await opened;
    expect(state.view?.settings.service.kind).toBe('local');
    expect(state.changingService).toBe(false);
  });

  it('keeps a refused value with its error until it is discarded', async () => {
    state.keepDraft('folder', '', 'videos');
    await state.set({ folder: 'videos' });
    await state.open(engine.client);
    expect(state.draftOf('folder', '')).toBe('videos');
    expect(state.faultOf('folder')).toBe('Enter the full path.');
    expect(state.draftOf('folder', '/elsewhere')).toBeNull();
    state.keepDraft('folder', '', '');
    expect([state.draftOf('folder', ''), state.faultOf('folder')]).toEqual([null, null]);
  });

  it('has nothing to show when the first reading fails, and shows the old ones after that', async () => {
    await state.open(engine.client);
    engine.connected = false;
    await state.open(engine.client);
    expect(state.unreadable).toBe(false);
    const other = new SettingsState(
      new Commands(engine.client, toasts, () => en),
      ({ message }) => message,
    );
    await other.open(engine.client);
    expect(other.unreadable).toBe(true);
    engine.connected = true;
    await other.open(engine.client);
    expect(other.unreadable).toBe(false);
  });
});

describe('importing a document', () => {
  it.each(['{', '[]', 'null', '"text"', '{"settings":{}}'])('refuses %j', async (text) => {
    const preview = await state.previewImport(text);
    expect(preview).toMatchObject({ changes: [], faults: [{ field: '', name: null }] });
  });

  it('reports every error by its setting, and changes nothing', async () => {
    await state.open(engine.client);
    const text = JSON.stringify({ version: 1, updates: 'sometimes', onCollision: 'skip' });
    const preview = await state.previewImport(text);
    expect(preview?.faults.map(({ field, name }) => [field, name?.message])).toEqual([
      ['updates', 'Updates'],
    ]);
    expect(state.view?.settings.onCollision).toBe('number');
  });

  it('changes what was confirmed, and nothing that was not', async () => {
    const text = JSON.stringify({ version: 1, onCollision: 'skip' });
    const preview = await state.previewImport(text);
    if (preview === null) throw new Error('There is no preview.');
    expect(await state.import(text, { ...preview, confirmation: '' })).toBe('failed');
    expect(await state.import(text, preview)).toBe('saved');
    expect(state.view?.settings.onCollision).toBe('skip');
  });
});
