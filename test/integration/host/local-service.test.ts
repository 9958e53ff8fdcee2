import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { MemoryKeyStore } from '../../../src/engine/keys/key-store.ts';
import { localPort } from '../../../src/host/local-port.ts';
import { LocalService, type RunningLocalService } from '../../../src/host/local-service.ts';
import type { ServiceLink } from '../../../src/engine/engine-options.ts';
import { linkService } from '../../../src/host/service-link.ts';
import {
  LOCAL_SERVICE_FILE,
  serviceProgramInNode,
  type ServiceProgram,
} from '../../../src/host/service-program.ts';
import { temporaryFolder } from '../../rigs/temporary-folder.ts';

const program = serviceProgramInNode(LOCAL_SERVICE_FILE);

/** A program file of the service whose clock stands at noon of `day`. */
function serviceAt(day: string): string {
  const file = path.join(temporaryFolder(), 'service.mjs');
  const lines = [
    `Date.now = () => ${Date.parse(`${day}T12:00:00Z`)};`,
    `await import(${JSON.stringify(pathToFileURL(LOCAL_SERVICE_FILE))});`,
  ];
  writeFileSync(file, lines.join('\n'));
  return file;
}

async function started(service: LocalService, port: number): Promise<RunningLocalService> {
  const running = await service.start(port);
  onTestFinished(() => running.stop());
  return running;
}

/** A port on which another program listens. */
async function portInUse(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

describe('the port of the local service', () => {
  it('is chosen once and kept, because jobs and keys belong to their address', async () => {
    const folder = temporaryFolder();
    const port = await localPort(folder);
    expect(await localPort(folder)).toBe(port);
    expect(port).toBeGreaterThanOrEqual(20_000);
    expect(port).toBeLessThan(30_000);
  });

  it('is one without another listener', async () => {
    const taken = await portInUse();
    const free = await localPort(temporaryFolder());
    const choices = [taken, taken, free];
    expect(await localPort(temporaryFolder(), () => choices.shift() ?? 0)).toBe(free);
  });
});

describe('the local service, as its user controls it', () => {
  it('creates one account, finds it again, and changes its plan', async () => {
    const service = new LocalService(program, temporaryFolder());
    expect(await service.account('starter')).toMatchObject({ plan: 'starter', keyName: null });
    expect(await service.account('pro')).toMatchObject({ plan: 'pro', quota: { limit: 150 } });
    expect(await service.account('unlimited')).toMatchObject({
      plan: 'unlimited',
      quota: { limit: null },
      limits: { generate: { requests: 100, windowSeconds: 1 } },
    });
    expect(await service.account('unlimited')).toMatchObject({ plan: 'unlimited' });
  });

  it('counts months from the day of the sign-up, not from a reset that February moved', async () => {
    const dataDir = temporaryFolder();
    const keys = new MemoryKeyStore();
    const linkedOn = (day: string): Promise<ServiceLink> => {
      const serviceProgram = serviceProgramInNode(serviceAt(day));
      const options = { dataDir, keys, serviceProgram, readOnly: true };
      return linkService({ kind: 'local', plan: 'starter' }, options);
    };
    await linkedOn('2026-01-31');
    const { plan } = await linkedOn('2026-02-10');
    expect(new Date(plan.anchor).toISOString()).toBe('2026-01-31T00:00:00.000Z');
  });

  // abuse.md 19
  it('replaces a lost key, and puts no key into arguments', async () => {
    const asked: string[] = [];
    const listening: ServiceProgram = (args, ...rest) => {
      asked.push(args.join(' '));
      return program(args, ...rest);
    };
    const service = new LocalService(listening, temporaryFolder());
    const first = await service.newKey(await service.account('starter'));
    const second = await service.newKey(await service.account('starter'));
    expect(first).toMatch(/^svc_live_\S+$/);
    expect(second).toMatch(/^svc_live_\S+$/);
    expect(second).not.toBe(first);
    expect(asked.join('\n')).toContain('key revoke');
    expect(asked.join('\n')).not.toContain('svc_live_');
  });

  it('starts on the given port, provides its certificate, and stops', async () => {
    const folder = temporaryFolder();
    const port = await localPort(folder);
    const running = await started(new LocalService(program, folder), port);
    expect(running.url).toBe(`https://127.0.0.1:${port}`);
    expect(running.ca).toContain('BEGIN CERTIFICATE');
    await running.stop();
    await expect(running.ended).resolves.toBeUndefined();
  });

  it('reports why it did not start when its port is taken', async () => {
    const port = await portInUse();
    const service = new LocalService(program, temporaryFolder());
    await expect(service.start(port)).rejects.toMatchObject({
      failure: {
        code: 'service-unreachable',
        detail: expect.stringContaining('Another program listens on that port') as string,
      },
    });
  });

  it('leaves no process running if its certificate cannot be read', async () => {
    const exited = Promise.withResolvers<number | null>();
    const kill = vi.fn(() => exited.resolve(null));
    const caFile = path.join(temporaryFolder(), 'gone');
    const ready = { url: 'https://127.0.0.1:20000', caFile, rendersAtOnce: 1 };
    const unreadable: ServiceProgram = (_args, _lifetime, onLine) => {
      onLine(JSON.stringify(ready));
      return { errorOutput: () => '', exited: exited.promise, send: kill, stop: kill, kill };
    };
    const service = new LocalService(unreadable, temporaryFolder());
    await expect(service.start(20_000)).rejects.toMatchObject({ code: 'ENOENT' });
    expect(kill).toHaveBeenCalled();
  });

  it('ends with the process that started it, even when that is killed', async () => {
    const folder = temporaryFolder();
    const parent = spawn(
      process.execPath,
      [path.join(import.meta.dirname, '../../rigs/local-service-child.ts'), folder],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    const [line] = (await once(parent.stdout.setEncoding('utf8'), 'data')) as [string];
    const port = Number(line);
    parent.kill('SIGKILL');
    await once(parent, 'exit');
    // Another service can use the folder and the port as soon as the first one has released them.
    const service = new LocalService(program, folder);
    const again = await eventually(() => service.start(port));
    onTestFinished(() => again.stop());
    expect(again.url).toBe(`https://127.0.0.1:${port}`);
  });
});

/** Repeats a start until the first service has released its folder and port. */
async function eventually<T>(attempt: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof Error) || !error.message.includes('did not start')) throw error;
    }
  }
}
