import type { QueueStatus } from './queue-status.ts';

/** Whether the user wants updates, and whether one is already downloaded. */
export interface UpdateState {
  readonly wanted: boolean;
  readonly downloaded: boolean;
}

/**
 * The update step allowed now. None unless the user enabled updates, and none while a batch is
 * active: updates are downloaded and installed between batches only.
 */
export function updateStep(
  { wanted, downloaded }: UpdateState,
  { open }: QueueStatus,
): 'nothing' | 'look' | 'install-at-quit' {
  if (!wanted || open > 0) return 'nothing';
  return downloaded ? 'install-at-quit' : 'look';
}

/** Facts that decide whether this installation can be updated. */
export interface Installation {
  readonly isPackaged: boolean;
  readonly platform: NodeJS.Platform;
  readonly env: NodeJS.ProcessEnv;
  /** Whether the app's resources folder has a file of this name beside its archive. */
  readonly has: (name: string) => boolean;
}

/**
 * Whether this app can replace itself: it is configured with an update address and is of a
 * replaceable kind. A build from source is not, nor a portable one, nor a folder on Linux that is
 * neither an AppImage nor a system package.
 */
export function canReplaceItself({ isPackaged, platform, env, has }: Installation): boolean {
  if (!isPackaged || !has('app-update.yml')) return false;
  if (platform === 'linux') return env.APPIMAGE !== undefined || has('package-type');
  return env.PORTABLE_EXECUTABLE_FILE === undefined;
}
