import { z } from 'zod';
import { remoteStateSchema, type RemoteStateWord } from '../contract/job.ts';
import type { Notes } from './jobs/notes.ts';
import type { AnswerRules } from '../contract/answer-rules.ts';
import { teach } from './service/teach.ts';

const NOTE = 'taught-words';

const taughtSchema = z.record(z.string(), remoteStateSchema);

/** A profile's rules and what this engine's user has taught it about the service's words. */
export class TaughtRules {
  /** Of this engine alone; its words grow when one is taught. */
  readonly rules: AnswerRules;
  readonly #notes: Notes;

  constructor(rules: AnswerRules, notes: Notes) {
    this.#notes = notes;
    this.rules = { ...rules, words: { ...rules.words, ...this.#taught() } };
  }

  /** From the next answer on. */
  teach(word: string, means: RemoteStateWord): void {
    const { words } = teach({ ...this.rules, words: this.#taught() }, word, means);
    this.#notes.write(NOTE, words);
    this.rules.words = { ...this.rules.words, ...words };
  }

  #taught(): z.infer<typeof taughtSchema> {
    return this.#notes.read(NOTE, taughtSchema) ?? {};
  }
}
