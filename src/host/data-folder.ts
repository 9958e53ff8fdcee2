import { homedir } from 'node:os';
import path from 'node:path';
import envPaths from 'env-paths';

/** Where the queue is kept unless someone says otherwise: the platform's usual folder. */
export function usualDataFolder(): string {
  return envPaths('spool', { suffix: '' }).data;
}

/** Where videos go unless a batch, a command or the settings say otherwise. */
export function usualVideoFolder(): string {
  return path.join(homedir(), 'Videos', 'Spool');
}
