import { describe, expect, it } from 'vitest';
import { quotaUsed } from '../../rigs/quota-used.ts';
import { quit, runByCommand, SharedQueue } from '../../rigs/shared-queue.ts';

describe.skipIf(process.platform === 'win32')('a window whose queue a command runs', () => {
  it('shows and controls the queue, and takes over when the command is killed', async () => {
    const home = new SharedQueue();
    home.write(['One', 'Two', 'Later']);
    await home.queue('pause');
    const command = home.spool('run', 'week.csv');
    await command.waitForOutput(/Later: waiting/);
    await home.jobs('hold', '--search', 'Later');
    const desktop = await home.window();
    const { page } = desktop;
    await runByCommand(desktop, command.child.pid).waitFor();
    await page.getByRole('row').filter({ hasText: 'Two' }).waitFor();
    await page.getByRole('button', { name: 'Resume' }).click();
    await command.waitForOutput(/Two: accepted/);
    // Typed text is stored only in the page: the page must not be reloaded.
    await page.getByRole('searchbox').fill('T');
    command.child.kill('SIGKILL');

    await runByCommand(desktop, command.child.pid).waitFor({ state: 'detached' });
    const row = (title: string) => page.getByRole('row').filter({ hasText: title });
    await row('Two').getByText('saved', { exact: true }).waitFor();
    await row('One').waitFor({ state: 'detached' });
    expect(await page.getByRole('searchbox').inputValue()).toBe('T');
    await page.getByRole('searchbox').fill('');
    // The reverse: a command controls the queue that the window runs.
    await home.jobs('release', '--search', 'Later');
    await row('Later').getByText('saved', { exact: true }).waitFor();
    await expect.poll(() => home.saved()).toBe(3);
    expect(await quotaUsed(home.dataDir)).toBe(3);
    await expect
      .poll(async () => (await desktop.journal()).filter(([what]) => what === 'notification'))
      .toContainEqual(['notification', 'week is finished', '3 videos are saved.']);
    // Before the app ends: an ending app makes no posters.
    expect(desktop.complaints).toEqual([]);
    expect(await quit(desktop)).toBe(0);
  });
});
