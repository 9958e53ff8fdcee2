import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect, it, describe, onTestFinished } from 'vitest';
import { MemoryKeyStore } from '../../../src/engine/keys/key-store.ts';
import { systemClock } from '../../../src/engine/system-clock.ts';
import { deleteSavedLocally } from '../../../src/host/local-saved.ts';
import { openHost } from '../../../src/host/open-host.ts';
import { localFolder } from '../../../src/host/service-link.ts';
import { builtService } from '../../rigs/built-programs.ts';
import { jsonAnswer, ScriptedService } from '../../rigs/scripted-service.ts';
import { temporaryFolder } from '../../rigs/temporary-folder.ts';
import { VirtualClock } from '../../rigs/virtual-clock.ts';

const KEY = 'svc_live_of-this-test';

const SOURCE = {
  name: 'Greetings.csv',
  content: 'title,seconds,resolution,soundtrack\nHello,2,480,none\nGoodbye,2,480,none',
};

/** Renders the batch on this computer and closes the app. @returns the sizes of all MP4 files */
async function renderHere(plan: string): Promise<{ saved: number[]; inService: number[] }> {
  const dataDir = temporaryFolder();
  const folder = path.join(dataDir, 'renders');
  const host = await openHost({
    dataDir,
    defaultFolder: folder,
    keys: new MemoryKeyStore(),
    serviceProgram: builtService,
    service: { kind: 'local', plan },
  });
  try {
    const { origin } = await host.client.batches.plan({ source: SOURCE, options: {} });
    await host.client.batches.add({ origin, source: SOURCE, options: {} });
    for await (const { summary } of await host.client.watch({})) {
      if (summary.counts.done + summary.counts.failed === 2) break;
    }
  } finally {
    await host.close();
  }
  return {
    saved: videosIn(folder),
    inService: videosIn(path.join(localFolder(dataDir), 'videos')),
  };
}

function videosIn(folder: string): number[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.mp4'))
    .map((name) => statSync(path.join(folder, name)).size);
}

describe('the service on this computer', () => {
  it('keeps no copy of a saved video', async () => {
    const { saved, inService } = await renderHere('unlimited');
    expect(saved).toHaveLength(2);
    expect(inService).toEqual([]);
  });

  it('keeps the videos of a practice account, as a paid service does', async () => {
    const { saved, inService } = await renderHere('starter');
    expect(saved).toHaveLength(2);
    expect(inService.toSorted()).toEqual(saved.toSorted());
  });

  it('is told of the file with its key, once, and may answer anything', async () => {
    const answers = [200, 400, 404, 500];
    const service = await ScriptedService.start((_request, wire) =>
      wire.write(jsonAnswer(answers[service.requests.length - 1] ?? 200, { message: KEY })),
    );
    onTestFinished(() => service.stop());
    const { url, ca } = service;
    const keys = new MemoryKeyStore();
    await keys.set(new URL(url).origin, KEY);
    const deleteSaved = deleteSavedLocally({ url, ca, keys, clock: systemClock });
    for (const [index] of answers.entries()) {
      await deleteSaved('vid_1', 'ab12');
      expect(service.requests).toHaveLength(index + 1);
    }
    const [request] = service.requests;
    expect(request).toMatchObject({ method: 'POST', path: '/local/saved' });
    expect(request?.headers.get('x-api-key')).toBe(KEY);
    expect(JSON.parse(request?.body ?? '')).toEqual({ id: 'vid_1', sha256: 'ab12' });
  });

  it('delays the app for at most 5 s where it does not answer', async () => {
    const clock = new VirtualClock();
    const service = await ScriptedService.start(() => undefined);
    onTestFinished(() => service.stop());
    const { url, ca } = service;
    const keys = new MemoryKeyStore();
    await keys.set(new URL(url).origin, KEY);
    const asked = service.nextRequest();
    const told = deleteSavedLocally({ url, ca, keys, clock })('vid_1', 'ab12');
    await asked;
    await clock.advance(5000);
    await expect(told).resolves.toBeUndefined();
  });
});
