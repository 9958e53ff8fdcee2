import { summaryOf } from '../../../src/host/summary-of.ts';
import type { Client } from '../../../src/contract/contract.ts';
import type { JobState } from '../../../src/contract/job-states.ts';
import { userMessage } from '../../../src/contract/user-message.ts';
import { clientInProcess } from '../../../src/host/router.ts';
import { EngineRig } from '../../rigs/engine-rig.ts';
import { fakeEngine } from '../../rigs/fake-client.ts';
import { routerFor } from '../../rigs/router-for.ts';

/** An implementation of the contract, with jobs in `INITIAL_STATES` and sending paused. */
export interface Subject {
  readonly client: Client;
  /** Advances the subject's clock by a moment. */
  readonly passTime: () => Promise<void>;
}

/** In queue order. */
export const INITIAL_STATES = [
  ...(['done', 'failed', 'rejected', 'uncertain'] as const),
  ...(['queued', 'queued', 'queued', 'queued', 'held', 'cancelled'] as const),
] satisfies readonly JobState[];

export const SUBJECTS: readonly [name: string, open: () => Promise<Subject>][] = [
  ['the engine', openEngine],
  ['the fake that the page’s tests use', openFake],
];

async function openEngine(): Promise<Subject> {
  const rig = await EngineRig.open();
  const client = clientInProcess(await routerFor(rig.engine, rig.folder));
  const failure = {
    code: 'outcome-unknown',
    ...userMessage('verbatim', { text: 'The connection broke.' }),
  } as const;
  const refusal = {
    code: 'service-refused',
    ...userMessage('verbatim', { text: 'It is too long.' }),
  } as const;
  const add = (titles: readonly string[]) => rig.add(titles, 'Launch week.csv');
  const until = async (title: string, state: JobState): Promise<void> => {
    const isSo = async () =>
      (await rig.jobs()).some((job) => job.title === title && job.state === state);
    await add([title]);
    await rig.until(isSo, 24 * 3_600_000);
  };
  await until('Done', 'done');
  const failed = { state: 'failed', word: 'failed', progress: null, error: null } as const;
  rig.service.nextStatus.push(failed);
  await until('Failed', 'failed');
  const response = rig.service.response(422);
  rig.service.nextGenerate.push({ kind: 'rejected', about: 'video', failure: refusal, response });
  await until('Rejected', 'rejected');
  rig.service.nextGenerate.push({ kind: 'unknown', failure, response: null });
  await until('Uncertain', 'uncertain');
  const { origin } = (await summaryOf(client)).service;
  await client.queue.pause({ origin, what: 'sending' });
  const ids = await add(['One', 'Two', 'Three', 'Four', 'Held', 'Cancelled']);
  await client.jobs.hold({ ids: [ids[4] ?? ''] });
  await client.jobs.cancel({ ids: [ids[5] ?? ''] });
  return { client, passTime: () => rig.clock.advance(1000) };
}

function openFake(): Promise<Subject> {
  const flow = { state: 'paused', what: 'sending', failure: null } as const;
  const { client } = fakeEngine({ states: INITIAL_STATES, flow }, Date.UTC(2026, 0, 5, 12));
  return Promise.resolve({ client, passTime: () => Promise.resolve() });
}
