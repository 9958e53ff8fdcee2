import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import path from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { localPort } from '../../../src/host/local-port.ts';
import { LocalService } from '../../../src/host/local-service.ts';
import { LOCAL_SERVICE_FILE } from '../../../src/host/service-program.ts';
import { serviceInUtilityProcess } from '../../../src/main/service-in-utility-process.ts';
import { StandInUtilityProcess } from '../../rigs/electron-stand-in/stand-in-processes.ts';
import { VirtualClock } from '../../rigs/virtual-clock.ts';
import { temporaryFolder } from '../../rigs/temporary-folder.ts';

const started: StandInUtilityProcess[] = [];
const messages: unknown[] = [];

// Another file of this worker may have loaded the modules with its own stand-in for Electron.
vi.hoisted(() => vi.resetModules());

vi.mock('electron', () => ({
  utilityProcess: {
    fork: (...given: ConstructorParameters<typeof StandInUtilityProcess>) => {
      const child = new StandInUtilityProcess(...given);
      started.push(child);
      child.on('message', (message) => messages.push(message));
      return child;
    },
  },
}));

const program = serviceInUtilityProcess(LOCAL_SERVICE_FILE);

/** A program that never answers and that only `kill` ends. */
const silent = serviceInUtilityProcess(
  path.join(import.meta.dirname, '../../rigs/silent-program-child.ts'),
);

const alive = (): number => started.filter(({ pid }) => pid !== undefined).length;

describe('the local service as a utility process', () => {
  it('answers commands, and leaves no process behind', async () => {
    const service = new LocalService(program, temporaryFolder());
    const account = await service.account('starter');
    expect(account).toMatchObject({ plan: 'starter', keyName: null });
    expect(await service.newKey(account)).toMatch(/^svc_live_\S+$/);
    expect(alive()).toBe(0);
  });

  it('starts, and stops at its safe point', async () => {
    const folder = temporaryFolder();
    const running = await new LocalService(program, folder).start(await localPort(folder));
    onTestFinished(() => running.stop());
    expect(running.ca).toContain('BEGIN CERTIFICATE');
    await running.stop();
    await running.ended;
    expect(alive()).toBe(0);
    expect(messages.at(-1)).toEqual({ kind: 'finished', exitCode: 0 });
  });

  it('reports why it did not start', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const service = new LocalService(program, temporaryFolder());
    await expect(service.start((server.address() as AddressInfo).port)).rejects.toMatchObject({
      failure: {
        code: 'service-unreachable',
        detail: expect.stringContaining('Another program listens on that port') as string,
      },
    });
    expect(alive()).toBe(0);
  });
});

describe('a local service that does not answer', () => {
  it('fails after a deadline, with a reason', async () => {
    const clock = new VirtualClock();
    const service = new LocalService(silent, temporaryFolder(), { clock });
    const attempt = expect(service.start(1)).rejects.toMatchObject({
      failure: {
        code: 'service-unreachable',
        message: expect.stringContaining('too long') as string,
      },
    });
    await clock.advance(60_000);
    await attempt;
    const asked = expect(service.account('starter')).rejects.toMatchObject({
      failure: { code: 'service-unreachable' },
    });
    await clock.advance(60_000);
    await asked;
    expect(alive()).toBe(0);
  });

  it('is abandoned at once when the app quits', async () => {
    const quitting = new AbortController();
    const options = { clock: new VirtualClock(), signal: quitting.signal };
    const service = new LocalService(silent, temporaryFolder(), options);
    const attempt = expect(service.start(1)).rejects.toThrow();
    quitting.abort();
    await attempt;
    expect(alive()).toBe(0);
  });
});
