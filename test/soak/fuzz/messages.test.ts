import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/websocket';
import { expect, it, onTestFinished } from 'vitest';
import type { WebSocket } from 'ws';
import type { Client } from '../../../src/contract/contract.ts';
import { serveWebSocket } from '../../../src/host/serve-contract.ts';
import { RunNames } from '../../../src/host/run-names.ts';
import { serveApp } from '../../../src/host/web-host.ts';
import { openIdleEngine } from '../../rigs/idle-engine.ts';
import { temporaryFolder } from '../../rigs/temporary-folder.ts';
import { openLink, openRpc } from '../../rigs/web-session.ts';
import { UNUSABLE_LENGTH, readGenerated } from './fuzz.ts';
import { ofJson, withEachReplaced } from './mutations.ts';

it('a page that sends invalid messages does not disturb other pages', async () => {
  const folder = temporaryFolder();
  const { router, client } = await openIdleEngine(folder);
  const defects: unknown[] = [];
  const app = await serveApp({
    client,
    pageFolder: folder,
    names: new RunNames(randomBytes(32)),
    answer: (page) => serveWebSocket(router, page, (error) => defects.push(error)),
  });
  onTestFinished(() => app.close());
  const session = await openLink(app.createLink().link);

  async function connect(): Promise<WebSocket> {
    const socket = openRpc(session);
    await once(socket, 'open');
    return socket;
  }
  const friendly = await connect();
  onTestFinished(() => friendly.terminate());
  const { sent, others } = await recordingClient(friendly);

  await readGenerated('messages of a page', {
    seeds: [...sent, ...sent.flatMap((message) => withEachReplaced(message, UNUSABLE_LENGTH))],
    mutations: ofJson,
    tokens: ['{"i":"1"', '"t":1', '"p":{', '"u":"/jobs/list"', '"b":{"json":', '"meta":[', '"h":'],
    async parse(bytes) {
      const socket = await connect();
      try {
        socket.send(bytes.toString('utf8'));
        socket.send(bytes, { binary: true });
        socket.ping();
        await Promise.race([once(socket, 'pong'), once(socket, 'close')]);
      } finally {
        socket.terminate();
      }
      return others.settings.get();
    },
    check: (view) => {
      expect(view.settings.language).toBe('system');
      // A message that cannot be read is reported as a line of text.
      expect(defects.filter((defect) => typeof defect !== 'string')).toEqual([]);
    },
    runs: 100,
    largest: 0,
  });
});

/** A client, and the messages that some of its calls sent. */
async function recordingClient(
  socket: WebSocket,
): Promise<{ sent: readonly Buffer[]; others: Client }> {
  const sent: Buffer[] = [];
  const send = socket.send.bind(socket);
  socket.send = (message: Parameters<WebSocket['send']>[0]) => {
    sent.push(Buffer.from(message as string | Buffer));
    send(message);
  };
  const others: Client = createORPCClient(
    new RPCLink({ websocket: socket as unknown as globalThis.WebSocket }),
  );
  await others.settings.get();
  await others.jobs.list({ states: ['queued'], limit: 5 });
  await others.batches.plan({ source: { name: 'a.csv', content: 'title\nOne' } });
  await others.settings.set({ folder: 'nowhere' });
  const updates = await others.watch({});
  await updates.next();
  await updates.return();
  socket.send = send;
  return { sent, others };
}
