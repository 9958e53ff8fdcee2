import { mkdirSync, readdirSync, readFileSync, rmdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { FolderUnusableError } from '../../../src/engine/engine-error.ts';
import { SettingsStore } from '../../../src/host/settings/settings-store.ts';
import { SettingsFile } from '../../../src/host/settings/settings-file.ts';
import { storyboardProfile } from '../../../src/engine/profiles/storyboard.ts';
import { temporaryFolder } from '../../rigs/temporary-folder.ts';

function open(folder: string): SettingsStore {
  return new SettingsStore(new SettingsFile(folder, () => Date.UTC(2026, 0, 5)));
}

function change(store: SettingsStore, patch: Record<string, unknown>): void {
  const { settings, errors } = store.check(patch);
  expect(errors).toEqual([]);
  store.change(patch, settings);
}

function written(folder: string): unknown {
  return JSON.parse(readFileSync(path.join(folder, 'settings.json'), 'utf8'));
}

test('only settings that were chosen are written', () => {
  const folder = temporaryFolder();
  const store = open(folder);
  expect(readdirSync(folder)).toEqual([]);
  expect(store.isChosen('service')).toBe(false);

  change(store, { service: { kind: 'local' }, startUp: 'paused' });

  expect(written(folder)).toEqual({
    version: 1,
    service: { kind: 'local', practice: null },
    startUp: 'paused',
  });
  expect(statSync(path.join(folder, 'settings.json')).mode & 0o777).toBe(0o600);
  const again = open(folder);
  expect(again.settings).toMatchObject({ startUp: 'paused', closeToTray: true });
  expect(again.isChosen('service')).toBe(true);
});

test('settings of a newer version stay in the file', () => {
  const folder = temporaryFolder();
  const file = path.join(folder, 'settings.json');
  writeFileSync(file, JSON.stringify({ version: 7, moonPhase: 'full', startAtLogin: true }));

  change(open(folder), { closeToTray: true });

  expect(written(folder)).toEqual({
    version: 7,
    moonPhase: 'full',
    startAtLogin: true,
    closeToTray: true,
  });
});

test.each(['', '{"version":1,', '[]', '{"startUp":"paused"}'])(
  'a file without settings (%j) is renamed and reported',
  (text) => {
    const folder = temporaryFolder();
    writeFileSync(path.join(folder, 'settings.json'), text);

    const store = open(folder);

    expect(store.trouble?.message).toContain('The settings could not be read');
    expect(store.settings.startUp).toBe('as-last-time');
    const [aside = ''] = readdirSync(folder);
    expect(aside).toMatch(/^settings\.damaged-.*\.json$/);
    expect(readFileSync(path.join(folder, aside), 'utf8')).toBe(text);
  },
);

test('an invalid setting does not affect the others', () => {
  const folder = temporaryFolder();
  const document = { version: 1, startUp: 'sideways', closeToTray: true, other: 1 };
  writeFileSync(path.join(folder, 'settings.json'), JSON.stringify(document));

  const store = open(folder);

  expect(store.settings).toMatchObject({ startUp: 'as-last-time', closeToTray: true });
  expect(store.trouble).not.toBeNull();
  expect(open(folder).trouble).toBeNull();
});

test('settings stay as they are if an invalid one cannot be replaced', () => {
  const folder = temporaryFolder();
  const service = { kind: 'remote', baseUrl: 'https://video.example', ca: null };
  const document = { version: 1, service, startUp: 'sideways' };
  writeFileSync(path.join(folder, 'settings.json'), JSON.stringify(document));
  // The file cannot be written, as on a full disk.
  mkdirSync(path.join(folder, 'settings.json.new'));

  expect(() => open(folder)).toThrow(FolderUnusableError);

  expect(written(folder)).toEqual(document);
  rmdirSync(path.join(folder, 'settings.json.new'));
  expect(open(folder).settings.service).toMatchObject({ baseUrl: 'https://video.example' });
});

test('every error has the name of its field, and unknown names are errors', () => {
  const { errors } = open(temporaryFolder()).check({
    service: { kind: 'remote', baseUrl: 'http://plain.example' },
    plan: { name: 'custom' },
    folder: 'renders',
    transfers: { parallel: 99, bytesPerSecond: null },
    startup: 'run',
  });

  expect(errors.map(({ field }) => field)).toEqual([
    'service.baseUrl',
    'plan.limit',
    'folder',
    'transfers.parallel',
    'startup',
  ]);
});

test('an exported document can be imported, with its profiles', () => {
  const one = open(temporaryFolder());
  change(one, { nameTemplate: '{title}.mp4', folder: '/videos' });
  one.change({}, one.settings, { 'https://one.example': storyboardProfile });

  const read = open(temporaryFolder()).readDocument(one.text());

  expect(read.errors).toEqual([]);
  expect(read.patch).toMatchObject({ nameTemplate: '{title}.mp4', folder: '/videos' });
  expect(read.profiles).toEqual({ 'https://one.example': storyboardProfile });
  expect(one.readDocument('not JSON').errors).toHaveLength(1);
});

test('listeners are called on changes until they unsubscribe', () => {
  const store = open(temporaryFolder());
  const received: boolean[] = [];
  const stop = store.onChange(({ closeToTray }) => received.push(closeToTray));

  change(store, { closeToTray: true });
  stop();
  change(store, { closeToTray: false });

  expect(received).toEqual([true]);
});

test('the latest 100 earlier services are kept, even if a file has more', () => {
  const folder = temporaryFolder();
  const store = open(folder);
  const origin = (number: number): string => `https://service-${number}.example`;
  const { plan } = store.settings;
  for (let number = 0; number < 104; number += 1) {
    const service = { kind: 'remote', baseUrl: origin(number), ca: null } as const;
    if (number % 2 === 0) change(store, { service });
    else store.remember({ service, plan }, null);
  }
  const kept = (): unknown[] =>
    open(folder).earlierServices.map(({ service }) => 'baseUrl' in service && service.baseUrl);
  expect(kept()).toHaveLength(100);
  expect(kept()).toContain(origin(103));
  expect(kept()).not.toContain(origin(0));

  const document = written(folder) as { earlierServices: unknown[] };
  const earlierServices = [{ service: 'of a newer version' }, ...document.earlierServices];
  writeFileSync(
    path.join(folder, 'settings.json'),
    JSON.stringify({ ...document, earlierServices }),
  );
  expect(kept()).toHaveLength(100);
});
