/** Undo of a fake's jobs: each step keeps its jobs as they were, and the order of all. */
import type { Job } from '../../src/contract/job.ts';
import { userMessage } from '../../src/contract/user-message.ts';
import type { UndoStep } from '../../src/contract/undo.ts';
import type { UndoCommand } from '../../src/contract/undo-words.ts';
import type { Commands } from '../../src/engine/commands/handlers.ts';
import { NotPossibleNowError } from '../../src/engine/engine-error.ts';
import type { StepRecorder } from '../../src/engine/jobs/undo-log.ts';

interface FakeUndoParts {
  readonly now: () => number;
  readonly find: (id: string) => Job;
  readonly idOf: (id: number) => string;
  readonly change: (ids: readonly string[], change: Partial<Job>) => void;
  /** The ids of all jobs in queue order, and the same in another order. */
  readonly order: () => readonly string[];
  readonly putInOrder: (ids: readonly string[]) => void;
}

interface Kept {
  step: UndoStep;
  readonly jobs: readonly Job[];
  readonly order: readonly string[];
}

export class FakeUndo {
  readonly #parts: FakeUndoParts;
  readonly #steps: Kept[] = [];

  constructor(parts: FakeUndoParts) {
    this.#parts = parts;
  }

  begin(command: UndoCommand): StepRecorder {
    const { now, find, idOf, order } = this.#parts;
    let id: string | null = null;
    return {
      get id() {
        return id;
      },
      change: (ids, work) => {
        const before = ids.map((each) => find(idOf(each)));
        const orderBefore = order();
        work();
        const jobs = before.filter((job) => find(job.id) !== job);
        const isMoved = orderBefore.join() !== order().join();
        if (jobs.length === 0 && !isMoved) return;
        const last = this.#steps.find(({ step }) => step.id === id);
        id ??= String(this.#steps.length + 1);
        const kept = [...(last?.jobs ?? []), ...jobs];
        const step = { id, command, at: now(), jobs: kept.length, undoneAt: null };
        const entry = { step, jobs: kept, order: last?.order ?? orderBefore };
        if (last) this.#steps.splice(this.#steps.indexOf(last), 1);
        this.#steps.push(entry);
      },
      add: () => undefined,
    };
  }

  get commands(): Pick<Commands['jobs'], 'undo' | 'undoSteps'> {
    return {
      undoSteps: () => this.#steps.map(({ step }) => step).toReversed(),
      undo: ({ step: id }) => {
        const kept = this.#steps.find(({ step }) => step.id === id);
        if (kept === undefined || kept.step.undoneAt !== null)
          throw new NotPossibleNowError(userMessage('undo-no-step'));
        for (const job of kept.jobs) this.#parts.change([job.id], job);
        if (kept.step.command === 'move') this.#parts.putInOrder(kept.order);
        kept.step = { ...kept.step, undoneAt: this.#parts.now() };
        return { command: kept.step.command, changed: kept.jobs.length, refused: [] };
      },
    };
  }
}
