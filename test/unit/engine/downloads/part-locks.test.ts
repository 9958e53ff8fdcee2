import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { PartLocks } from '../../../../src/engine/downloads/part-locks.ts';
import { systemClock } from '../../../../src/engine/system-clock.ts';
import { temporaryFolder } from '../../../rigs/temporary-folder.ts';

test('a lock of a killed process that another process takes over first is left to that one', async () => {
  const target = path.join(temporaryFolder(), 'film.mp4');
  const lock = `${target}.part.lock`;
  const other = `${process.ppid} 1 1`;
  writeFileSync(lock, '99999999 1 1');
  const kill = vi.spyOn(process, 'kill').mockImplementationOnce(() => {
    writeFileSync(lock, other);
    throw Object.assign(new Error('No such process.'), { code: 'ESRCH' });
  });
  onTestFinished(() => kill.mockRestore());

  expect(await new PartLocks().take(target, systemClock)).toBeUndefined();
  expect(readFileSync(lock, 'utf8')).toBe(other);
});
