import type { ChildProcess } from 'node:child_process';

/**
 * Forwards termination signals to a child on the same terminal, so that it ends at its safe point.
 * Not on Windows, where `kill` ends a process at once, whatever signal it names. There the child
 * itself receives Ctrl-C and the closing of its console.
 */
export function forwardSignals(
  child: Pick<ChildProcess, 'kill'>,
  interrupted: AbortSignal,
  platform: NodeJS.Platform = process.platform,
): void {
  if (platform === 'win32') return;
  interrupted.addEventListener('abort', () => child.kill('SIGTERM'), { once: true });
}
