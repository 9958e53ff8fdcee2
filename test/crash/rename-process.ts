/**
 * Renames files in a separate process, which kills itself before the nth change to the disk: to a
 * file, or to the database (SQLite's `COMMIT`). If it survives, it prints the number of changes.
 */
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { openStore } from '../rigs/open-store.ts';
import { fileCommandsOn } from '../rigs/file-commands-on.ts';
import { watchDiskChanges } from './disk-changes.ts';

const instructionsSchema = z.object({
  folder: z.string(),
  ids: z.array(z.string()),
  nameTemplate: z.string(),
  /** Counted from 1; `null`: it is not killed. */
  killBefore: z.int().nullable(),
  /** Whether the disk has hard links: FAT and many network drives have none. */
  hasLinks: z.boolean(),
});

export type RenameInstructions = z.infer<typeof instructionsSchema>;

const instructions = instructionsSchema.parse(JSON.parse(await text(process.stdin)));
const store = await openStore({
  folder: instructions.folder,
});
let changes = 0;
watchDiskChanges({
  before: (change) => {
    if (change === 'link' && !instructions.hasLinks) {
      throw Object.assign(new Error('No links here.'), { code: 'EPERM' });
    }
    changes += 1;
    if (changes === instructions.killBefore) process.kill(process.pid, 'SIGKILL');
  },
});
await fileCommandsOn(store).rename(instructions);
process.stdout.write(String(changes));
await store.close();
