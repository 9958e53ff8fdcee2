import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { storyboardProfile } from '../../../src/engine/profiles/storyboard.ts';
import { openPrimaryEndpoint } from '../../../src/host/primary-endpoint.ts';
import { issueCertificate, type TestCertificate } from '../../rigs/certificates.ts';
import { ConnectProxy } from '../../rigs/connect-proxy.ts';
import { proxySettings } from '../../../src/engine/proxy.ts';
import { EngineRig, ORIGIN } from '../../rigs/engine-rig.ts';
import { oneService, routerFor } from '../../rigs/router-for.ts';
import { jsonAnswer, ScriptedService } from '../../rigs/scripted-service.ts';
import { Interruption } from '../../../src/cli/exit-codes.ts';
import { ScriptedProgram } from '../../rigs/scripted-program.ts';
import { spoolHere } from '../../rigs/spool-here.ts';
import { temporaryFolder } from '../../rigs/temporary-folder.ts';

const KEY = 'svc_live_0123456789';
/** With a margin, so that it is still two hours after a slow response. */
const TWO_HOURS_MS = 7_200_000 + 15_000;

/** A service that knows one key and whose clock is two hours ahead. */
async function serviceAhead(certificate?: TestCertificate): Promise<ScriptedService> {
  const service = await ScriptedService.start(({ headers }, wire) => {
    const status = headers.get('x-api-key') === KEY ? 404 : 401;
    const date = new Date(Date.now() + TWO_HOURS_MS).toUTCString();
    wire.end(jsonAnswer(status, { success: false }, { Date: date }));
  }, certificate);
  onTestFinished(() => service.stop());
  return service;
}

/** Runs the doctor for a service, without checking saved files. */
async function doctor(
  service: ScriptedService,
  keyFromEnvironment: string | null,
  cwd = temporaryFolder(),
) {
  writeFileSync(path.join(cwd, 'ca.pem'), service.ca);
  const where = ['--data-dir', path.join(cwd, 'data'), '--service', service.url];
  const ca = ['--ca', path.join(cwd, 'ca.pem')];
  return spoolHere(['doctor', '--no-files', ...where, ...ca], { cwd, keyFromEnvironment });
}

/** Advances a rig's clock until `work` settles. */
async function advanceUntilSettled<T>(rig: EngineRig, work: Promise<T>): Promise<T> {
  let isOver = false;
  void work.finally(() => (isOver = true));
  await rig.until(() => isOver, Infinity);
  return work;
}

describe('the doctor', () => {
  it('reports the service, its clock and the key, and sends the key only to the service', async () => {
    const service = await serviceAhead();
    const { code, stdout, stderr } = await doctor(service, KEY);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/✓ queue +There is no queue in /);
    expect(stdout).toMatch(/✓ disk +\S+ \SB are free for /);
    expect(stdout).toMatch(/✓ service +127\.0\.0\.1:\d+ answers\./);
    expect(stdout).toMatch(/! clock +This computer’s clock is 2 h 00 behind that of 127/);
    expect(stdout).toMatch(
      /✓ key +127\.0\.0\.1:\d+ accepts the API key\.\n\nSpool is ready to run a batch/,
    );
    expect(stdout).not.toContain(KEY);
    expect(service.requests.map(({ headers }) => headers.get('x-api-key'))).toEqual([
      undefined,
      KEY,
    ]);
  });

  it('contacts a service as its saved profile describes it', async () => {
    const service = await serviceAhead();
    const cwd = temporaryFolder();
    const api = {
      auth: { header: 'Authorization', scheme: 'Bearer' },
      status: { path: '/v1/tasks/{id}' },
    };
    const profiles = { [service.url]: { ...storyboardProfile, api } };
    mkdirSync(path.join(cwd, 'data'));
    writeFileSync(path.join(cwd, 'data/settings.json'), JSON.stringify({ version: 1, profiles }));

    await doctor(service, KEY, cwd);

    const [reached, asked] = service.requests;
    expect(service.requests).toHaveLength(2);
    expect(reached?.path).toBe('/v1/tasks/reach');
    expect([...(reached?.headers.values() ?? [])].join()).not.toContain(KEY);
    expect(asked?.path).toBe('/v1/tasks/key-check');
    expect(asked?.headers.get('authorization')).toBe(`Bearer ${KEY}`);
    expect(asked?.headers.has('x-api-key')).toBe(false);
  });

  // abuse.md 59
  it('shows the proxy without its login, and reaches the service through it', async () => {
    const certificate = await issueCertificate(['service.example']);
    const service = await serviceAhead(certificate);
    const proxy = await ConnectProxy.start(service.port);
    proxy.login = 'ann:s3cret';
    const { port } = proxy;
    const cwd = temporaryFolder();
    writeFileSync(path.join(cwd, 'ca.pem'), certificate.ca);
    const at = ['--service', 'https://service.example', '--ca', path.join(cwd, 'ca.pem')];
    const run = (login: string) =>
      spoolHere(['doctor', '--no-files', '--data-dir', path.join(cwd, 'data'), ...at], {
        cwd,
        keyFromEnvironment: KEY,
        proxySettings: proxySettings({
          HTTPS_PROXY: `http://${login}@127.0.0.1:${port}`,
          NO_PROXY: 'intranet.example',
        }),
      });

    const { code, stdout, stderr } = await run('ann:s3cret');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const words = stdout.replaceAll(/\s+/g, ' ');
    expect(words).toContain(
      `✓ proxy Spool connects through the proxy http://127.0.0.1:${port} (HTTPS_PROXY), except to this computer, intranet.example.`,
    );
    expect(words).toContain('✓ key service.example accepts the API key.');
    expect(stdout).not.toContain('s3cret');
    expect(new Set(proxy.asked)).toEqual(new Set(['service.example:443']));

    const refused = await run('ann:wrong');
    expect(refused.code).toBe(1);
    expect(refused.stdout.replaceAll(/\s+/g, ' ')).toContain(
      `✕ service The proxy http://127.0.0.1:${port} asks for a user name and password.`,
    );
    expect(refused.stdout).not.toContain('wrong');

    await proxy.stop();
    const gone = await run('ann:s3cret');
    expect(gone.stdout.replaceAll(/\s+/g, ' ')).toContain(
      `✕ service The proxy http://127.0.0.1:${port} could not be reached (ECONNREFUSED).`,
    );
  });

  it('exits with 3 when the key is refused, and with 1 when the service is unreachable', async () => {
    const service = await serviceAhead();
    const refused = await doctor(service, 'svc_live_unknown');
    expect(refused.code).toBe(3);
    expect(refused.stdout).toMatch(/✕ key [^]*spool key set --service https:\/\/127/);
    const { url } = service;
    const dataDir = path.join(temporaryFolder(), 'data');
    const untrusted = await spoolHere(
      ['doctor', '--no-files', '--service', url, '--data-dir', dataDir, '--json'],
      { cwd: temporaryFolder() },
    );
    expect(untrusted.code).toBe(1);
    const events = untrusted.stdout.trim().split('\n');
    expect(events.map((line) => JSON.parse(line) as object)).toMatchObject([
      { check: 'keychain' },
      { check: 'app' },
      { check: 'proxy', state: 'good' },
      { check: 'queue' },
      { check: 'disk' },
      { event: 'check', check: 'service', state: 'bad' },
      { event: 'ended', exitCode: 1 },
    ]);
    expect(untrusted.stdout).toContain('could not prove that it is the service');
  });

  /** A closed queue whose database is damaged. */
  async function damagedQueue() {
    const rig = await EngineRig.open();
    await rig.add(Array.from({ length: 50 }, (_, index) => `Video ${index}`));
    await rig.close();
    const { folder } = rig;
    const database = path.join(folder, 'spool.db');
    const bytes = readFileSync(database);
    bytes.fill(0xab, 4096, 12_288);
    writeFileSync(database, bytes);
    return { folder, database, bytes };
  }

  it('ends at once when it is interrupted while the service does not start', async () => {
    const folder = temporaryFolder();
    const service = new ScriptedProgram();
    service.hangs = true;
    const interrupt = new AbortController();
    const ended = spoolHere(['doctor', '--data-dir', folder, '--service', 'local'], {
      cwd: folder,
      interrupted: interrupt.signal,
      serviceProgram: service.program,
    });
    await expect.poll(() => service.isStarting).toBe(true);
    interrupt.abort(new Interruption('SIGINT'));
    expect(await ended).toMatchObject({ code: 130, stderr: '' });
    expect(service.runs).toBe(false);
  }, 20_000);

  it('promises no backup of a damaged database that has none', async () => {
    const { folder } = await damagedQueue();
    for (const name of readdirSync(folder)) {
      if (name.startsWith('spool.backup.db')) rmSync(path.join(folder, name));
    }
    const ask = ['doctor', '--no-files', '--data-dir', folder, '--service', ORIGIN];

    const { stdout } = await spoolHere(ask, { cwd: folder });

    expect(stdout).toContain('There is no backup.');
    expect(stdout).toMatch(/keeps\s+the\s+damaged\s+file[^]*starts\s+an\s+empty\s+queue/);
    expect(stdout).not.toMatch(/continues\s+from\s+the\s+backup/);
  });

  it('repairs a damaged database only with --fix', async () => {
    const { folder, database, bytes } = await damagedQueue();
    const ask = ['doctor', '--no-files', '--data-dir', folder, '--service', ORIGIN];

    const found = await spoolHere(ask, { cwd: folder });
    expect(found.code).toBe(1);
    expect(found.stdout).toMatch(/✕ queue +The database in \S+ is damaged\.[^]*doctor --fix/);
    expect(readFileSync(database).equals(bytes)).toBe(true);

    const repaired = await spoolHere([...ask, '--fix'], { cwd: folder });
    expect(repaired.stdout).toMatch(/! queue +The queue[^]*/);
    expect(readdirSync(folder).some((name) => name.startsWith('spool.db.damaged-'))).toBe(true);
    const again = await spoolHere(ask, { cwd: folder });
    expect(again.stdout).toMatch(/✓ queue +The database in \S+ is sound\./);
  });

  it.each(['running', 'paused'] as const)(
    'leaves a queue %s after it has tried to download lost files',
    async (state) => {
      const rig = await EngineRig.open();
      await rig.add(['One']);
      await rig.until(async () => (await rig.job(0)).state === 'done');
      if (state === 'paused') {
        await rig.engine.commands.queue.pause({ origin: ORIGIN, what: 'sending' });
      }
      rmSync((await rig.job(0)).file?.path ?? '');
      await rig.close();
      const { folder } = rig;
      const ask = ['doctor', '--fix', '--data-dir', folder, '--service', ORIGIN];

      const { code, stdout } = await spoolHere(ask, { cwd: folder });

      // There is no key to download it with.
      expect(code).not.toBe(0);
      expect(stdout).toMatch(/✕ files +0 videos restored\. 1 failed\./);
      const again = await EngineRig.open({ folder });
      expect((await again.update()).flow).toMatchObject({ state });
    },
  );

  it.skipIf(process.platform === 'win32')(
    'has a running Spool check its files, and download lost ones again',
    async () => {
      const rig = await EngineRig.open();
      await rig.add(['One', 'Two', 'Three'], 'Launch.csv');
      await rig.until(async () => (await rig.update()).counts.done === 3);
      const endpoint = await openPrimaryEndpoint({
        dataDir: rig.folder,
        ...oneService(await routerFor(rig.engine, rig.folder), { service: ORIGIN }),
        onDefect: (error) => {
          throw error;
        },
      });
      onTestFinished(() => endpoint.close());
      const [one, two] = (await rig.jobs()).map(({ file }) => file?.path ?? '');
      rmSync(one ?? '');
      appendFileSync(two ?? '', 'x');
      const ask = ['doctor', '--data-dir', rig.folder, '--batch', 'Launch'];

      const looked = await advanceUntilSettled(rig, spoolHere(ask, { cwd: rig.folder }));
      expect(looked.code).toBe(1);
      expect(looked.stdout).toMatch(/✕ files +2 of 3 files .* are missing, damaged or unreadable/);
      expect(looked.stdout).toMatch(
        /“One”: 1 One\.mp4 is no longer[^]*“Two”: 2 Two\.mp4 is damaged/,
      );

      const repaired = await advanceUntilSettled(
        rig,
        spoolHere([...ask, '--fix'], { cwd: rig.folder }),
      );
      expect(repaired.stdout).toMatch(/✓ files +2 videos restored/);
      expect(repaired.code).toBe(0);
      expect(existsSync(one ?? '')).toBe(true);
      expect(rig.service.asked).toHaveLength(3);
    },
  );
});
