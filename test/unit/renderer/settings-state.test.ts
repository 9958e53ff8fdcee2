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
  it('applies what the engine accepts', async () => {
    expect(await state.set({ onCollision: 'skip' })).toBe('saved');
    expect(state.view?.settings.onCollision).toBe('skip');
    expect(state.latest).toBe('saved');
  });

  it('reports an error by its field, and changes nothing', async () => {
    expect(await state.set({ folder: 'videos' })).toBe('refused');
    expect(state.errorOf('folder')).toBe('Enter the full path.');
    expect(state.view?.settings.folder).toBeNull();
    expect(state.latest).toBe('refused');
  });

  it('keeps an error while another setting is changed, and clears it with a valid value', async () => {
    await state.set({ folder: 'videos' });
    await state.set({ nameTemplate: '{title}' });
    expect(state.errorOf('folder')).not.toBeNull();
    await state.set({ folder: '/videos' });
    expect(state.errorOf('folder')).toBeNull();
  });

  it('finds an error by its field or its setting, not by a similar name', async () => {
    await state.set({ transfers: { parallel: 9, bytesPerSecond: null } });
    expect(state.errorOf('transfers')).not.toBeNull();
    expect(state.errorOf('transfers.parallel')).not.toBeNull();
    expect(state.errorOf('transfers.bytesPerSecond')).toBeNull();
    expect(state.errorOf('transfer')).toBeNull();
  });

  it('changes part of a setting on top of pending changes', async () => {
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

  it('reports a lost connection, and keeps showing the current settings', async () => {
    engine.connected = false;
    expect(await state.set({ onCollision: 'skip' })).toBe('failed');
    expect(state.view?.settings.onCollision).toBe('number');
    expect(toasts.shown.map(({ text }) => text)).toEqual([en.problems.lost]);
  });
});

describe('reading settings', () => {
  it('keeps a change when an older read arrives after it', async () => {
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
    expect(state.errorOf('folder')).toBe('Enter the full path.');
    expect(state.draftOf('folder', '/elsewhere')).toBeNull();
    state.keepDraft('folder', '', '');
    expect([state.draftOf('folder', ''), state.errorOf('folder')]).toEqual([null, null]);
  });

  it('is unreadable when its first read fails, and shows the old settings when a later one fails', async () => {
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
    expect(preview).toMatchObject({ changes: [], errors: [{ field: '', name: null }] });
  });

  it('reports every error by its setting, and changes nothing', async () => {
    await state.open(engine.client);
    const text = JSON.stringify({ version: 1, updates: 'sometimes', onCollision: 'skip' });
    const preview = await state.previewImport(text);
    expect(preview?.errors.map(({ field, name }) => [field, name?.message])).toEqual([
      ['updates', 'Updates'],
    ]);
    expect(state.view?.settings.onCollision).toBe('number');
  });

  it('changes only what was confirmed', async () => {
    const text = JSON.stringify({ version: 1, onCollision: 'skip' });
    const preview = await state.previewImport(text);
    if (preview === null) throw new Error('There is no preview.');
    expect(await state.import(text, { ...preview, confirmation: '' })).toBe('failed');
    expect(await state.import(text, preview)).toBe('saved');
    expect(state.view?.settings.onCollision).toBe('skip');
  });
});
