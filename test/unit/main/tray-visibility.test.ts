import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { trayCheck, TrayVisibility } from '../../../src/main/tray-visibility.ts';
import { missingForSession } from '../../rigs/desktop-session.ts';
import { REPOSITORY } from '../../rigs/spool-process.ts';

const noWait = (): Promise<void> => Promise.resolve();

it('waits for a panel that starts after the app', async () => {
  const answers = [false, false, true];
  const tray = new TrayVisibility(() => Promise.resolve(answers.shift() ?? false));
  expect(await tray.waitUntilVisible(noWait)).toBe(true);
  expect(tray.isVisible).toBe(true);
});

it('stops waiting after seconds where no tray appears', async () => {
  let waited = 0;
  const tray = new TrayVisibility(() => Promise.resolve(false));
  const isVisible = await tray.waitUntilVisible((milliseconds) => {
    waited += milliseconds;
    return noWait();
  });
  expect(isVisible).toBe(false);
  expect(waited).toBeGreaterThan(5000);
  expect(waited).toBeLessThan(15_000);
});

it('a tray is assumed on macOS and Windows', async () => {
  expect(await trayCheck('darwin')()).toBe(true);
  expect(await trayCheck('win32')()).toBe(true);
});

it('a session bus is asked for its services', ({ skip }) => {
  skip(missingForSession.length > 0, `needs ${missingForSession.join(', ')}`);
  const file = pathToFileURL(path.join(REPOSITORY, 'src', 'main', 'tray-visibility.ts')).href;
  const asked = `const { isOnSessionBus, trayCheck } = await import('${file}');
    console.log(await isOnSessionBus('org.freedesktop.DBus'), await trayCheck('linux')());`;
  const args = ['--', process.execPath, '--input-type=module', '--eval', asked];
  expect(execFileSync('dbus-run-session', args, { encoding: 'utf8', stdio: 'pipe' })).toBe(
    'true false\n',
  );
});
