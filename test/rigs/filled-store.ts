/** Batches and rows in a store, without an engine. */
import { hash } from 'node:crypto';
import { onTestFinished } from 'vitest';
import type { BatchRow } from '../../src/engine/jobs/batch-store.ts';
import type { NewJob } from '../../src/engine/jobs/job-store.ts';
import type { Store } from '../../src/engine/jobs/store.ts';
import { openStore, type OpenStore } from './open-store.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** A row whose request is its title. */
export function aRow(title: string, changed: Partial<NewJob> = {}): NewJob {
  const body = JSON.stringify({ title });
  return {
    row: 2,
    title,
    preset: 'any',
    body,
    bodySha256: hash('sha256', body),
    occurrence: 0,
    template: '{}',
    values: [],
    fileName: `${title}.mp4`,
    state: 'queued',
    remoteId: null,
    ...changed,
  };
}

/** Adds a batch without rows. */
export function addBatch(
  { batches }: Store,
  changed: Partial<Omit<BatchRow, 'id'>> = {},
): BatchRow {
  return batches.insert({
    name: 'Batch',
    folder: '/renders',
    nameTemplate: '{title}',
    onCollision: 'number',
    addedAt: 0,
    ...changed,
  });
}

/** Adds a batch that has a queued job for each title, in this order; returns their ids. */
export function fill(store: Store, titles: readonly string[], at = 0): number[] {
  const rows = titles.map((title) => aRow(title));
  return store.jobs.insert(addBatch(store, { addedAt: at }).id, rows, at);
}

/** All that is stored before a job's request leaves. */
export function send(store: Store, id: number, at = 0): void {
  store.ledger.hold(id, at);
  store.jobs.move(id, 'reserve', at);
  store.journal.append({ at, job: id });
  store.jobs.move(id, 'send', at);
  store.jobs.beginAttempt(id, at);
}

/** A store with one batch that has a queued job for each title, in this order; closed with the test. */
export async function filledStore(
  titles: readonly string[],
): Promise<{ readonly store: OpenStore; readonly ids: readonly number[] }> {
  const store = await openStore({ folder: temporaryFolder() });
  onTestFinished(() => store.close());
  return { store, ids: fill(store, titles) };
}
