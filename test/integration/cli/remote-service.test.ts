import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { localPort } from '../../../src/host/local-port.ts';
import { LocalService } from '../../../src/host/local-service.ts';
import { builtService } from '../../rigs/built-programs.ts';
import { spoolHere } from '../../rigs/spool-here.ts';
import { startSpool } from '../../rigs/spool-process.ts';
import { temporaryFolder } from '../../rigs/temporary-folder.ts';

const program = builtService;

/** The local service as an operator runs it for others, with a key for one of them. */
async function operatedService() {
  const dataDir = path.join(temporaryFolder(), 'service');
  const service = new LocalService(program, dataDir);
  const running = await service.start(await localPort(dataDir));
  // A process that Spool starts renders nothing until it is told how much.
  running.renderAtOnce(1);
  onTestFinished(() => running.stop());
  const key = await service.newKey(await service.account('pro'));
  return { url: running.url, pem: running.ca, key };
}

/** A folder with a batch; `start` runs `spool` on it with a key in its environment. */
function batch(key: string) {
  const folder = temporaryFolder();
  const state = temporaryFolder();
  const content = 'title,seconds,resolution,aspect\nHello,1,480,1:1\n';
  writeFileSync(path.join(folder, 'a.csv'), content);
  const start = (...options: string[]) =>
    startSpool(['run', 'a.csv', '--data-dir', 'data', ...options], {
      cwd: folder,
      env: { SPOOL_API_KEY: key, XDG_STATE_HOME: state },
    });
  return { folder, state, start };
}

describe('a service at a custom address', () => {
  it('is trusted only by its certificate, and renders only for a known key', async () => {
    const { url, pem, key } = await operatedService();
    const known = batch(key);
    const untrusting = known.start('--service', url);
    await untrusting.waitForOutput(/could not prove that it is the service/);
    untrusting.child.kill('SIGINT');
    expect(await untrusting.result).toMatchObject({ code: 130 });

    const trusting = ['--service', url, '--ca', 'ca.pem'];
    writeFileSync(path.join(known.folder, 'ca.pem'), pem);
    const rendered = await known.start(...trusting, '--account-plan', 'pro').result;
    expect(rendered).toMatchObject({ code: 0, stderr: '' });
    expect(rendered.stdout).toMatch(/1 of 1 video saved/);
    // The witness of requests is outside the data folder.
    expect(readdirSync(path.join(known.state, 'spool', 'sent'))).toHaveLength(1);

    const unknown = batch('svc_live_not-a-key-of-anyone');
    writeFileSync(path.join(unknown.folder, 'ca.pem'), pem);
    const refused = await unknown.start(...trusting).result;
    expect(refused.code).toBe(3);
    expect(refused.stdout).toContain('spool key set');
    expect(refused.stdout).toMatch(/Hello \(row 2\): waiting/);
  });

  it.runIf(process.platform === 'linux')(
    // abuse.md 19
    'leaves a key from the environment out of the local service’s environment',
    async () => {
      const { folder, start } = batch('svc_live_secret');
      const data = path.join(folder, 'data');
      const paused = await spoolHere(['queue', 'pause', '--data-dir', data], { cwd: folder });
      expect(paused).toMatchObject({ code: 0 });
      const running = start();
      await running.waitForOutput(/waiting/);
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
