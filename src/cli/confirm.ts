/** Asks before something that cannot be undone. */
import { createInterface } from 'node:readline/promises';
import type { CommandContext } from './command-context.ts';
import { Interruption } from './exit-codes.ts';

/**
 * Asks on a terminal. Without a terminal, the answer is no.
 *
 * @param question with its question mark
 * @throws {Interruption} when it is interrupted before the answer
 */
export async function isConfirmed(
  question: string,
  { stdin, stderr, interrupted }: CommandContext,
): Promise<boolean> {
  if (!stdin.isTTY) return false;
  const terminal = createInterface({ input: stdin, output: stderr });
  const cancelled = new AbortController();
  // While a line is read, the terminal reports Ctrl-C as a character, not as a signal.
  terminal.once('SIGINT', () => cancelled.abort(new Interruption('SIGINT')));
  const signal = AbortSignal.any([interrupted, cancelled.signal]);
  try {
    const answer = await terminal.question(`${question} [y/N] `, { signal });
    return /^y(?:es)?$/i.test(answer.trim());
  } catch {
    signal.throwIfAborted();
    // Ctrl-D: the input ended without an answer, on the line of the question.
    stderr.write('\n');
    return false;
  } finally {
    terminal.close();
  }
}
