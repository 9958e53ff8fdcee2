import { readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { cut, FaultServer, honest } from '../../rigs/fault-server.ts';
import { seededVideo } from '../../rigs/seeded-video.ts';
import { spoolHere } from '../../rigs/spool-here.ts';
import { spool, startSpool } from '../../rigs/spool-process.ts';
import { temporaryFolder } from '../../rigs/temporary-folder.ts';

const video = seededVideo(1, 300_000);

/** A server on this computer whose connection breaks once, and a folder to download to. */
async function fixture() {
  const server = await FaultServer.start((request) => {
    const reply = honest({ bytes: video.bytes, etag: '"1"' }, request);
    return request.index === 0 ? cut(reply, 100_000, 'reset') : reply;
  });
  onTestFinished(() => server.stop());
  const folder = temporaryFolder();
  return { server, folder, file: path.join(folder, 'film.mp4') };
}

describe('one video by its link', () => {
  it('is downloaded completely from the one private address that is allowed', async () => {
    const { server, folder, file } = await fixture();
    const host = new URL(server.origin).host;
    const command = ['download', server.url('/film.mp4?signature=secret'), '--out', 'film.mp4'];
    const { code, stdout, stderr } = await spool([...command, '--allow-host', host], {
      cwd: folder,
    });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^film\.mp4 \(.*300 kB\)\n$/);
    expect(stdout + stderr).not.toContain('secret');
    expect(readFileSync(file).equals(video.bytes)).toBe(true);
    expect(server.requests[1]).toMatchObject({ hasRange: true });
  });

  // abuse.md 4
  it('is not downloaded from a private address that is not allowed', async () => {
    const { server, folder } = await fixture();
    for (const link of [server.url('/?signature=secret'), server.url().replace('http', 'https')]) {
      const { code, stdout, stderr } = await spoolHere(['download', link, '--out', 'film.mp4'], {
        cwd: folder,
      });
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toMatch(/^https?:\/\/127\.0\.0\.1:\d+\/\S*: .+\.\n$/);
      expect(stderr).not.toContain('secret');
    }
    expect(server.requests).toEqual([]);
  });

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('ends after %s with the code %i, and keeps its part', async (signal, expected) => {
    const server = await FaultServer.start((request) => ({
      ...cut(honest({ bytes: video.bytes, etag: '"1"' }, request), 100_000, 'reset'),
      then: 'silent',
    }));
    onTestFinished(() => server.stop());
    const folder = temporaryFolder();
    const host = new URL(server.origin).host;
    const command = ['download', server.url(), '--out', 'film.mp4', '--allow-host', host];
    const running = startSpool(command, { cwd: folder });
    const part = path.join(folder, 'film.mp4.part');
    await expect
      .poll(() => statSync(part, { throwIfNoEntry: false })?.size, { timeout: 30_000 })
      .toBe(100_000);

    running.child.kill(signal);
    expect((await running.result).code).toBe(expected);
    expect(statSync(part).size).toBe(100_000);
  });

  it('never replaces an existing file', async () => {
    const { server, folder, file } = await fixture();
    writeFileSync(file, 'mine');
    const host = new URL(server.origin).host;
    const command = ['download', server.url(), '--out', 'film.mp4', '--allow-host', host];
    const { code, stderr } = await spoolHere(command, { cwd: folder });
    expect(code).toBe(1);
    expect(stderr).toContain('film.mp4 already exists');
    expect(readFileSync(file, 'utf8')).toBe('mine');
  });
});
