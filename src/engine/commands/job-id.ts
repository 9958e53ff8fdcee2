import { z } from 'zod';
import { JobUnknownError } from '../engine-error.ts';

/** Reads an id as UIs have it. @throws {JobUnknownError} */
export function jobIdOf(id: string): number {
  const parsed = z.coerce.number().int().positive().safeParse(id);
  if (!parsed.success) throw new JobUnknownError();
  return parsed.data;
}
