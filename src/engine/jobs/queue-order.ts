import { POSITION_STEP } from './job-store.ts';
import { STATE_GROUPS } from '../../contract/job-states.ts';
import { ServiceTables, type Transactions } from './transactions.ts';
import type { UndoLog } from './undo-log.ts';

/** The order of rows in the queue: by priority, then by position. */
export class QueueOrder extends ServiceTables {
  readonly #undo: Pick<UndoLog, 'shiftPlaces'>;

  constructor(database: Transactions, serviceId: number, undo: Pick<UndoLog, 'shiftPlaces'>) {
    super(database, serviceId);
    this.#undo = undo;
  }

  /**
   * Moves rows, in their present order, right before another row, or to the end of the queue. They
   * get that row's priority, or at the end the lowest of all unsent rows, because rows are sorted
   * by priority first.
   */
  move(ids: readonly number[], before: number | null): void {
    this.database.write(() => {
      const moving = this.#inOrder(ids);
      if (before === null) {
        this.#lowerPriority(moving);
        this.#place(moving, this.#last(), POSITION_STEP);
        return;
      }
      const priority = this.database.number('SELECT priority FROM job WHERE id = ?', before);
      for (const id of moving) this.setPriority([id], priority);
      this.#placeBefore(this.#positionOf(before), moving);
    });
  }

  /** Puts a row where it was: at a position, or right before the row that has it now. */
  putBack(id: number, position: number): void {
    this.database.write(() => {
      const isTaken = this.database.get(
        'SELECT 1 FROM job WHERE service_id = ? AND position = ? AND id <> ?',
        this.serviceId,
        position,
        id,
      );
      if (isTaken === undefined) this.#place([id], position - POSITION_STEP, POSITION_STEP);
      else this.#placeBefore(position, [id]);
    });
  }

  setPriority(ids: readonly number[], priority: number): void {
    this.database.write(() => {
      for (const id of ids) {
        this.database.run('UPDATE job SET priority = ? WHERE id = ?', priority, id);
      }
    });
  }

  /** Sets it to the lowest priority of the other unsent rows. */
  #lowerPriority(ids: readonly number[]): void {
    const moving = JSON.stringify(ids);
    this.database.run(
      `UPDATE job SET priority = min(priority, coalesce(
          (SELECT min(priority) FROM job WHERE service_id = ?1
            AND archived_at IS NULL AND state IN (SELECT value FROM json_each(?2))
            AND id NOT IN (SELECT value FROM json_each(?3))), priority))
        WHERE id IN (SELECT value FROM json_each(?3))`,
      this.serviceId,
      JSON.stringify(STATE_GROUPS.unsent),
      moving,
    );
  }

  #inOrder(ids: readonly number[]): number[] {
    return this.database
      .all(
        `SELECT id FROM job WHERE id IN (SELECT value FROM json_each(?)) AND +service_id = ?
          ORDER BY +priority DESC, +position`,
        JSON.stringify(ids),
        this.serviceId,
      )
      .map(({ id }) => Number(id));
  }

  #last(): number {
    return this.database.number(
      'SELECT max(position) FROM job WHERE service_id = ?',
      this.serviceId,
    );
  }

  #positionOf(id: number): number {
    return this.database.number('SELECT position FROM job WHERE id = ?', id);
  }

  /** Between the row at a position and the one before it. */
  #placeBefore(end: number, moving: readonly number[]): void {
    const gap = this.#roomBefore(end, moving);
    const { after, step } = gap.step < 1 ? this.#makeRoom(end, moving) : gap;
    this.#place(moving, after, step);
  }

  /** The position that new neighbours follow, and the distance between them. */
  #roomBefore(end: number, moving: readonly number[]): { after: number; step: number } {
    const after = this.database.number(
      `SELECT coalesce(max(position), 0) FROM job WHERE service_id = ? AND position < ?
        AND id NOT IN (SELECT value FROM json_each(?))`,
      this.serviceId,
      end,
      JSON.stringify(moving),
    );
    return { after, step: Math.floor((end - after) / (moving.length + 1)) };
  }

  /** There are more rows than fit between the neighbours: the jobs from there on move back. */
  #makeRoom(end: number, moving: readonly number[]): { after: number; step: number } {
    const by = (moving.length + 1) * POSITION_STEP;
    this.database.run(
      'UPDATE job SET position = position + ? WHERE service_id = ? AND position >= ?',
      by,
      this.serviceId,
      end,
    );
    this.#undo.shiftPlaces(end, by);
    return this.#roomBefore(end + by, moving);
  }

  #place(moving: readonly number[], after: number, step: number): void {
    moving.forEach((id, index) => {
      this.database.run('UPDATE job SET position = ? WHERE id = ?', after + (index + 1) * step, id);
    });
  }
}
