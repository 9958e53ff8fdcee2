import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import type { Journal } from './journal.ts';

/** A test's request to the process of the stand-in. */
export const askedSchema = z.object({
  id: z.int(),
  /**
   * `journal`, `browser` (where its debugger listens), `click-notification` (of a title), or a
   * function's source.
   */
  ask: z.string(),
  argument: z.unknown(),
});

export type Asked = z.infer<typeof askedSchema>;

/** The response; exactly one of the two properties besides the id. */
export const answeredSchema = z.object({
  id: z.int(),
  value: z.unknown(),
  error: z.string().optional(),
});

/** Answers the test that started this process; does nothing without one. */
export function answerTests(
  journal: Journal,
  chromiumFolder: () => string,
  clickNotification: (title: string) => Promise<void>,
  electron: object,
): void {
  process.on('message', (message) => {
    const { id, ask, argument } = askedSchema.parse(message);
    const answered =
      ask === 'click-notification'
        ? clickNotification(String(argument))
        : answerTo(ask, argument, journal, chromiumFolder, electron);
    void answered.then(
      (value) => process.send?.({ id, value: value ?? null }),
      (error: unknown) => process.send?.({ id, value: null, error: String(error) }),
    );
  });
}

// Runs at once; an error rejects the promise.
// eslint-disable-next-line @typescript-eslint/require-await
async function answerTo(
  ask: string,
  argument: unknown,
  journal: Journal,
  chromiumFolder: () => string,
  electron: object,
): Promise<unknown> {
  switch (ask) {
    case 'journal':
      return journal.entries;
    case 'browser':
      return readFileSync(path.join(chromiumFolder(), 'DevToolsActivePort'), 'utf8').split('\n')[0];
    default: {
      // As Playwright does with real Electron: the function's source, run where Electron is.
      const run = (0, eval)(`(${ask})`) as (electron: object, argument: unknown) => unknown;
      return run(electron, argument);
    }
  }
}
