import { hash } from 'node:crypto';
import { onTestFinished } from 'vitest';
import { openStore, type OpenStore } from './open-store.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** A store with one batch that has a queued job for each title, in this order; closed with the test. */
export async function filledStore(
  titles: readonly string[],
): Promise<{ readonly store: OpenStore; readonly ids: readonly number[] }> {
  const origin = 'https://service.example';
  const onChange = () => undefined;
  const store = await openStore({ folder: temporaryFolder(), origin, now: 0, onChange });
  onTestFinished(() => store.close());
  const naming = { nameTemplate: '{title}', onCollision: 'number' } as const;
  const batch = store.batches.insert({ name: 'Batch', folder: '/f', ...naming, addedAt: 0 });
  const jobs = titles.map((title, row) => {
    const body = JSON.stringify({ title });
    const common = {
      preset: 'any',
      occurrence: 0,
      template: '{}',
      values: [],
      remoteId: null,
    } as const;
    const bodySha256 = hash('sha256', body);
    return { ...common, row, title, body, bodySha256, fileName: title, state: 'queued' } as const;
  });
  return { store, ids: store.jobs.insert(batch.id, jobs, 0) };
}
