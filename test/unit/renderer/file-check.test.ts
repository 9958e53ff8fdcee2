import { expect, it } from 'vitest';
import type { FileIssue, Verification } from '../../../src/contract/files.ts';
import { Commands } from '../../../src/renderer/state/commands.svelte.ts';
import { FileCheck } from '../../../src/renderer/state/file-check.svelte.ts';
import { Toasts } from '../../../src/renderer/state/toasts.svelte.ts';
import { en } from '../../../src/renderer/texts/en.ts';
import { fakeEngine } from '../../rigs/fake-client.ts';
import { notPressed } from '../../rigs/fake-pointer.ts';

const damaged = (title: string): FileIssue => ({
  id: title,
  title,
  path: `/${title}.mp4`,
  found: 'damaged',
  why: { sentence: 'file-changed' } as unknown as FileIssue['why'],
});

const update = (checkedFiles: number, errors: readonly FileIssue[] = []): Verification => ({
  checkedFiles,
  totalFiles: 3,
  checkedBytes: checkedFiles,
  totalBytes: 3,
  errors: [...errors],
  recovered: 0,
});

/** A check whose updates the test sends; it ends when its signal is aborted, as the engine's does. */
function checking() {
  const { client } = fakeEngine({ states: [] }, 0);
  const runs: { send: (update: Verification) => void; end: () => void; signal: AbortSignal }[] = [];
  const verify = (_input: unknown, { signal }: { signal: AbortSignal }) => {
    const stream = new ReadableStream<Verification>({
      start(controller) {
        signal.addEventListener('abort', () => controller.error(signal.reason));
        runs.push({
          send: (next) => controller.enqueue(next),
          end: () => controller.close(),
          signal,
        });
      },
    });
    return Promise.resolve(stream);
  };
  Object.assign(client.files, { verify });
  const toasts = new Toasts(notPressed, 60_000);
  const commands = new Commands(client, toasts, () => en);
  return {
    check: new FileCheck(commands, toasts, () => en),
    runs,
    shown: () => toasts.shown.map(({ text }) => text),
  };
}

it('reports the errors of all updates at the end', async () => {
  const { check, runs, shown } = checking();
  const checked = check.run();
  runs[0]!.send(update(1, [damaged('One')]));
  runs[0]!.send(update(2));
  await expect.poll(() => check.progress?.checkedFiles).toBe(2);
  runs[0]!.send(update(3, [damaged('Three')]));
  runs[0]!.end();
  await checked;
  expect(check.progress).toBeNull();
  await expect.poll(shown).toEqual([en.saved.invalid(2, 3)]);
});

it('ends when another check starts, which alone is shown and reported', async () => {
  const { check, runs, shown } = checking();
  const first = check.run();
  runs[0]!.send(update(1, [damaged('One')]));
  await expect.poll(() => check.progress?.checkedFiles).toBe(1);
  const second = check.run(['job-1']);
  expect(runs[0]!.signal.aborted).toBe(true);
  runs[1]!.send(update(2));
  await first;
  await expect.poll(() => check.progress?.checkedFiles).toBe(2);
  runs[1]!.end();
  await second;
  await expect.poll(shown).toEqual([en.saved.whole(2, 0)]);
});

it('reports nothing once it is stopped', async () => {
  const { check, runs, shown } = checking();
  const checked = check.run();
  runs[0]!.send(update(1, [damaged('One')]));
  await expect.poll(() => check.progress?.checkedFiles).toBe(1);
  check.stop();
  await checked;
  await new Promise((resolve) => setImmediate(resolve));
  expect([check.progress, shown()]).toEqual([null, []]);
});
