/** Takes a service with unsent videos out of the queue, and kills itself when that is committed. */
import { removedRowsSchema } from '../../src/contract/managed-service.ts';
import { QueueDatabase } from '../../src/engine/jobs/queue-database.ts';
import { EngineRig, ORIGIN } from '../rigs/engine-rig.ts';
import { KEPT_LOCK } from '../rigs/open-store.ts';
import { killAtCommit, killAtSchema } from './kill-at-commit.ts';

const [folder = '', stateDir = '', rows = '', killAt = ''] = process.argv.slice(2);

const rig = await EngineRig.open({ folder, stateDir, endsWithTest: false });
await rig.engine.commands.queue.pause({ origin: ORIGIN, what: 'sending' });
await rig.add(['One', 'Two', 'Three']);
await rig.close();

const now = Date.now();
const database = await QueueDatabase.open({ folder, stateDir, lock: KEPT_LOCK, now });
killAtCommit(killAtSchema.parse(JSON.parse(killAt)));
database.forget(ORIGIN, removedRowsSchema.parse(rows), now);
throw new Error('The service was removed.');
