/** Another Spool that works a queue: opens it in a folder, reports that, and waits to be killed. */
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
