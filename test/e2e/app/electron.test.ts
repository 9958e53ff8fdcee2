/** Checks on Electron, if it is installed, what the stand-in imitates. */
import path from 'node:path';
import { _electron, type ElectronApplication } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { noElectron } from '../../rigs/desktop.ts';
import { REPOSITORY } from '../../rigs/spool-process.ts';
import { temporaryFolder } from '../../rigs/temporary-folder.ts';

const missing = noElectron();

/** The built app. */
async function openApp(): Promise<{ readonly app: ElectronApplication; readonly dataDir: string }> {
  const home = temporaryFolder();
  const dataDir = path.join(home, 'data');
  const sandbox = process.platform === 'linux' ? ['--no-sandbox'] : [];
  const app = await _electron.launch({
    args: [...sandbox, REPOSITORY, `--data-dir=${dataDir}`],
    env: { ...process.env, HOME: home },
  });
  onTestFinished(() => app.close().catch(() => undefined));
  await app.firstWindow();
  return { app, dataDir };
}

/** Runs a program as a utility process, as the app does with its own. */
function runUtility(app: ElectronApplication, source: string) {
  return app.evaluate(async ({ utilityProcess, app: electronApp }, text) => {
    const { mkdtempSync, writeFileSync } = process.getBuiltinModule('node:fs');
    const folder = mkdtempSync(`${electronApp.getPath('temp')}/spool-utility-`);
    writeFileSync(`${folder}/program.mjs`, text);
    const child = utilityProcess.fork(`${folder}/program.mjs`, ['one', 'two']);
    const messages: unknown[] = [];
    child.on('message', (message: unknown) => messages.push(message));
    const ended = new Promise<'ended'>((resolve) => {
      child.once('exit', () => resolve('ended'));
    });
    const idle = new Promise<'idle'>((resolve) => {
      setTimeout(() => resolve('idle'), 3000);
    });
    const first = await Promise.race([ended, idle]);
    const wasKilled = child.kill();
    await ended;
    return { messages, first, wasKilled };
  }, source);
}

describe('on Electron', () => {
  it('a utility process has the properties that the stand-in imitates, and does not end when idle', async ({
    skip,
  }) => {
    if (missing !== null) skip(missing);
    const { app } = await openApp();
    const said = await runUtility(
      app,
      `process.parentPort.postMessage({
        electron: typeof process.versions.electron,
        type: process.type,
        args: process.argv.slice(2),
        send: typeof process.send,
      });`,
    );
    expect(said).toEqual({
      messages: [{ electron: 'string', type: 'utility', args: ['one', 'two'], send: 'undefined' }],
      first: 'idle',
      wasKilled: true,
    });
  });

  it('Chromium’s files are in a separate folder', async ({ skip }) => {
    if (missing !== null) skip(missing);
    const { app, dataDir } = await openApp();
    const folders = await app.evaluate(({ app: electronApp }) => [
      electronApp.getPath('userData'),
      electronApp.getPath('sessionData'),
    ]);
    expect(folders).toEqual([path.join(dataDir, 'window'), path.join(dataDir, 'window')]);
  });

  it('the local service starts, and ends with the app', async ({ skip }) => {
    if (missing !== null) skip(missing);
    const { app } = await openApp();
    const page = await app.firstWindow();
    await page.getByRole('button', { name: 'Try it on this computer' }).waitFor();
    const services = (): Promise<number[]> =>
      app.evaluate(({ app: electronApp }) =>
        electronApp
          .getAppMetrics()
          .filter(({ name, serviceName }) => `${name} ${serviceName}`.includes('local service'))
          .map(({ pid }) => pid),
      );
    await expect.poll(services).toHaveLength(1);
    const [pid = 0] = await services();
    await app.close();
    expect(() => process.kill(pid, 0)).toThrow();
  });
});
