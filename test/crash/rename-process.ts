/**
 * A rename in a separate process, which kills itself before the nth change to the disk: a file
 * name, or the database (SQLite's `COMMIT`). If it survives, it prints the number of changes.
 */
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { openStore } from '../rigs/open-store.ts';
import { fileCommandsOn } from '../rigs/file-commands-on.ts';
import { watchDiskChanges } from './disk-changes.ts';

const orderSchema = z.object({
  folder: z.string(),
  ids: z.array(z.string()),
  nameTemplate: z.string(),
  /** Counted from 1; `null`: it is not killed. */
  dieBefore: z.int().nullable(),
  /** Whether the disk has hard links: FAT and many network drives have none. */
  hasLinks: z.boolean(),
});

export type RenameOrder = z.infer<typeof orderSchema>;

const order = orderSchema.parse(JSON.parse(await text(process.stdin)));
const store = await openStore({
  folder: order.folder,
  origin: 'https://service.example',
  now: 0,
  onChange: () => undefined,
});
let changes = 0;
watchDiskChanges({
  before: (change) => {
    if (change === 'link' && !order.hasLinks) {
      throw Object.assign(new Error('No links here.'), { code: 'EPERM' });
    }
    changes += 1;
    if (changes === order.dieBefore) process.kill(process.pid, 'SIGKILL');
  },
});
await fileCommandsOn(store).rename(order);
process.stdout.write(String(changes));
await store.close();
