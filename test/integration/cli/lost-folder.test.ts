/**
 * A process is stopped, its locks are removed, another process runs the queue, and the first one
 * continues: real processes and signals, and a server that counts what each of them requests.
 */
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { serviceApiSchema } from '../../../src/contract/service-profile.ts';
import { usualRules } from '../../../src/engine/service/vocabularies.ts';
import { systemClock } from '../../../src/engine/system-clock.ts';
import { ANY_SERVICE_KEY, AnyService } from '../../rigs/any-service.ts';
import { issueCertificate } from '../../rigs/certificates.ts';
import { startSpool } from '../../rigs/spool-process.ts';
import { temporaryFolder } from '../../rigs/temporary-folder.ts';

const TITLES = ['One', 'Two', 'Three', 'Four'];

/** Each process names itself in a header of its profile. */
const PROCESS_HEADER = 'x-process';

const api = (name: string) =>
  serviceApiSchema.parse({
    headers: { [PROCESS_HEADER]: name },
    generate: { path: '/v1/videos' },
    status: { path: '/v1/videos/{id}' },
    file: { kind: 'content', path: '/v1/videos/{id}/content' },
    limits: {
      windows: [
        { endpoint: 'generate', count: 100, perMs: 60_000 },
        { endpoint: 'status', count: 60, perMs: 60_000 },
      ],
    },
  });

/** The timeout only has to be long enough for other processes. */
const until = (holds: () => void): Promise<void> =>
  vi.waitFor(holds, { timeout: 60_000, interval: 20 });

async function setUp() {
  const folder = temporaryFolder();
  const certificate = await issueCertificate();
  const clock = systemClock;
  const service = await AnyService.start({
    api: { ...api('any'), headers: {} },
    clock,
    certificate,
  });
  // Until a test says otherwise: how fast a machine is does not decide what is under way.
  service.renderMs = Infinity;
  onTestFinished(() => service.stop());
  writeFileSync(path.join(folder, 'ca.pem'), certificate.ca);
  writeFileSync(path.join(folder, 'week.csv'), ['title', ...TITLES].join('\n'));
  const start = (name: string, ...command: string[]) => {
    const profile = {
      name: 'Any',
      api: api(name),
      request: {
        title: 'title',
        columns: { title: { type: 'text', required: true } },
        preset: [],
        body: { prompt: '{{title}}' },
      },
      answers: { ...usualRules, link: { url: ['url'], expiresAt: [] } },
    };
    writeFileSync(path.join(folder, `${name}.json`), JSON.stringify(profile));
    const options = ['--service', service.origin, '--ca', 'ca.pem', '--profile', `${name}.json`];
    return startSpool([...command, ...options, '--data-dir', 'data'], {
      cwd: folder,
      env: { SPOOL_API_KEY: ANY_SERVICE_KEY },
    });
  };
  const run = (name: string) => start(name, 'run', 'week.csv', '--out', 'videos');
  const requestsOf = (name: string): number =>
    service.requests.filter(({ headers }) => headers[PROCESS_HEADER] === name).length;
  const removeLocks = (): void => {
    for (const file of ['primary.lock', 'spool.pid']) rmSync(path.join(folder, 'data', file));
  };
  /** Resolves while no request is being sent or stored, so that no transaction is stopped. */
  const quiet = (): Promise<void> => {
    let [before, times] = [0, 0];
    return until(() => {
      times = service.requests.length === before ? times + 1 : 0;
      before = service.requests.length;
      expect(times).toBeGreaterThan(5);
    });
  };
  return { service, start, run, requestsOf, removeLocks, quiet };
}

describe.skipIf(process.platform === 'win32')('a process that lost its data folder', () => {
  it('requests nothing more, says why and ends; the other one has finished the batch', async () => {
    const { service, run, requestsOf, removeLocks, quiet } = await setUp();
    const first = run('first');
    await until(() => expect(service.videos).toHaveLength(TITLES.length));
    await quiet();
    first.child.kill('SIGSTOP');
    removeLocks();
    service.renderMs = 0;
    const second = await run('second').result;
    expect(second).toMatchObject({ code: 0, stderr: '' });
    expect(second.stdout).toMatch(/4 of 4 videos saved/);
    const before = requestsOf('first');

    first.child.kill('SIGCONT');

    const ended = await first.result;
    expect(ended).toMatchObject({ code: 6 });
    expect(ended.stdout + ended.stderr).toContain('This Spool no longer has its data folder');
    expect(requestsOf('first')).toBe(before);
    expect(service.seen('generate')).toHaveLength(TITLES.length);
  });

  it('does not disturb the other one, which works on', async () => {
    const { service, run, requestsOf, removeLocks, quiet } = await setUp();
    const first = run('first');
    await until(() => expect(service.videos).toHaveLength(TITLES.length));
    await quiet();
    first.child.kill('SIGSTOP');
    removeLocks();
    const second = run('second');
    await until(() => expect(requestsOf('second')).toBeGreaterThan(0));

    first.child.kill('SIGCONT');

    expect(await first.result).toMatchObject({ code: 6 });
    service.renderMs = 0;
    expect(await second.result).toMatchObject({ code: 0 });
    expect(service.seen('generate')).toHaveLength(TITLES.length);
  });

  it('ends as the server of the page, even when it has nothing to do', async () => {
    const { start, removeLocks } = await setUp();
    const web = start('first', 'web', '--without-page');
    await web.waitForOutput(/Spool is at/);

    removeLocks();

    const ended = await web.result;
    expect(ended).toMatchObject({ code: 6 });
    expect(ended.stderr).toContain('This Spool no longer has its data folder');
  }, 60_000);
});
