import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/message-port';
import { isContractProcedure } from '@orpc/contract';
import { os } from '@orpc/server';
import { describe, expect, it, onTestFinished } from 'vitest';
import { contract, type Client } from '../../../src/contract/contract.ts';
import { serveMessagePort } from '../../../src/host/serve-contract.ts';
import type { Router } from '../../../src/host/router.ts';
import { openIdleEngine } from '../../rigs/idle-engine.ts';
import { temporaryFolder } from '../../rigs/temporary-folder.ts';
import { addBatch } from '../../rigs/add-batch.ts';

const batch = { name: 'week.csv', content: 'title\nOne\nTwo\n' };

/** Two clients of one engine: in this process, and over a message port. */
async function clients() {
  const { router, client, engine } = await openIdleEngine(temporaryFolder());
  const { port1, port2 } = new MessageChannel();
  const defects: unknown[] = [];
  serveMessagePort(router, port1, (error) => defects.push(error));
  port1.start();
  port2.start();
  onTestFinished(() => {
    port1.close();
    port2.close();
  });
  const overPort: Client = createORPCClient(new RPCLink({ port: port2 }));
  return { engine, inProcess: client, overPort, port: port2, defects };
}

type Call = (input: unknown, options: { signal: AbortSignal }) => Promise<unknown>;

/** Every call of the contract. */
function calls(client: Client): readonly Call[] {
  const pick = (path: readonly string[]): unknown =>
    path.reduce((part: unknown, name) => (part as Record<string, unknown>)[name], client);
  return Object.entries(contract).flatMap(([name, part]) =>
    isContractProcedure(part)
      ? [pick([name]) as Call]
      : Object.keys(part).map((inner) => pick([name, inner]) as Call),
  );
}

/** A call's first result: a value, a stream's first item or an error. */
async function firstResult(call: Call, input: unknown): Promise<string> {
  const signal = AbortSignal.timeout(50);
  try {
    const answer = await call(input, { signal });
    const isStream = typeof answer === 'object' && answer !== null && 'next' in answer;
    const said = isStream ? await (answer as AsyncGenerator).next() : answer;
    return JSON.stringify(said ?? null);
  } catch (error) {
    return JSON.stringify({ ...(error as object), message: String(error) });
  }
}

describe('the contract', () => {
  it('returns the same in process and over a message port', async () => {
    const { inProcess, overPort, defects } = await clients();
    const { jobIds } = await addBatch(overPort, { source: batch });
    expect(jobIds).toHaveLength(2);
    expect(await overPort.jobs.list({})).toEqual(await inProcess.jobs.list({}));
    expect(defects).toEqual([]);
  });

  it('sends a watcher others’ changes, and stops when the watcher does', async () => {
    const { inProcess, overPort } = await clients();
    const stop = new AbortController();
    const updates = await overPort.watch({}, { signal: stop.signal });
    await updates.next();
    const { origin } = await inProcess.profile.get();
    await inProcess.queue.pause({ origin });
    for await (const { summary } of updates) {
      if (summary.flow.state === 'paused') break;
    }
    expect(await updates.next()).toMatchObject({ done: true });
  });

  it('ends the streams of a page whose port is closed', async () => {
    const { router } = await openIdleEngine(temporaryFolder());
    const ended = Promise.withResolvers<undefined>();
    async function* watch(signal: AbortSignal | undefined): AsyncGenerator {
      signal?.addEventListener('abort', () => ended.resolve(undefined), { once: true });
      yield 'first';
      await ended.promise;
    }
    const watching = os.handler(({ signal }) => watch(signal));
    const { port1, port2 } = new MessageChannel();
    onTestFinished(() => port1.close());
    serveMessagePort({ ...router, watch: watching } as object as Router, port1, () => undefined);
    port1.start();
    port2.start();
    const page: Client = createORPCClient(new RPCLink({ port: port2 }));
    const updates = await page.watch({});
    await updates.next();
    port2.close();
    await ended.promise;
  });

  it.each(['inProcess', 'overPort'] as const)('sends failures as plain data: %s', async (way) => {
    const client = (await clients())[way];
    const invalid = { name: 'bad.csv', content: 'title,aspect\nOne,3:2\n' };
    await expect(addBatch(client, { source: invalid })).rejects.toMatchObject({
      code: 'FAILED',
      data: { code: 'value-invalid', row: 2, column: 'aspect' },
    });
  });

  // abuse.md 15
  it('refuses a call of 100 MB and one of junk by its schema, and continues', async () => {
    const { overPort, defects } = await clients();
    const refused = { code: 'BAD_REQUEST' };
    const huge = { name: 'huge.csv', content: 'x'.repeat(100_000_000) };
    await expect(overPort.batches.plan({ source: huge })).rejects.toMatchObject(refused);
    const junk = JSON.parse('{"ids":[{"__proto__":{"polluted":1}}],"constructor":1}') as never;
    await expect(overPort.computer.dragOut(junk)).rejects.toMatchObject(refused);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    expect(await overPort.jobs.list({})).toMatchObject({ total: 0 });
    expect(defects).toEqual([]);
  });

  // abuse.md 15
  it('reports junk messages once, in one line, and answers the other calls', async () => {
    const { overPort, port, defects } = await clients();
    for (const junk of ['', '{', 'null', null, 1e12, [], {}, { i: 1 }, { i: '1', p: { u: 7 } }]) {
      port.postMessage(junk);
    }
    expect(await overPort.jobs.list({})).toMatchObject({ total: 0 });
    expect(defects).toHaveLength(1);
    expect(String(defects[0])).toMatch(/^A client sent a message that cannot be read: .{1,200}$/);
  });

  // abuse.md 16
  it('reveals the key in none of its calls', async () => {
    const { inProcess, overPort } = await clients();
    const key = 'svc_live_0123456789abcdefghij';
    const { origin } = await overPort.key.check();
    expect(await overPort.key.set({ origin, value: key })).toMatchObject({ lastFour: 'ghij' });
    const { jobIds } = await addBatch(overPort, { source: batch });
    const [id] = jobIds;
    const answers: string[] = [];
    for (const call of calls(inProcess)) {
      for (const input of [undefined, {}, { id }, { ids: [id] }, { value: '' }, { origin: key }]) {
        answers.push(await firstResult(call, input));
      }
    }
    expect(answers.length).toBeGreaterThan(100);
    expect(answers.join('\n')).toContain('ghij');
    expect(answers.join('\n')).not.toContain(key.slice(0, -4));
  });

  it('hides the details of a defect from clients, and reports it', async () => {
    const { engine, overPort, defects } = await clients();
    await engine.close();
    const refusal: unknown = await overPort.jobs.list({}).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: 'INTERNAL_SERVER_ERROR' });
    expect(JSON.stringify(refusal)).not.toMatch(/database|sqlite/i);
    expect(defects).toHaveLength(1);
  });
});
