/** A second primary process: opens the queue of a folder, prints `ready`, and runs until killed. */
import path from 'node:path';
import { MemoryKeyStore } from '../../src/engine/keys/key-store.ts';
import { openHost } from '../../src/host/open-host.ts';

const [, , dataDir = ''] = process.argv;
await openHost({
  dataDir,
  defaultFolder: path.join(dataDir, 'videos'),
  keys: new MemoryKeyStore(),
  serviceProgram: () => {
    throw new Error('There is no local service here.');
  },
});
process.stdout.write('ready\n');
