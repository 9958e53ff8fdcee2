import type { Clock } from '../clock.ts';
import { isWriteRefusal } from '../jobs/transactions.ts';

const WRITE_AGAIN_MS = 5000;

/**
 * Writes down what has happened already, and so cannot be left to be found out again: as long as
 * the disk refuses (full, read-only, gone), it is tried every five seconds.
 * @param giveUp when aborted, the refusal is thrown
 */
export async function untilWritten(
  write: () => void,
  clock: Clock,
  giveUp: AbortSignal,
): Promise<void> {
  for (;;) {
    try {
      write();
      return;
    } catch (error) {
      if (!isWriteRefusal(error) || giveUp.aborted) throw error;
      await clock.sleep(WRITE_AGAIN_MS, giveUp).catch(() => undefined);
    }
  }
}
