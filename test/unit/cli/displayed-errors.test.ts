/** People read the first errors of a file and a count, programs all of them. */
import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { userMessage } from '../../../src/contract/user-message.ts';
import { JsonDisplay } from '../../../src/cli/display/json-display.ts';
import { PlainDisplay } from '../../../src/cli/display/plain-display.ts';

const ERRORS = Array.from({ length: 78 }, (_, row) => ({
  code: 'batch-unreadable' as const,
  ...userMessage('row-quote-open', { row }),
}));

function linesOf(stream: PassThrough): string[] {
  return String(stream.read()).trim().split('\n');
}

it('writes every error for programs', () => {
  const out = new PassThrough();
  new JsonDisplay(out).failed(ERRORS);
  expect(linesOf(out)).toHaveLength(78);
});

it('counts the errors that people do not read', () => {
  const [stream, errors] = [new PassThrough(), new PassThrough()];
  new PlainDisplay({ stream, errors, now: () => 0, cwd: '/' } as never).failed(ERRORS);
  expect(linesOf(errors)).toHaveLength(10);
  expect(linesOf(stream)).toEqual(['… and 68 more.']);
});
