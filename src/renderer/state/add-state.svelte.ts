import type {
  AddedBatch,
  BatchOptions,
  BatchPlan,
  BatchSource,
  Collision,
} from '../../contract/batch.ts';
import type { Client } from '../../contract/contract.ts';
import type { Failure } from '../../contract/failure.ts';
import { failureOf } from '../connection/failure-of.ts';

/** The contract takes 16 MiB of text. */
const LARGEST_TEXT = 16 * 1024 * 1024;

/** Where adding a batch stands. Nothing is stored or spent before `add`. */
export type AddStep =
  | { readonly step: 'choose'; readonly problem: AddProblem | null }
  | { readonly step: 'checking'; readonly source: BatchSource }
  | {
      readonly step: 'checked';
      readonly source: BatchSource;
      readonly plan: BatchPlan;
      readonly adding: boolean;
      readonly problem: AddProblem | null;
    };

export type AddProblem =
  | { readonly kind: 'failure'; readonly failure: Failure }
  | { readonly kind: 'lost' | 'too-large' | 'not-text' };

/** A batch on its way from a file or a paste to the queue, by way of a plan its owner sees. */
export class AddState {
  now = $state.raw<AddStep>({ step: 'choose', problem: null });
  folder = $state('');
  nameTemplate = $state('');
  onCollision = $state<Collision>('number');

  readonly #client: Client;
  #turn = 0;

  constructor(client: Client) {
    this.#client = client;
  }

  startOver(): void {
    this.#turn += 1;
    this.now = { step: 'choose', problem: null };
  }

  async takeFile(file: File): Promise<void> {
    if (file.size > LARGEST_TEXT) {
      this.now = { step: 'choose', problem: { kind: 'too-large' } };
      return;
    }
    const content = await file.text();
    if (content.includes('\0')) {
      this.now = { step: 'choose', problem: { kind: 'not-text' } };
      return;
    }
    await this.check({ name: file.name, content });
  }

  /** Reads and forecasts a batch; also called again when an option changes. */
  async check(source: BatchSource): Promise<void> {
    const turn = (this.#turn += 1);
    if (this.now.step !== 'checked') this.now = { step: 'checking', source };
    try {
      const plan = await this.#client.batches.plan({ source, options: this.#options() });
      if (turn === this.#turn) {
        this.now = { step: 'checked', source, plan, adding: false, problem: null };
      }
    } catch (error) {
      if (turn === this.#turn) this.now = { step: 'choose', problem: problemOf(error) };
    }
  }

  /** Queues the batch that was checked. `null` when it could not; the step then says why. */
  async add(): Promise<AddedBatch | null> {
    const checked = this.now;
    if (checked.step !== 'checked' || checked.adding) return null;
    this.now = { ...checked, adding: true, problem: null };
    try {
      const added = await this.#client.batches.add({
        source: checked.source,
        options: this.#options(),
      });
      this.startOver();
      return added;
    } catch (error) {
      this.now = { ...checked, adding: false, problem: problemOf(error) };
      return null;
    }
  }

  #options(): BatchOptions {
    return {
      ...(this.folder.trim() === '' ? {} : { folder: this.folder.trim() }),
      ...(this.nameTemplate.trim() === '' ? {} : { nameTemplate: this.nameTemplate.trim() }),
      onCollision: this.onCollision,
    };
  }
}

function problemOf(error: unknown): AddProblem {
  const failure = failureOf(error);
  return failure === null ? { kind: 'lost' } : { kind: 'failure', failure };
}
