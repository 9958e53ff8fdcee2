import { describe, expect, it } from 'vitest';
import { quotaUsed } from '../rigs/quota-used.ts';
import { quit, runByCommand, SharedQueue } from '../rigs/shared-queue.ts';

describe.skipIf(process.platform === 'win32')('a window whose queue a command runs', () => {
  it('quits without stopping the command', async () => {
    const home = new SharedQueue();
    home.write(['One', 'Two']);
    await home.queue('pause');
    const command = home.spool('run', 'week.csv');
    await command.waitForOutput(/Two: waiting/);
    const desktop = await home.window();
    await runByCommand(desktop, command.child.pid).waitFor();
    expect(await quit(desktop)).toBe(0);
    await home.queue('resume');
    const { code, stdout } = await command.result;
    expect(code, stdout).toBe(0);
    expect(stdout).toContain('2 of 2 videos saved');
    expect(await quotaUsed(home.dataDir)).toBe(2);
  });

  it('names the service of the running command when it is another one', async () => {
    const home = new SharedQueue();
    const command = home.spool('web', '--service', 'https://service.invalid');
    await command.waitForOutput(/Spool is at/);
    const desktop = await home.window();
    const { page } = desktop;
    await page.getByText('Another Spool is working on these videos').waitFor();
    await page.getByText(/with the service https:\/\/service\.invalid\./).waitFor();
    command.child.kill('SIGINT');
    await page.getByRole('heading', { name: 'Your first video' }).waitFor();
    await page.getByText('Another Spool').waitFor({ state: 'detached' });
    expect(await quit(desktop)).toBe(0);
  });
});
