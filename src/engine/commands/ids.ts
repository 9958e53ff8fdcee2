import { z } from 'zod';
import { JobUnknownError } from '../engine-error.ts';
import type { Store } from '../jobs/store.ts';

/** Reads a job's id as UIs have it. @throws {JobUnknownError} */
export function jobIdOf(id: string): number {
  const parsed = z.coerce.number().int().positive().safeParse(id);
  if (!parsed.success) throw new JobUnknownError();
  return parsed.data;
}

/** Reads a batch's id as UIs have it, where there is one. @throws {BatchUnknownError} */
export function batchIdOf(id: string | undefined, { batches }: Store): number | undefined {
  return id === undefined ? undefined : batches.get(Number(id)).id;
}
