import type { Client } from '../contract/contract.ts';
import type { Job, JobFilter } from '../contract/job.ts';

/** The maximum of one call (`contract/contract.ts`). */
const PAGE_SIZE = 1000;

/**
 * The rows of a list in queue order, page by page. Each is read once, although rows may move
 * meanwhile.
 */
export async function* readJobs(client: Client, filter: JobFilter): AsyncGenerator<readonly Job[]> {
  const { ids } = await client.jobs.ids(filter);
  yield* readNamedJobs(client, ids);
}

/** The named rows in this order, page by page. */
export async function* readNamedJobs(
  client: Client,
  ids: readonly string[],
): AsyncGenerator<readonly Job[]> {
  for (let start = 0; start < ids.length; start += PAGE_SIZE) {
    yield (await client.jobs.read({ ids: ids.slice(start, start + PAGE_SIZE) })).jobs;
  }
}
