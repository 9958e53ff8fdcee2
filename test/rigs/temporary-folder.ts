import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';

/** A folder for this test, removed when it ends. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'spool-test-'));
  onTestFinished(() => {
    removeFolder(folder);
  });
  return folder;
}

/**
 * Removes a folder with its contents. Retries for some seconds: after its parent was killed, the
 * local service writes until it has ended.
 */
export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 12 });
}
