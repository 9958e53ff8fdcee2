import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { MemoryKeyStore } from '../../../src/engine/keys/key-store.ts';
import { linkService, UNLIMITED, type ServiceChoice } from '../../../src/host/service-link.ts';
import type { ServiceProgram } from '../../../src/host/service-program.ts';
import { ScriptedProgram } from '../../rigs/scripted-program.ts';
import { temporaryFolder } from '../../rigs/temporary-folder.ts';

const LOCAL: ServiceChoice = { kind: 'local', plan: 'starter' };

describe('the link of a remote service', () => {
  const link = (ca?: Extract<ServiceChoice, { kind: 'remote' }>['ca']) =>
    linkService(
      {
        kind: 'remote',
        baseUrl: 'https://10.0.0.7:8443',
        ca,
        plan: { name: 'starter', anchor: 0 },
      },
      {
        dataDir: temporaryFolder(),
        keys: new MemoryKeyStore(),
        serviceProgram: () => expect.unreachable(),
      },
    );

  // abuse.md 4
  test('allows files at its own private address only with a certificate that the user chose', async () => {
    expect((await link()).service.allowedDownloadOrigin).toBeUndefined();
    const { service } = await link({ pem: 'a certificate' });
    expect(service).toMatchObject({
      ca: 'a certificate',
      allowedDownloadOrigin: '10.0.0.7:8443',
    });
  });

  test('has the certificate in a file, and an error for one that cannot be read', async () => {
    const file = path.join(temporaryFolder(), 'ca.pem');
    await expect(link({ file })).rejects.toMatchObject({
      failure: { code: 'service-unreachable', says: [{ sentence: 'certificate-file-unreadable' }] },
    });
    writeFileSync(file, 'a certificate');
    expect((await link({ file })).service.ca).toBe('a certificate');
  });
});

describe('the link of the service on this computer', () => {
  test('starts no process to list a queue without a quota', async () => {
    const { service } = await linkService(
      { kind: 'local', plan: UNLIMITED },
      {
        dataDir: temporaryFolder(),
        keys: new MemoryKeyStore(),
        serviceProgram: () => expect.unreachable(),
        readOnly: true,
      },
    );
    expect(service.accountLimits).toMatchObject({ hasQuota: false });
  });

  /** A program whose accounts or keys cannot be read. */
  function failing(command: 'account' | 'key', local: ScriptedProgram): ServiceProgram {
    return (args, lifetime, onLine) =>
      args[0] === command
        ? {
            exited: Promise.resolve(1),
            errorOutput: () => 'The disk is full.',
            send: () => undefined,
            stop: () => undefined,
            kill: () => undefined,
          }
        : local.program(args, lifetime, onLine);
  }

  test.each(['account', 'key'] as const)(
    'leaves no process behind when its %s cannot be created',
    async (command) => {
      const local = new ScriptedProgram();
      const linking = linkService(LOCAL, {
        dataDir: temporaryFolder(),
        keys: new MemoryKeyStore(),
        serviceProgram: failing(command, local),
      });
      await expect(linking).rejects.toMatchObject({ failure: { detail: 'The disk is full.' } });
      // The account is there before the service can be reached.
      expect(local.starts).toBe(command === 'account' ? 0 : 1);
      expect(local.runs).toBe(false);
    },
  );

  test('gets a key only if the key store has none, and not when that cannot be read', async () => {
    const local = new ScriptedProgram();
    const options = { dataDir: temporaryFolder(), serviceProgram: local.program };
    const keys = new MemoryKeyStore();
    const link = await linkService(LOCAL, { ...options, keys });
    await link.close();
    const { origin } = new URL(link.service.baseUrl);
    expect(await keys.get(origin)).toBe('svc_live_0123456789');
    await keys.set(origin, 'svc_live_present');
    await (await linkService(LOCAL, { ...options, keys })).close();
    expect(await keys.get(origin)).toBe('svc_live_present');

    class Locked extends MemoryKeyStore {
      override get(): Promise<never> {
        return Promise.reject(new Error('The keychain is locked.'));
      }

      override set(): Promise<never> {
        return expect.unreachable();
      }
    }
    const linking = linkService(LOCAL, { ...options, keys: new Locked() });
    await expect(linking).rejects.toThrow('The keychain is locked.');
    expect(local.runs).toBe(false);
  });
});
