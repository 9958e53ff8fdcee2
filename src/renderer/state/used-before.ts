import type { Client } from '../../contract/contract.ts';
import type { UsedBefore } from '../../contract/batch.ts';
import type { BatchChoices } from './batch-choices.svelte.ts';

export type ChoicesBefore = UsedBefore | null;

/** What it takes of `AddState`. */
interface Adding {
  usedBefore: ChoicesBefore;
  readonly choices: Pick<BatchChoices, 'reuse'>;
  readonly readWith: (choose: () => void) => Promise<void>;
}

/**
 * The choices with which the last file like this one was added, without those that are made already;
 * `null` if they and the service are the same now, or without an answer.
 * @param origin of the service that the file is planned for
 */
export async function choicesBefore(
  client: Client,
  name: string,
  now: UsedBefore['options'],
  origin: string,
): Promise<ChoicesBefore> {
  const used = await client.batches.recall({ name }).catch(() => null);
  if (used === null) return null;
  const others = Object.entries(used.options).filter(
    ([option, value]) => JSON.stringify(value) !== JSON.stringify(now[option as keyof typeof now]),
  );
  if (others.length === 0 && used.origin === origin) return null;
  return { ...used, options: Object.fromEntries(others) };
}

/** Makes the choices that are proposed. */
export async function useAsBefore(adding: Adding): Promise<void> {
  const { usedBefore } = adding;
  if (usedBefore === null) return;
  adding.usedBefore = null;
  await adding.readWith(() => adding.choices.reuse(usedBefore.options));
}
