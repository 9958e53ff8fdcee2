import { expect, test } from 'vitest';
import { QueueDatabase } from '../../src/engine/jobs/queue-database.ts';
import { EngineRig, ORIGIN } from '../rigs/engine-rig.ts';
import { KEPT_LOCK } from '../rigs/open-store.ts';
import { temporaryFolder } from '../rigs/temporary-folder.ts';
import { copyAtCommits } from './left-by-kills.ts';

test.each([
  { rows: 'archive', when: 'before', archived: [], open: ['queued', 'queued', 'queued'] },
  { rows: 'archive', when: 'after', archived: ['cancelled', 'cancelled', 'cancelled'], open: [] },
  { rows: 'remove', when: 'after', archived: [], open: [] },
] as const)('a service that is removed is whole or gone after a kill: %j', async (each) => {
  const folders = { folder: temporaryFolder(), stateDir: temporaryFolder() };
  const adding = await EngineRig.open(folders);
  await adding.engine.commands.queue.pause({ origin: ORIGIN, what: 'sending' });
  await adding.add(['One', 'Two', 'Three']);
  await adding.close();
  const now = Date.now();
  const database = await QueueDatabase.open({ ...folders, lock: KEPT_LOCK, now });
  const kills = copyAtCommits(folders);
  database.forget(ORIGIN, each.rows, now);
  await database.close();

  const left = kills.find(({ nth, when }) => nth === 1 && when === each.when);
  const rig = await EngineRig.open({ folder: left?.folder ?? '', stateDir: left?.stateDir ?? '' });
  const states = async (archived: boolean): Promise<readonly string[]> =>
    (await rig.engine.commands.jobs.list({ archived, offset: 0, limit: 10 })).jobs.map(
      ({ state }) => state,
    );
  expect(await states(true)).toEqual(each.archived);
  expect(await states(false)).toEqual(each.open);
  // What was interrupted can be repeated.
  const { engine } = rig.engine;
  engine.want([]);
  await engine.forget(ORIGIN, 'remove');
  expect(engine.services()).toEqual([]);
});
