import { text } from 'node:stream/consumers';
import { Interruption } from './exit-codes.ts';

const ENTER = ['\r', '\n'];
const END_OF_INPUT = '\u0004';
const CTRL_C = '\u0003';
const BACKSPACE = ['\b', '\u007f'];

/**
 * Reads a secret from a terminal without echo, or from standard input if that is not a terminal.
 * `null` when there is none.
 *
 * @throws {Interruption}
 */
export async function readSecret(
  prompt: string,
  input: NodeJS.ReadStream,
  output: NodeJS.WriteStream,
): Promise<string | null> {
  if (!input.isTTY) return (await text(input)).trim() || null;
  output.write(prompt);
  input.setRawMode(true).setEncoding('utf8');
  try {
    return (await readTyped(input)).trim() || null;
  } finally {
    input.setRawMode(false).pause();
    output.write('\n');
  }
}

/**
 * What is typed until Enter.
 *
 * @throws {Interruption} after Ctrl-C, which is a character here
 */
async function readTyped(input: NodeJS.ReadStream): Promise<string> {
  let secret = '';
  for await (const chunk of input) {
    for (const character of String(chunk)) {
      if (character === CTRL_C) throw new Interruption('SIGINT');
      if (ENTER.includes(character) || character === END_OF_INPUT) return secret;
      secret = BACKSPACE.includes(character) ? secret.slice(0, -1) : secret + character;
    }
  }
  return secret;
}
