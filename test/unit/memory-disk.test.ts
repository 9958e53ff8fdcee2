import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { removeEndedRuns } from '../rigs/memory-disk.ts';
import { temporaryFolder } from '../rigs/temporary-folder.ts';

/** More than the largest that Linux gives a process. */
const NO_PROCESS = 2 ** 22 + 1;

test.runIf(process.platform === 'linux')(
  'files of runs that were killed are removed, and of no others',
  () => {
    const disk = temporaryFolder();
    for (const name of [`spool-run-${NO_PROCESS}`, `spool-run-${process.pid}`, 'other']) {
      mkdirSync(path.join(disk, name));
      writeFileSync(path.join(disk, name, 'spool.db'), '');
    }

    removeEndedRuns(disk);

    expect(readdirSync(disk).toSorted()).toEqual(['other', `spool-run-${process.pid}`]);
  },
);
