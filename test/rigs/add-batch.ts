import type { AddedBatch, BatchOptions, BatchPlan, BatchSource } from '../../src/contract/batch.ts';

interface Batch {
  readonly source: BatchSource;
  readonly options?: BatchOptions;
}

/** The calls of a client. */
interface BatchCalls {
  readonly batches: {
    plan(batch: Batch): Promise<BatchPlan>;
    add(batch: Batch & { readonly origin: string }): Promise<AddedBatch>;
  };
}

/** Adds a batch to the service that it is planned for now. */
export async function addBatch({ batches }: BatchCalls, batch: Batch): Promise<AddedBatch> {
  const { origin } = await batches.plan(batch);
  return batches.add({ origin, ...batch });
}
