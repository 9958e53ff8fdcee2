import { foldWord, type AnswerRules } from '../../contract/answer-rules.ts';
import type { RemoteState } from './outcomes.ts';

/** The rules with one more word, or another meaning for one that they had. */
export function defineStatusWord(
  rules: AnswerRules,
  word: string,
  means: RemoteState,
): AnswerRules {
  return { ...rules, words: { ...rules.words, [foldWord(word)]: means } };
}
