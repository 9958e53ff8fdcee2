import { Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { useOnce } from '../../../../src/engine/service/open-socket.ts';

const TO = { hostname: 'service.example', protocol: 'https:', port: '' };

/** Connects as undici does for each request; resolves with the socket or the error. */
function connectorOf(socket: Socket): () => Promise<unknown> {
  onTestFinished(() => void socket.destroy());
  const connect = useOnce(socket);
  return () =>
    new Promise((resolve) => connect(TO, (error, connected) => resolve(error ?? connected)));
}

test('a connection is for one request: a second one gets none', async () => {
  const socket = new Socket();
  const connect = connectorOf(socket);

  expect(await connect()).toBe(socket);
  expect(await connect()).toMatchObject({ code: 'ECONNRESET' });
});

test('a connection that is gone before its request is not used', async () => {
  const socket = new Socket();
  const connect = connectorOf(socket);
  socket.destroy();

  expect(await connect()).toMatchObject({ code: 'ECONNRESET' });
});
