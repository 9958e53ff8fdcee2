import type { QueueStatus } from './queue-status.ts';

/** Whether the user wants updates, and whether one is here already. */
export interface UpdateState {
  readonly wanted: boolean;
  readonly downloaded: boolean;
}

/**
 * What may be done about updates now. Nothing happens unless the user has asked for updates, and
 * nothing while a batch is under way: an update is downloaded and installed between batches only.
 */
export function updateStep(
  { wanted, downloaded }: UpdateState,
  { open }: QueueStatus,
): 'nothing' | 'look' | 'install-at-quit' {
  if (!wanted || open > 0) return 'nothing';
  return downloaded ? 'install-at-quit' : 'look';
}

/** What tells whether an app can be replaced by a newer one. */
export interface Installation {
  readonly isPackaged: boolean;
  readonly platform: NodeJS.Platform;
  readonly env: NodeJS.ProcessEnv;
  /** Whether the app's own folder has a file of this name beside its archive. */
  readonly has: (name: string) => boolean;
}

/**
 * Whether this app can replace itself: it was told where newer versions are, and is of a kind that
 * can be replaced. A build from source is not, nor a portable one, nor a folder on Linux that is
 * neither an AppImage nor a package of the system.
 */
export function canReplaceItself({ isPackaged, platform, env, has }: Installation): boolean {
  if (!isPackaged || !has('app-update.yml')) return false;
  if (platform === 'linux') return env.APPIMAGE !== undefined || has('package-type');
  return env.PORTABLE_EXECUTABLE_FILE === undefined;
}
