import envPaths from 'env-paths';

/** The platform's usual folder, where the queue is kept unless another one is given. */
export function defaultDataFolder(): string {
  return envPaths('spool', { suffix: '' }).data;
}
