import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { open } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { census, leftSince } from '../rigs/left-open.ts';
import { temporaryFolder } from '../rigs/temporary-folder.ts';

/** Not by `expect.poll`: the timers that it waits with would be found. */
async function expectNothingLeft(before: ReturnType<typeof census>): Promise<void> {
  for (let looks = 0; looks < 500 && leftSince(before).length > 0; looks++) await delay(20);
  expect(leftSince(before)).toEqual([]);
}

// What another file of the same worker has begun, such as Node's reading of the system's certificates,
// may come and go meanwhile: each looks for its own thing, and waits for the end of all.
test('sees a server until it is closed', async () => {
  const before = census();
  const server = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  expect(leftSince(before)).toContain('TCPServerWrap');
  server.close();
  await expectNothingLeft(before);
});

test.runIf(process.platform === 'linux')('sees a server on a Unix socket', async () => {
  const path = join(temporaryFolder(), 'socket');
  const before = census();
  const server = createServer().listen(path);
  await once(server, 'listening');
  expect(leftSince(before)).toContain(`server ${path}`);
  server.close();
  await expectNothingLeft(before);
});

test('sees timers, and not those that keep nothing alive', async () => {
  const before = census();
  const timers = [setTimeout(() => undefined, 60_000), setInterval(() => undefined, 60_000)];
  const quiet = setTimeout(() => undefined, 60_000).unref();
  expect(leftSince(before)).toContain('Timeout × 2');
  for (const timer of [...timers, quiet]) clearTimeout(timer);
  await expectNothingLeft(before);
});

test('sees a variable of the environment until it is as before', async () => {
  const before = census();
  process.env.SPOOL_LEFT_OPEN = '1';
  onTestFinished(() => void delete process.env.SPOOL_LEFT_OPEN);
  expect(leftSince(before)).toContain('variable SPOOL_LEFT_OPEN=1');
  delete process.env.SPOOL_LEFT_OPEN;
  await expectNothingLeft(before);
});

test.runIf(process.platform === 'linux')('sees an open file', async () => {
  const path = join(temporaryFolder(), 'film.mp4');
  const before = census();
  const file = await open(path, 'w');
  expect(leftSince(before)).toContain(`file ${path}`);
  await file.close();
  await expectNothingLeft(before);
});

test.runIf(process.platform === 'linux')('sees a process until it has ended', async () => {
  const before = census();
  const child = spawn('sleep', ['60'], { stdio: 'ignore' });
  onTestFinished(() => void child.kill());
  expect(leftSince(before)).toContain(`process ${child.pid} (sleep 60)`);
  child.kill();
  await once(child, 'exit');
  await expectNothingLeft(before);
});
