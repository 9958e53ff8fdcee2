import { mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../rigs/temporary-folder.ts';
import type { PowerCutDisks } from './power-cut-disks.ts';
import { PoweredService } from './powered-service.ts';

// A command that started while nothing was mounted would write to the mount point's own folder.
test('no command of the user starts while the power is cut', async () => {
  const folder = temporaryFolder();
  const videos = path.join(folder, 'videos-disk');
  mkdirSync(videos);
  const answers: unknown[] = [];
  const disks = {
    folder,
    videos,
    fail: () => Promise.resolve(),
    async restore() {
      answers.push(
        await service.command('account', 'add', '--email', 'you@example.com', '--plan', 'free'),
      );
    },
  };
  const service = new PoweredService(
    disks as Partial<PowerCutDisks> as PowerCutDisks,
    temporaryFolder(),
  );
  await service.cut();
  expect(answers).toEqual([null]);
  expect(readdirSync(path.join(folder, 'service')).toSorted()).toEqual(['images', 'videos']);
});
