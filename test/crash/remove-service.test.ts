import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { BundledProgram } from '../rigs/bundled-program.ts';
import { EngineRig, ORIGIN } from '../rigs/engine-rig.ts';
import { temporaryFolder } from '../rigs/temporary-folder.ts';

let program: BundledProgram;

beforeAll(async () => {
  program = await BundledProgram.build(path.join(import.meta.dirname, 'remove-service-process.ts'));
  return () => {
    program.remove();
  };
});

test.each([
  { rows: 'archive', when: 'before', archived: [], open: ['queued', 'queued', 'queued'] },
  { rows: 'archive', when: 'after', archived: ['cancelled', 'cancelled', 'cancelled'], open: [] },
  { rows: 'remove', when: 'after', archived: [], open: [] },
])('a service that is removed is whole or gone after a kill: %j', async (each) => {
  const [folder, stateDir] = [temporaryFolder(), temporaryFolder()];
  const killAt = JSON.stringify({ nth: 1, when: each.when });
  const args = [program.file, folder, stateDir, each.rows, killAt];
  const { signal, stderr } = spawnSync(process.execPath, args, {
    env: program.env,
    encoding: 'utf8',
  });
  expect([signal, stderr]).toEqual(['SIGKILL', '']);

  const rig = await EngineRig.open({ folder, stateDir });
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
