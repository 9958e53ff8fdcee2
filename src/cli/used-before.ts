/** The choices of the last file like this one: found in the queue, and in words. */
import type { BatchOptions, BatchSource, UsedBefore } from '../contract/batch.ts';
import type { CommandContext } from './command-context.ts';
import { plainText } from './display/safe-text.ts';
import { openReadOnlyQueue, withQueue } from './open-queue.ts';
import type { QueueSettings } from './queue-settings.ts';

/** @returns those of the first file that is like an earlier one */
export async function usedBefore(
  sources: readonly BatchSource[],
  settings: QueueSettings,
  context: CommandContext,
): Promise<UsedBefore | null> {
  const queue = await openReadOnlyQueue(settings, context);
  return withQueue(queue, async ({ client }) => {
    for (const { name } of sources) {
      const used = await client.batches.recall({ name });
      if (used !== null) return used;
    }
    return null;
  });
}

const WORDS: Readonly<Record<keyof UsedBefore['options'], string>> = {
  columns: 'columns',
  template: 'request template',
  nameTemplate: 'file names',
  folder: 'folder',
  onCollision: 'what to do with existing files',
  duplicates: 'what to do with duplicates',
  reading: 'how the table is read',
};

export function asBeforeText({ pattern, file, options }: UsedBefore): string {
  const names = Object.keys(options) as (keyof typeof WORDS)[];
  return `As for ${plainText(pattern)} (${plainText(file)}): ${wordsOf(names)}.`;
}

/** What else was chosen for the earlier file; `null` if it is the same now. */
export function hintText({ file, options }: UsedBefore, now: BatchOptions): string | null {
  const names = Object.keys(options) as (keyof typeof WORDS)[];
  const others = names.filter(
    (name) => JSON.stringify(options[name]) !== JSON.stringify(now[name]),
  );
  if (others.length === 0) return null;
  return `${plainText(file)} was added with other choices (${wordsOf(others)}). To use them again, add --as-before.`;
}

function wordsOf(names: readonly (keyof typeof WORDS)[]): string {
  return names.map((name) => WORDS[name]).join(', ');
}
