import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { open } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { openResources, openedSince } from '../rigs/left-open.ts';
import { temporaryFolder } from '../rigs/temporary-folder.ts';

/** Does not use `expect.poll`, whose own timers would be found. */
async function expectNothingLeft(before: ReturnType<typeof openResources>): Promise<void> {
  for (let tries = 0; tries < 500 && openedSince(before).length > 0; tries++) await delay(20);
  expect(openedSince(before)).toEqual([]);
}

// Resources of another file in the same worker, such as Node's reading of the system's certificates,
// may come and go: each test looks for its own resource, and waits until all have ended.
test('sees a server until it is closed', async () => {
  const before = openResources();
  const server = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  expect(openedSince(before)).toContain('TCPServerWrap');
  server.close();
  await expectNothingLeft(before);
});

test.runIf(process.platform === 'linux')('sees a server on a Unix socket', async () => {
  const path = join(temporaryFolder(), 'socket');
  const before = openResources();
  const server = createServer().listen(path);
  await once(server, 'listening');
  expect(openedSince(before)).toContain(`server ${path}`);
  server.close();
  await expectNothingLeft(before);
});

test('sees timers, except those that keep nothing alive', async () => {
  const before = openResources();
  const timers = [setTimeout(() => undefined, 60_000), setInterval(() => undefined, 60_000)];
  const quiet = setTimeout(() => undefined, 60_000).unref();
  expect(openedSince(before)).toContain('Timeout × 2');
  for (const timer of [...timers, quiet]) clearTimeout(timer);
  await expectNothingLeft(before);
});

test('sees a variable of the environment until it is as before', async () => {
  const before = openResources();
  process.env.SPOOL_LEFT_OPEN = '1';
  onTestFinished(() => void delete process.env.SPOOL_LEFT_OPEN);
  expect(openedSince(before)).toContain('variable SPOOL_LEFT_OPEN=1');
  delete process.env.SPOOL_LEFT_OPEN;
  await expectNothingLeft(before);
});

test.runIf(process.platform === 'linux')('sees an open file', async () => {
  const path = join(temporaryFolder(), 'film.mp4');
  const before = openResources();
  const file = await open(path, 'w');
  expect(openedSince(before)).toContain(`file ${path}`);
  await file.close();
  await expectNothingLeft(before);
});

/** Starts a program that copies its input, and waits until it runs: until then it has no name. */
async function startCopying(
  script: string,
): Promise<ChildProcessByStdio<Writable, Readable, null>> {
  const child = spawn('sh', ['-c', script], { stdio: ['pipe', 'pipe', 'ignore'] });
  onTestFinished(() => void child.kill());
  child.stdin.write('Ready\n');
  await once(child.stdout, 'data');
  return child;
}

test.runIf(process.platform === 'linux')('sees a process until it has ended', async () => {
  const before = openResources();
  const child = await startCopying('exec cat');
  expect(openedSince(before)).toContain(`process ${child.pid} (cat)`);
  child.kill();
  await once(child, 'exit');
  await expectNothingLeft(before);
});

test.runIf(process.platform === 'linux')(
  'sees the same process after it has started another program',
  async () => {
    const child = await startCopying('read -r line; echo "$line"; read -r line; exec cat');
    const before = openResources();
    child.stdin.write('Go on\nCopy this\n');
    await once(child.stdout, 'data');
    expect(openedSince(before).join()).not.toContain(`process ${child.pid}`);
    child.kill();
    await once(child, 'exit');
  },
);
