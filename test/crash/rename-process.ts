/**
 * A renaming in a process of its own, which kills itself before the nth time that it is about to
 * change anything on the disk: a name, or the database (SQLite's own word `COMMIT`). One that lives
 * says how many changes it made.
 */
import files from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { RenameCommands } from '../../src/engine/commands/rename-commands.ts';
import { Renamer } from '../../src/engine/flow/renamer.ts';
import { Store } from '../../src/engine/jobs/store.ts';
import { systemClock } from '../../src/engine/system-clock.ts';

const orderSchema = z.object({
  folder: z.string(),
  ids: z.array(z.string()),
  nameTemplate: z.string(),
  /** Counted from 1; `null`: it lives. */
  dieBefore: z.int().nullable(),
  /** Of the disk: FAT and many network drives have none. */
  hasLinks: z.boolean(),
});

export type RenameOrder = z.infer<typeof orderSchema>;

const order = orderSchema.parse(JSON.parse(await text(process.stdin)));
const store = await Store.open({
  folder: order.folder,
  origin: 'https://service.example',
  now: 0,
  onChange: () => undefined,
});
let changes = 0;
dieOnTheWay();
const renames = new RenameCommands({
  store,
  renamer: new Renamer({ store, clock: systemClock }),
  clock: systemClock,
  stop: new AbortController().signal,
});
await renames.rename(order);
process.stdout.write(String(changes));
await store.close();

function dieOnTheWay(): void {
  const count = (): void => {
    changes += 1;
    if (changes === order.dieBefore) process.kill(process.pid, 'SIGKILL');
  };
  for (const name of ['link', 'rm', 'rename', 'writeFile', 'rmdir'] as const) {
    const real = files[name] as (...input: readonly unknown[]) => Promise<unknown>;
    Object.assign(files, {
      [name]: (...input: readonly unknown[]) => {
        if (name === 'link' && !order.hasLinks) {
          return Promise.reject(Object.assign(new Error('No links here.'), { code: 'EPERM' }));
        }
        count();
        return real(...input);
      },
    });
  }
  syncBuiltinESMExports();
  // eslint-disable-next-line @typescript-eslint/unbound-method -- called with its own `this` below
  const { exec } = DatabaseSync.prototype;
  DatabaseSync.prototype.exec = function (this: DatabaseSync, sql: string): void {
    if (sql === 'COMMIT') count();
    exec.call(this, sql);
  };
}
