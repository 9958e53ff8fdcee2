import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { localPort } from '../../../src/host/local-port.ts';
import { LocalService } from '../../../src/host/local-service.ts';
import { LOCAL_SERVICE_FILE, serviceProgramInNode } from '../../../src/host/service-program.ts';
import { spoolHere } from '../../rigs/spool-here.ts';
import { spool, startSpool } from '../../rigs/spool-process.ts';
import { temporaryFolder } from '../../rigs/temporary-folder.ts';

const program = serviceProgramInNode(LOCAL_SERVICE_FILE);

/** The local service, run for others as an operator would, with a key for one of them. */
async function operatedService(folder: string) {
  const dataDir = path.join(folder, 'service');
  const service = new LocalService(program, dataDir);
  const running = await service.start(await localPort(dataDir));
  onTestFinished(() => running.stop());
  const key = await service.newKey(await service.account('pro'));
  return { url: running.url, pem: running.ca, key };
}

describe('a service at an address of one’s own choosing', () => {
  it('renders with the key from the environment, which no child inherits', async () => {
    const folder = temporaryFolder();
    const { url, pem, key } = await operatedService(folder);
    writeFileSync(path.join(folder, 'ca.pem'), pem);
    writeFileSync(path.join(folder, 'a.csv'), 'title,seconds,resolution\nHello,1,480\n');
    const { code, stdout, stderr } = await spool(
      [
        'run',
        'a.csv',
        '--service',
        url,
        '--ca',
        'ca.pem',
        '--data-dir',
        'data',
        '--account-plan',
        'pro',
      ],
      { cwd: folder, env: { SPOOL_API_KEY: key } },
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/1 of 1 video saved/);
  });

  it('ends with 3 when it refuses the key, and says what to do', async () => {
    const folder = temporaryFolder();
    const { url, pem } = await operatedService(folder);
    writeFileSync(path.join(folder, 'ca.pem'), pem);
    writeFileSync(path.join(folder, 'a.csv'), 'title,seconds,resolution\nHello,1,480\n');
    const { code, stdout } = await spool(
      ['run', 'a.csv', '--service', url, '--ca', 'ca.pem', '--data-dir', 'data'],
      { cwd: folder, env: { SPOOL_API_KEY: 'svc_live_not-a-key-of-anyone' } },
    );
    expect(code).toBe(3);
    expect(stdout).toContain('spool key set');
    expect(stdout).toMatch(/Hello \(row 2\): waiting/);
  });

  it('is not trusted without its certificate', async () => {
    const folder = temporaryFolder();
    const { url, key } = await operatedService(folder);
    writeFileSync(path.join(folder, 'a.csv'), 'title,seconds,resolution\nHello,1,480\n');
    const running = startSpool(['run', 'a.csv', '--service', url, '--data-dir', 'data'], {
      cwd: folder,
      env: { SPOOL_API_KEY: key },
    });
    await running.said(/could not prove that it is the service/);
    running.child.kill('SIGINT');
    expect(await running.result).toMatchObject({ code: 130 });
  });

  it.runIf(process.platform === 'linux')(
    // abuse.md 19
    'leaves a key from the environment out of the local service’s environment',
    async () => {
      const folder = temporaryFolder();
      writeFileSync(path.join(folder, 'a.csv'), 'title,seconds,resolution\nHello,1,480\n');
      const queue = ['--data-dir', path.join(folder, 'data')];
      const paused = await spoolHere(['jobs', 'pause', ...queue], { cwd: folder });
      expect(paused).toMatchObject({ code: 0 });
      const running = startSpool(['run', 'a.csv', ...queue], {
        cwd: folder,
        env: { SPOOL_API_KEY: 'svc_live_secret' },
      });
      await running.said(/waiting/);
      const { pid } = running.child;
      const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
      expect(children).not.toEqual(['']);
      for (const child of children) {
        expect(readFileSync(`/proc/${child}/environ`, 'utf8')).not.toContain('svc_live_');
      }
      running.child.kill('SIGINT');
      await running.result;
    },
  );
});
