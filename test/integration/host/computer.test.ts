import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { headlessComputer, type Computer } from '../../../src/host/computer.ts';
import { clientInProcess } from '../../../src/host/router.ts';
import { EngineRig } from '../../rigs/engine-rig.ts';
import { routerFor } from '../../rigs/router-for.ts';

/** A computer that writes down what it was asked. */
function computerThatRecords() {
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
    dragOut: record('dragOut'),
  };
  return { computer, asked };
}

/** A queue with a saved video and one that waits, and the contract over it. */
async function queue() {
  const rig = await EngineRig.open({ limit: 1 });
  const { computer, asked } = computerThatRecords();
  const client = clientInProcess(routerFor(rig.engine, rig.folder, computer));
  const [saved = '', waiting = ''] = await rig.add(['One', 'Two']);
  await rig.until(async () => (await rig.job(0)).state === 'done');
  const file = (await rig.job(0)).file?.path ?? '';
  return { rig, client, asked, saved, waiting, file };
}

const notPossible = { code: 'FAILED', data: { code: 'not-possible-now' } };

describe('what a page asks of the computer', () => {
  it('is done with the file of the job that it names', async () => {
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

  it('is refused for a video that is not saved, is gone or was never there', async () => {
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

  it('opens the folder of a batch, or the usual one once it is there', async () => {
    const { rig, client, asked } = await queue();
    const [batch] = rig.engine.summary().batches;
    await client.computer.openFolder({ batchId: batch?.id });
    await expect(client.computer.openFolder({ batchId: 'unknown' })).rejects.toMatchObject({
      data: { code: 'batch-unknown' },
    });
    const usual = path.join(rig.folder, 'renders');
    expect(asked).toEqual([['open', usual]]);
    rmSync(usual, { recursive: true });
    await expect(client.computer.openFolder({})).rejects.toMatchObject(notPossible);
    mkdirSync(usual);
    await client.computer.openFolder({});
    expect(asked).toHaveLength(2);
  });
});
