import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { headlessComputer, type Computer } from '../../../src/host/computer.ts';
import { clientInProcess } from '../../../src/host/router.ts';
import { EngineRig } from '../../rigs/engine-rig.ts';
import { routerFor } from '../../rigs/router-for.ts';

function recordingComputer() {
  const asked: unknown[] = [];
  const record =
    (what: string) =>
    (...details: unknown[]) => {
      asked.push([what, ...details]);
      return Promise.resolve();
    };
  const computer: Computer = {
    ...headlessComputer,
    open: record('open'),
    show: record('show'),
    trash: record('trash'),
    dragOut: record('dragOut'),
  };
  return { computer, asked };
}

/** A queue with a saved and a queued video, and a client of it. */
async function queue() {
  const rig = await EngineRig.open({ limit: 1 });
  const { computer, asked } = recordingComputer();
  const client = clientInProcess(await routerFor(rig.engine, rig.folder, computer));
  const [saved = '', waiting = ''] = await rig.add(['One', 'Two']);
  await rig.until(async () => (await rig.job(0)).state === 'done');
  const file = (await rig.job(0)).file?.path ?? '';
  return { rig, client, asked, saved, waiting, file };
}

const notPossible = { code: 'FAILED', data: { code: 'not-possible-now' } };

describe('a request of a page to the computer', () => {
  it('uses the file of the job that it names', async () => {
    const { client, asked, saved, file } = await queue();
    await client.computer.openFile({ id: saved });
    await client.computer.showFile({ id: saved });
    await client.computer.dragOut({ ids: [saved] });
    expect(asked).toEqual([
      ['open', file],
      ['show', file],
      ['dragOut', [file]],
    ]);
  });

  it('moves files to the trash, and leaves those that are not as they were saved', async () => {
    const { client, asked, saved, waiting, file } = await queue();
    const refusals = async (ids: string[]): Promise<unknown> => {
      const { changed, refused } = await client.computer.trashFiles({ ids });
      return [changed, refused.map(({ id, failure }) => [id, failure.code])];
    };
    expect(await refusals([saved, waiting, '99'])).toEqual([
      1,
      [
        [waiting, 'not-possible-now'],
        ['99', 'job-unknown'],
      ],
    ]);
    expect(asked).toEqual([['trash', file]]);
    writeFileSync(file, 'another');
    expect(await refusals([saved])).toEqual([0, [[saved, 'not-possible-now']]]);
    rmSync(file);
    symlinkSync('/etc/passwd', file);
    expect(await refusals([saved])).toEqual([0, [[saved, 'not-possible-now']]]);
    expect(asked).toHaveLength(1);
  });

  it('is refused for a video that is not saved, missing or unknown', async () => {
    const { client, asked, saved, waiting, file } = await queue();
    await expect(client.computer.openFile({ id: waiting })).rejects.toMatchObject(notPossible);
    await expect(client.computer.openFile({ id: '/etc/passwd' })).rejects.toMatchObject({
      data: { code: 'job-unknown' },
    });
    rmSync(file);
    await expect(client.computer.showFile({ id: saved })).rejects.toMatchObject(notPossible);
    await expect(client.computer.dragOut({ ids: [saved] })).rejects.toMatchObject(notPossible);
    expect(asked).toEqual([]);
  });

  it('drags all of the files that it names, or none if one is missing', async () => {
    const rig = await EngineRig.open();
    const { computer, asked } = recordingComputer();
    const client = clientInProcess(await routerFor(rig.engine, rig.folder, computer));
    const ids = await rig.add(['One', 'Two']);
    await rig.until(async () => (await rig.job(1)).state === 'done');
    const files = [(await rig.job(0)).file?.path ?? '', (await rig.job(1)).file?.path ?? ''];
    await client.computer.dragOut({ ids });
    expect(asked).toEqual([['dragOut', files]]);
    rmSync(files[1] ?? '');
    await expect(client.computer.dragOut({ ids })).rejects.toMatchObject(notPossible);
    expect(asked).toHaveLength(1);
  });

  it('opens the folder of a batch, or the default one once it exists', async () => {
    const { rig, client, asked } = await queue();
    const [batch] = rig.engine.summary().batches;
    await client.computer.openFolder({ batchId: batch?.id });
    await expect(client.computer.openFolder({ batchId: 'unknown' })).rejects.toMatchObject({
      data: { code: 'batch-unknown' },
    });
    const defaultFolder = path.join(rig.folder, 'renders');
    expect(asked).toEqual([['open', defaultFolder]]);
    rmSync(defaultFolder, { recursive: true });
    await expect(client.computer.openFolder({})).rejects.toMatchObject(notPossible);
    mkdirSync(defaultFolder);
    await client.computer.openFolder({});
    expect(asked).toHaveLength(2);
  });
});
