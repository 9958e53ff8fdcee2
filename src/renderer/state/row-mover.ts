import type { Commands } from './commands.svelte.ts';
import type { JobList } from './job-list.svelte.ts';
import type { Selection } from './selection.svelte.ts';

/** A queued move by a number of places, which grows with further steps of the same rows. */
interface Steps {
  readonly ids: readonly string[];
  count: number;
}

/**
 * Moves rows of the queue, one command after another. Each starts from the order that the previous
 * one left, so that no step is lost however fast keys are pressed.
 */
export class RowMover {
  readonly #list: JobList;
  readonly #selection: Selection;
  readonly #commands: Commands;
  #last: Promise<void> = Promise.resolve();
  #waiting: Steps | null = null;

  constructor(list: JobList, selection: Selection, commands: Commands) {
    this.#list = list;
    this.#selection = selection;
    this.#commands = commands;
  }

  /** Moves rows down by `count` places of the list, or up when it is negative. */
  step(ids: readonly string[], count: number): void {
    const waiting = this.#waiting;
    if (waiting !== null && waiting.ids.join() === ids.join()) {
      waiting.count += count;
      return;
    }
    const steps: Steps = { ids, count };
    this.#enqueue(async () => {
      if (this.#waiting === steps) this.#waiting = null;
      const before = await this.#rowAfter(steps);
      if (before !== undefined) await this.#commands.move(ids, before);
    });
    this.#waiting = steps;
  }

  toTop(ids: readonly string[]): void {
    this.#enqueue(() => this.#commands.moveToTop(ids));
  }

  toEnd(ids: readonly string[]): void {
    this.before(ids, null);
  }

  /** Moves rows before another one, or to the end. */
  before(ids: readonly string[], before: string | null): void {
    this.#enqueue(() => this.#commands.move(ids, before));
  }

  #enqueue(move: () => Promise<void>): void {
    this.#waiting = null;
    this.#last = this.#last.then(async () => {
      await move();
      this.#list.reload();
      await this.#list.read;
      await this.#commands.run(() => this.#selection.followCursor());
    });
  }

  /** The row before which moved rows are placed, `null` at the end; `undefined` if none move. */
  async #rowAfter({ ids, count }: Steps): Promise<string | null | undefined> {
    const places = ids.map((id) => this.#list.indexOf(id)).filter((index) => index >= 0);
    const movable = this.#list.movable();
    if (places.length === 0 || count === 0) return undefined;
    const [first, end] = [Math.min(...places), Math.max(...places) + 1];
    const isAtLimit = count < 0 ? first <= movable.first : end >= movable.end;
    if (isAtLimit) return undefined;
    const target =
      count < 0 ? Math.max(movable.first, first + count) : Math.min(movable.end, end + count);
    if (target === movable.end) return movable.hasMore ? undefined : null;
    const held = this.#list.at(target)?.id;
    if (held !== undefined) return held;
    const read = await this.#commands.run(() => this.#list.idsOf(target, target));
    return read?.[0];
  }
}
