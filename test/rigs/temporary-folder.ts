import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';

/** A folder of this test's own, gone when it ends. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'spool-test-'));
  onTestFinished(() => {
    removeFolder(folder);
  });
  return folder;
}

/**
 * Removes a folder with all that is in it. Tries for some seconds: the local service of a process
 * that was killed writes to its end, which it comes to by itself.
 */
export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 12 });
}
