import type { Standing } from './standing.ts';

/** Whether its owner wants updates, and whether one is here already. */
export interface UpdateState {
  readonly wanted: boolean;
  readonly downloaded: boolean;
}

/**
 * What may be done about updates now. Nothing happens unless its owner has asked for updates, and
 * nothing while a batch is under way: an update is downloaded and installed between batches only.
 */
export function updateStep(
  { wanted, downloaded }: UpdateState,
  { open }: Standing,
): 'nothing' | 'look' | 'install-at-quit' {
  if (!wanted || open > 0) return 'nothing';
  return downloaded ? 'install-at-quit' : 'look';
}
