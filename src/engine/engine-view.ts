import { once } from 'node:events';
import type { Summary, Update } from '../contract/summary.ts';
import { userMessage } from '../contract/user-message.ts';
import type { Commands } from './commands/handlers.ts';
import { NotPossibleNowError } from './engine-error.ts';
import type { ServiceSession } from './service-session.ts';

/** The service that a view is of, looked up at each call. */
export interface Viewed {
  readonly session: () => ServiceSession;
  readonly commands: (of: ServiceSession) => Commands;
  /** Aborted when it becomes another service. */
  readonly changed?: (() => AbortSignal) | undefined;
}

/** What programs see of one service: of a certain one, or of the one that is shown. */
export class EngineView {
  readonly #viewed: Viewed;

  constructor(viewed: Viewed) {
    this.#viewed = viewed;
  }

  get origin(): string {
    return this.#viewed.session().id;
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

  /**
   * Makes a call; waits while the session is replaced, and keeps it from being replaced meanwhile.
   * @param input of the call, which may name a service
   * @throws the reason, while no session can be opened
   * @throws {NotPossibleNowError} when the input names another service
   */
  async run<T>(input: unknown, call: (commands: Commands) => T | Promise<T>): Promise<T> {
    let session = this.#viewed.session();
    for (let { replaced } = session; replaced; { replaced } = session) {
      await replaced;
      // Meanwhile the view may be of another service.
      session = this.#viewed.session();
    }
    if (isForOther(input, session.id))
      throw new NotPossibleNowError(userMessage('meant-for-other-service'));
    const opened = session;
    return opened.run(async () => call(this.#viewed.commands(opened)));
  }
}

/** Whether a call names a service other than this one. */
function isForOther(input: unknown, origin: string): boolean {
  return (
    typeof input === 'object' && input !== null && 'origin' in input && input.origin !== origin
  );
}
