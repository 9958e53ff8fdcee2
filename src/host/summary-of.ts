import type { Client } from '../contract/contract.ts';
import type { Summary } from '../contract/summary.ts';

/** The current summary of a queue. */
export async function summaryOf(client: Client): Promise<Summary> {
  for await (const { summary } of await client.watch({})) return summary;
  throw new Error('A watch ended before its first update.');
}
