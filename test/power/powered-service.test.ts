import type { ChildProcess } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../rigs/temporary-folder.ts';
import type { PowerCutDisks } from './power-cut-disks.ts';
import { PoweredService } from './powered-service.ts';

/** Disks whose power a test only pretends to cut. */
function disksThat(restore: () => Promise<void>): PowerCutDisks {
  const folder = temporaryFolder();
  const videos = path.join(folder, 'videos-disk');
  mkdirSync(videos);
  const disks: Partial<PowerCutDisks> = { folder, videos, fail: () => Promise.resolve(), restore };
  return disks as PowerCutDisks;
}

const ADD_ACCOUNT = ['account', 'add', '--email', 'you@example.com', '--plan', 'free'];

// A command that started while nothing was mounted would write to the mount point's own folder.
test('no command of the user starts while the power is cut', async () => {
  const answers: unknown[] = [];
  const disks = disksThat(async () => {
    answers.push(await service.command(...ADD_ACCOUNT));
  });
  const service = new PoweredService(disks, temporaryFolder());
  await service.cut();
  expect(answers).toEqual([null]);
  expect(readdirSync(path.join(disks.folder, 'service')).toSorted()).toEqual(['images', 'videos']);
});

// The command's process has ended, and its pipes are not closed yet.
test('the power is cut although a command has just ended', async () => {
  let restored = 0;
  const disks = disksThat(() => {
    restored += 1;
    return Promise.resolve();
  });
  const service = new PoweredService(disks, temporaryFolder());
  const cut = Promise.withResolvers<undefined>();
  const onStart = (message: unknown): void => {
    const { process } = message as { readonly process: ChildProcess };
    process.once('exit', () => void service.cut().then(() => cut.resolve(undefined), cut.reject));
  };
  subscribe('child_process', onStart);
  onTestFinished(() => void unsubscribe('child_process', onStart));
  await service.command(...ADD_ACCOUNT);
  await cut.promise;
  expect(restored).toBe(1);
});
