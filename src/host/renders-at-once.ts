/** How many videos this computer renders at a time while its service does not run. */
import { availableParallelism, totalmem } from 'node:os';

/** As the local service counts (`local-service/renders-at-once.ts`), which is not imported. */
const MEMORY_PER_RENDER = 2 * 1024 ** 3;

/** How many videos the service on this computer will render at a time, before it has said so. */
export function rendersAtOnce(
  cores: number = availableParallelism(),
  memory: number = totalmem(),
): number {
  return Math.max(1, Math.min(cores, Math.floor(memory / MEMORY_PER_RENDER)));
}
