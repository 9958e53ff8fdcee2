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

/** Plans a batch and adds it to the service in the plan. */
export async function addBatch({ batches }: BatchCalls, batch: Batch): Promise<AddedBatch> {
  const { origin } = await batches.plan(batch);
  return batches.add({ origin, ...batch });
}
