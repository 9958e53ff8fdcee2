import type { Abilities, AppUpdate, FileQuestion, PageRequest } from '../contract/computer.ts';
import { NO_ABILITIES } from '../contract/no-abilities.ts';
import { userMessage } from '../contract/user-message.ts';
import { NotPossibleNowError } from '../engine/engine-error.ts';

/**
 * A host's desktop functions. `abilities` lists the methods that work; the others reject. Paths are
 * absolute and lead to files that the engine saved.
 */
export interface Computer {
  readonly abilities: Abilities;
  /** Opens a video or folder in the user's default program for it. */
  open(path: string): Promise<void>;
  /** Shows a file, selected, in the file manager. */
  show(path: string): Promise<void>;
  /** Moves a file to the system's trash. */
  trash(path: string): Promise<void>;
  /** `null` when the user cancelled. */
  chooseFolder(startIn: string | undefined): Promise<string | null>;
  /** None when the user cancelled. */
  chooseFiles(question: FileQuestion): Promise<readonly string[]>;
  dragOut(paths: readonly string[]): Promise<void>;
  /** Ends when `signal` is aborted. */
  pageRequests(signal: AbortSignal): AsyncIterable<PageRequest>;
  /** Ends when `signal` is aborted. */
  updates(signal: AbortSignal): AsyncIterable<AppUpdate>;
  restartToUpdate(): Promise<void>;
}

/** @throws {NotPossibleNowError} always: `abilities` does not offer the call. */
export function notSupported(): Promise<never> {
  return Promise.reject(new NotPossibleNowError(userMessage('computer-cannot')));
}

/** A stream without events, for computers that send none to a page. */
export async function* noEvents(signal: AbortSignal): AsyncGenerator<never, void> {
  await new Promise<unknown>((resolve) => {
    if (signal.aborted) resolve(null);
    signal.addEventListener('abort', resolve, { once: true });
  });
  yield* [];
}

/** A computer without a screen, or a host without a page. */
export const headlessComputer: Computer = {
  abilities: NO_ABILITIES,
  open: notSupported,
  show: notSupported,
  trash: notSupported,
  chooseFolder: notSupported,
  chooseFiles: notSupported,
  dragOut: notSupported,
  pageRequests: noEvents,
  updates: noEvents,
  restartToUpdate: notSupported,
};
