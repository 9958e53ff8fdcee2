/** Holds many videos, undoes it, and kills itself at a commit of the undo. */
import { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { EngineRig, ORIGIN } from '../rigs/engine-rig.ts';

const [folder = '', stateDir = '', rows = '', killAt = ''] = process.argv.slice(2);
const { nth, when } = z
  .object({ nth: z.number(), when: z.enum(['before', 'after']) })
  .parse(JSON.parse(killAt));

const rig = await EngineRig.open({ folder, stateDir, endsWithTest: false });
const { jobs, queue, batches } = rig.engine.commands;
await queue.pause({ origin: ORIGIN, what: 'sending' });
const titles = Array.from({ length: Number(rows) }, (_, index) => `Row ${index}`);
const source = { name: 'Batch.csv', content: ['title', ...titles].join('\n') };
const { jobIds } = await batches.add({ origin: ORIGIN, source, options: {} });
const { step } = await jobs.hold({ ids: jobIds });

let commits = 0;
// eslint-disable-next-line @typescript-eslint/unbound-method -- called with its own `this` below
const { exec } = DatabaseSync.prototype;
DatabaseSync.prototype.exec = function execOrKill(this: DatabaseSync, sql: string): void {
  if (sql !== 'COMMIT') {
    exec.call(this, sql);
    return;
  }
  commits += 1;
  if (commits === nth && when === 'before') process.kill(process.pid, 'SIGKILL');
  exec.call(this, sql);
  if (commits === nth) process.kill(process.pid, 'SIGKILL');
};
await jobs.undo({ step: step ?? '' });
throw new Error('The undo has ended.');
