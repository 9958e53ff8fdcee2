import { availableParallelism, totalmem } from 'node:os';

/** A render of a large picture takes less; the rest is for the user's other programs. In bytes. */
const MEMORY_PER_RENDER = 2 * 1024 ** 3;

/**
 * How many videos this computer renders at a time: one for each core, if there is memory for them.
 * They use all cores, but other programs run first (`render-worker.ts`).
 */
export function rendersAtOnce(
  cores: number = availableParallelism(),
  memory: number = totalmem(),
): number {
  return Math.max(1, Math.min(cores, Math.floor(memory / MEMORY_PER_RENDER)));
}
