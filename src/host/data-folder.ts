import envPaths from 'env-paths';

/** Where the queue is kept unless someone says otherwise: the platform's usual folder. */
export function usualDataFolder(): string {
  return envPaths('spool', { suffix: '' }).data;
}
