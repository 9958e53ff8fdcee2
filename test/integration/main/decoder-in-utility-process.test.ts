import { expect, it, onTestFinished, vi } from 'vitest';
import { DECODER_FILE } from '../../../src/host/posters/decoder-process.ts';
import { PosterDecoder } from '../../../src/host/posters/poster-decoder.ts';
import { decoderInUtilityProcess } from '../../../src/main/decoder-in-utility-process.ts';
import { StandInUtilityProcess } from '../../rigs/electron-stand-in/stand-in-processes.ts';
import { endlessFragment, film } from '../../rigs/hostile-videos.ts';
import { temporaryFolder } from '../../rigs/temporary-folder.ts';

const started: StandInUtilityProcess[] = [];
const forkCalls: unknown[] = [];

// Another file of this worker may have loaded the modules with its own stand-in for Electron.
vi.hoisted(() => vi.resetModules());

vi.mock('electron', () => ({
  utilityProcess: {
    fork: (...args: ConstructorParameters<typeof StandInUtilityProcess>) => {
      forkCalls.push(args);
      const child = new StandInUtilityProcess(...args);
      started.push(child);
      return child;
    },
  },
}));

// abuse.md 19, 31
it('decodes in a utility process, and only that process ends at a hostile video', async () => {
  process.env.SPOOL_API_KEY = 'svc_live_0123456789';
  onTestFinished(() => {
    delete process.env.SPOOL_API_KEY;
  });
  const never = new AbortController().signal;
  const folder = temporaryFolder();
  const decoder = new PosterDecoder(decoderInUtilityProcess(DECODER_FILE));
  onTestFinished(() => decoder.close());
  const honest = await film(folder, 320, 240);
  expect(await decoder.make(honest, never)).toMatchObject({ kind: 'made' });
  expect(await decoder.make(honest, never)).toMatchObject({ kind: 'made' });
  expect(started).toHaveLength(1);
  expect(await decoder.make(endlessFragment(folder), never)).toEqual({ kind: 'killed' });
  expect(await decoder.make(honest, never)).toMatchObject({ kind: 'made' });
  expect(started).toHaveLength(2);
  expect(JSON.stringify(forkCalls)).not.toContain('svc_live_');
  decoder.close();
  await expect.poll(() => started.filter(({ pid }) => pid !== undefined)).toEqual([]);
});
