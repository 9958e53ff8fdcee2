/** The folders that the operating system has for an app's data and state. */
import path from 'node:path';
import envPaths from 'env-paths';

/** Where the queue is kept unless another folder is given. */
export function defaultDataFolder(): string {
  return envPaths('spool', { suffix: '' }).data;
}

/**
 * Where the witness of requests is kept (`engine/jobs/sent-witness.ts`): outside of the default data
 * folder on every system, so that restoring that folder does not restore the witness, too.
 */
export function stateFolder(): string {
  const { XDG_STATE_HOME: state } = process.env;
  if (state !== undefined && path.isAbsolute(state)) return path.join(state, 'spool');
  const paths = envPaths('spool', { suffix: '' });
  // macOS has no such folder, and its folder for logs is one that cleaners empty.
  return process.platform === 'darwin' ? paths.config : paths.log;
}
