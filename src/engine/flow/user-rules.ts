import { z } from 'zod';
import type { AnswerRules } from '../../contract/answer-rules.ts';
import { remoteStateSchema, type RemoteState } from '../../contract/job.ts';
import type { KeyValueStore } from '../jobs/key-value-store.ts';
import { defineStatusWord } from '../service/vocabularies.ts';

const NOTE = 'taught-words';

const userWordsSchema = z.record(z.string(), remoteStateSchema);

/** A profile's rules, extended by what the user has defined about the service's words. */
export class UserRules {
  /** Private to this engine; a word is added when the user defines it. */
  readonly rules: AnswerRules;
  readonly #notes: KeyValueStore;

  constructor(rules: AnswerRules, notes: KeyValueStore) {
    this.#notes = notes;
    this.rules = { ...rules, words: { ...rules.words, ...this.#userWords() } };
  }

  /** From the next response on. */
  define(word: string, means: RemoteState): void {
    const { words } = defineStatusWord({ ...this.rules, words: this.#userWords() }, word, means);
    this.#notes.write(NOTE, words);
    this.rules.words = { ...this.rules.words, ...words };
  }

  #userWords(): z.infer<typeof userWordsSchema> {
    return this.#notes.read(NOTE, userWordsSchema) ?? {};
  }
}
