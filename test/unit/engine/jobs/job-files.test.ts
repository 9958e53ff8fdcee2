import { onTestFinished, expect, test } from 'vitest';
import type { NewJob } from '../../../../src/engine/jobs/job-store.ts';
import { addBatch, aRow } from '../../../rigs/filled-store.ts';
import { openStore, type OpenStore } from '../../../rigs/open-store.ts';
import { temporaryFolder } from '../../../rigs/temporary-folder.ts';

const NOW = Date.UTC(2026, 0, 5, 9);

async function open(): Promise<OpenStore> {
  const store = await openStore({
    folder: temporaryFolder(),
    now: NOW,
  });
  onTestFinished(() => store.close());
  return store;
}

/** Adds a batch with one job, and returns the job's id. */
function add(
  store: OpenStore,
  folder: string,
  fileName: string,
  state: NewJob['state'] = 'queued',
): number {
  const { id } = addBatch(store, { name: fileName, folder, onCollision: 'replace' });
  const [jobId = 0] = store.jobs.insert(id, [aRow('A title', { fileName, state })], NOW);
  return jobId;
}

function save(store: OpenStore, id: number, filePath: string): void {
  for (const move of ['download', 'verify'] as const) store.jobs.move(id, move, NOW);
  store.jobs.move(id, 'save', NOW, { filePath });
}

test('names in a folder include those of batches whose folder is written in another way', async () => {
  const store = await open();
  add(store, '/videos/', 'One.mp4');
  add(store, '/videos/May/..', 'Two.mp4');

  expect(store.files.namesIn('/videos').toSorted()).toEqual(['One.mp4', 'Two.mp4']);
});

test('names in a folder include those of batches in folders around it and inside it', async () => {
  const store = await open();
  add(store, '/videos/renders', 'One.mp4');
  add(store, '/videos', 'renders/Two.mp4');
  add(store, '/videos/renders/May', 'Three.mp4');
  add(store, '/videos', 'Four.mp4');
  add(store, '/videos/renders of May', 'Five.mp4');

  expect(store.files.namesIn('/videos/renders').toSorted()).toEqual([
    'May/Three.mp4',
    'One.mp4',
    'Two.mp4',
  ]);
});

test('names in a folder include the name that a file has and the one that it is about to get', async () => {
  const store = await open();
  const id = add(store, '/videos', 'One.mp4', 'ready');
  save(store, id, '/videos/One (2).mp4');
  store.files.planRenames([{ id, filePath: '/videos/One (2).mp4', renameTo: 'New.mp4' }]);

  const names = ['New.mp4', 'One (2).mp4', 'One.mp4'];
  expect(store.files.namesIn('/videos').toSorted()).toEqual(names);
  expect(store.files.namesIn('/videos', [id])).toEqual([]);
});

test('names in a folder leave out those of cancelled rows', async () => {
  const store = await open();
  add(store, '/videos', 'One.mp4', 'cancelled');

  expect(store.files.namesIn('/videos')).toEqual([]);
});
