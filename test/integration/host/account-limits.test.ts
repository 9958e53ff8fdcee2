import path from 'node:path';
import { expect, test } from 'vitest';
import { MemoryKeyStore } from '../../../src/engine/keys/key-store.ts';
import { openHost } from '../../../src/host/open-host.ts';
import { ScriptedProgram } from '../../rigs/scripted-program.ts';
import { temporaryFolder } from '../../rigs/temporary-folder.ts';

/** The limit of requests for a video that a run shows. */
async function shownLimit(dataDir: string, limits: object) {
  const local = new ScriptedProgram();
  local.limits = limits;
  const host = await openHost({
    dataDir,
    defaultFolder: path.join(dataDir, 'videos'),
    keys: new MemoryKeyStore(),
    serviceProgram: local.program,
  });
  try {
    for await (const { summary } of await host.client.watch({})) {
      const { limit, windowSeconds } = summary.limits.generate;
      return { limit, windowSeconds };
    }
    return null;
  } finally {
    await host.close();
  }
}

test('the limits of the account on this computer apply from the start, higher or lower', async () => {
  const dataDir = temporaryFolder();
  const own = (requests: number, windowSeconds: number) => ({
    generate: { requests, windowSeconds },
  });
  const documented = { limit: 10, windowSeconds: 3600 };

  expect(await shownLimit(dataDir, {})).toEqual(documented);
  expect(await shownLimit(dataDir, own(100, 3600))).toEqual({ limit: 100, windowSeconds: 3600 });
  expect(await shownLimit(dataDir, own(5, 3600))).toEqual({ limit: 5, windowSeconds: 3600 });
  expect(await shownLimit(dataDir, own(5, 60))).toEqual({ limit: 5, windowSeconds: 60 });
  expect(await shownLimit(dataDir, {})).toEqual(documented);
});
