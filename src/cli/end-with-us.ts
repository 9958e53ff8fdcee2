import type { ChildProcess } from 'node:child_process';

/**
 * Asks a child that shares our terminal to end at its safe point when we are told to end. Not on
 * Windows, where `kill` ends a process at once, whatever signal it names. There the child itself
 * receives Ctrl-C and the closing of its console.
 */
export function endWithUs(
  child: Pick<ChildProcess, 'kill'>,
  interrupted: AbortSignal,
  platform: NodeJS.Platform = process.platform,
): void {
  if (platform === 'win32') return;
  interrupted.addEventListener('abort', () => child.kill('SIGTERM'), { once: true });
}
