import { once } from 'node:events';
import { engineContract } from '../contract/contract.ts';
import type { Summary, Update } from '../contract/summary.ts';
import { userMessage } from '../contract/user-message.ts';
import { callsOf, type Calls, type Commands } from './commands/handlers.ts';
import { NotPossibleNowError } from './engine-error.ts';
import type { ServiceSession } from './service-session.ts';

/** The service that a view is of, looked up at each call. */
export interface Viewed {
  readonly session: () => ServiceSession;
  readonly commands: () => Commands;
  /** Aborted when it becomes another service. */
  readonly changed?: () => AbortSignal;
}

/** What programs see of one service: of the one that is shown, or of a certain one. */
export class EngineView {
  /**
   * While its session cannot be opened, each call rejects with the reason. A call that names
   * another service rejects with a `NotPossibleNowError`.
   */
  readonly commands: Calls<Commands>;
  readonly #viewed: Viewed;

  constructor(viewed: Viewed) {
    this.#viewed = viewed;
    this.commands = callsOf(engineContract, viewed.commands, (input) => {
      if (isForOther(input, this.origin))
        throw new NotPossibleNowError(userMessage('meant-for-other-service'));
    });
  }

  get origin(): string {
    return this.#viewed.session().origin;
  }

  /**
   * Ends when `signal` is aborted or the engine is closed.
   * @throws {FolderLostError}
   */
  async *watch(since: number | undefined, signal: AbortSignal): AsyncGenerator<Update, void> {
    const { session: sessionNow, changed } = this.#viewed;
    for (let from = since; ; from = undefined) {
      const session = sessionNow();
      const ended = AbortSignal.any([signal, session.changed, ...(changed ? [changed()] : [])]);
      if (session.isOpen) yield* session.runtime.view.updates(from, ended);
      if (signal.aborted) return;
      if (session.isEngineClosed) {
        // Throws if that is because the folder is lost.
        sessionNow();
        return;
      }
      if (!ended.aborted) await once(ended, 'abort');
    }
  }

  /** The first update of `watch`, for a caller that needs only that. */
  summary(): Summary {
    return this.#viewed.session().runtime.view.summary();
  }
}

/** Whether a call names a service other than this one. */
function isForOther(input: unknown, origin: string): boolean {
  return (
    typeof input === 'object' && input !== null && 'origin' in input && input.origin !== origin
  );
}
