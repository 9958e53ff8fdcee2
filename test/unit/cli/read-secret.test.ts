import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { readSecret } from '../../../src/cli/read-secret.ts';

/** A terminal, or a pipe, and what is written to the screen. */
function terminal(isTTY: boolean) {
  const input = new PassThrough();
  const modes: boolean[] = [];
  Object.assign(input, {
    isTTY,
    setRawMode: (mode: boolean) => {
      modes.push(mode);
      return input;
    },
  });
  const screen = new PassThrough();
  const secret = readSecret('API key: ', input as never, screen as never);
  const shown = (): string => String(screen.read() ?? '');
  return { input, modes, secret, shown };
}

test.each([
  ['with Enter', 'svc_live_1\r'],
  ['in pieces, as a slow user types it', 's', 'vc_live', '_1', '\n'],
  ['with a correction', 'svc_live_22\u007f\b1\r'],
  ['with spaces around it, as they are pasted', '  svc_live_1 \r'],
  ['with the end of input', 'svc_live_1\u0004'],
  ['before more input', 'svc_live_1\rls\r'],
])('a secret is typed without echo: %s', async (_, ...chunks) => {
  const { input, modes, secret, shown } = terminal(true);
  for (const chunk of chunks) input.write(chunk);
  expect(await secret).toBe('svc_live_1');
  expect(shown()).toBe('API key: \n');
  // Otherwise the shell would show nothing that the user types.
  expect(modes).toEqual([true, false]);
  expect(input.isPaused()).toBe(true);
});

test('a command ends as interrupted after Ctrl-C, which a terminal passes as a character', async () => {
  const { input, modes, secret, shown } = terminal(true);
  input.write('svc_live_1\u0003');
  const error: unknown = await secret.catch((reason: unknown) => reason);
  expect(error).toMatchObject({ name: 'AbortError', exitCode: 130 });
  expect(modes).toEqual([true, false]);
  expect(shown()).toBe('API key: \n');
});

test.each([
  ['Enter alone', '\r'],
  ['spaces', '  \r'],
])('no secret is taken after %s', async (_, typed) => {
  const { input, modes, secret } = terminal(true);
  input.write(typed);
  expect(await secret).toBeNull();
  expect(modes).toEqual([true, false]);
});

test.each([
  ['svc_live_1\n', 'svc_live_1'],
  ['\n', null],
])('a secret is read from a pipe without a prompt: %j', async (piped, read) => {
  const { input, modes, secret, shown } = terminal(false);
  input.end(piped);
  expect(await secret).toBe(read);
  expect(shown()).toBe('');
  expect(modes).toEqual([]);
});
