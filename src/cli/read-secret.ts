import { text } from 'node:stream/consumers';

const ENTER = ['\r', '\n'];
const END_OF_INPUT = '\u0004';
const CTRL_C = '\u0003';
const BACKSPACE = ['\b', '\u007f'];

/**
 * Asks for a secret on a terminal without showing what is typed, or reads it from standard input
 * where that is not a terminal. `null` when whoever was asked gave up.
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
    return (await typed(input)).trim() || null;
  } finally {
    input.setRawMode(false).pause();
    output.write('\n');
  }
}

/** What is typed until Enter; nothing when it was ended by Ctrl-C. */
async function typed(input: NodeJS.ReadStream): Promise<string> {
  let secret = '';
  for await (const chunk of input) {
    for (const character of String(chunk)) {
      if (character === CTRL_C) return '';
      if (ENTER.includes(character) || character === END_OF_INPUT) return secret;
      secret = BACKSPACE.includes(character) ? secret.slice(0, -1) : secret + character;
    }
  }
  return secret;
}
