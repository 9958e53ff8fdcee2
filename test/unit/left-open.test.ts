import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { open } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { census, leftSince } from '../rigs/left-open.ts';
import { temporaryFolder } from '../rigs/temporary-folder.ts';

test('sees a server until it is closed', async () => {
  const before = census();
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  expect(leftSince(before)).toEqual(['TCPServerWrap']);
  server.close();
  await expect.poll(() => leftSince(before)).toEqual([]);
});

test.runIf(process.platform === 'linux')('sees a server on a Unix socket', async () => {
  const path = join(temporaryFolder(), 'socket');
  const before = census();
  const server = createServer().listen(path);
  await once(server, 'listening');
  expect(leftSince(before)).toEqual([`server ${path}`]);
  server.close();
  await expect.poll(() => leftSince(before)).toEqual([]);
});

test('sees timers, and not those that keep nothing alive', () => {
  const before = census();
  const timers = [setTimeout(() => undefined, 60_000), setInterval(() => undefined, 60_000)];
  const quiet = setTimeout(() => undefined, 60_000).unref();
  expect(leftSince(before)).toEqual(['Timeout × 2']);
  for (const timer of [...timers, quiet]) clearTimeout(timer);
  expect(leftSince(before)).toEqual([]);
});

test('sees a variable of the environment until it is as before', () => {
  const before = census();
  process.env.SPOOL_LEFT_OPEN = '1';
  onTestFinished(() => void delete process.env.SPOOL_LEFT_OPEN);
  expect(leftSince(before)).toEqual(['variable SPOOL_LEFT_OPEN=1']);
  delete process.env.SPOOL_LEFT_OPEN;
  expect(leftSince(before)).toEqual([]);
});

test.runIf(process.platform === 'linux')('sees an open file', async () => {
  const path = join(temporaryFolder(), 'film.mp4');
  const before = census();
  const file = await open(path, 'w');
  expect(leftSince(before)).toEqual([`file ${path}`]);
  await file.close();
  expect(leftSince(before)).toEqual([]);
});

test.runIf(process.platform === 'linux')('sees a process until it has ended', async () => {
  const before = census();
  const child = spawn('sleep', ['60'], { stdio: 'ignore' });
  onTestFinished(() => void child.kill());
  expect(leftSince(before)).toEqual([`process ${child.pid} (sleep 60)`]);
  child.kill();
  await once(child, 'exit');
  expect(leftSince(before)).toEqual([]);
});
