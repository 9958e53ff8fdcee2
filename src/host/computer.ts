import type { Abilities, AppUpdate, PageRequest } from '../contract/computer.ts';
import { userMessage } from '../contract/user-message.ts';
import { NotPossibleNowError } from '../engine/engine-error.ts';

/**
 * What a host can do with the computer that it runs on. `abilities` says which of the methods do
 * something; the others reject. Paths are absolute, and of files that the engine itself saved.
 */
export interface Computer {
  readonly abilities: Abilities;
  /** A video or a folder, in whichever program the user uses for those. */
  open(path: string): Promise<void>;
  /** A file, selected in the file manager. */
  show(path: string): Promise<void>;
  /** `null` when the user chose none. */
  chooseFolder(startIn: string | undefined): Promise<string | null>;
  dragOut(paths: readonly string[]): Promise<void>;
  /** Ends when `signal` is aborted. */
  wishes(signal: AbortSignal): AsyncIterable<PageRequest>;
  /** Ends when `signal` is aborted. */
  updates(signal: AbortSignal): AsyncIterable<AppUpdate>;
  restartToUpdate(): Promise<void>;
}

/** @throws {NotPossibleNowError} always: the page asked for what `abilities` does not offer. */
export function notHere(): Promise<never> {
  return Promise.reject(new NotPossibleNowError(userMessage('computer-cannot')));
}

/** For computers that have nothing to tell a page. */
export async function* silence(signal: AbortSignal): AsyncGenerator<never, void> {
  await new Promise<unknown>((resolve) => {
    if (signal.aborted) resolve(null);
    signal.addEventListener('abort', resolve, { once: true });
  });
  yield* [];
}

/** A computer without a screen, and a host without a page. */
export const bareComputer: Computer = {
  abilities: {
    ...{ open: false, show: false, chooseFolder: false },
    ...{ dragOut: false, notify: false, update: false },
  },
  open: notHere,
  show: notHere,
  chooseFolder: notHere,
  dragOut: notHere,
  wishes: silence,
  updates: silence,
  restartToUpdate: notHere,
};
