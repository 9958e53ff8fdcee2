import { globSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openOnStandIn, type Desktop } from '../../rigs/desktop.ts';
import { quotaUsed } from '../../rigs/quota-used.ts';
import { spoolHere } from '../../rigs/spool-here.ts';
import { startSpool } from '../../rigs/spool-process.ts';
import { temporaryFolder } from '../../rigs/temporary-folder.ts';

/** A home folder with a batch file. Its commands and windows share one data folder. */
class Home {
  readonly folder = temporaryFolder();
  readonly dataDir = path.join(this.folder, 'data');

  write(titles: readonly string[]): void {
    const lines = titles.map((title) => `${title},1,480,1:1`);
    const content = ['title,seconds,resolution,aspect', ...lines].join('\n');
    writeFileSync(path.join(this.folder, 'week.csv'), content);
  }

  spool(...args: string[]) {
    const command = [...args, '--data-dir', this.dataDir];
    return startSpool(command, { cwd: this.folder, env: { HOME: this.folder } });
  }

  async jobs(...args: string[]): Promise<void> {
    const command = ['jobs', ...args, '--data-dir', this.dataDir];
    expect(await spoolHere(command, { cwd: this.folder })).toMatchObject({ code: 0 });
  }

  window(): Promise<Desktop> {
    return openOnStandIn({ home: this.folder });
  }

  saved(): number {
    return globSync('renders/**/*.mp4', { cwd: this.folder }).length;
  }
}

const notice = ({ page }: Desktop, pid: number | undefined) =>
  page.getByText(`Another Spool is running this queue (process ${pid})`);

const quit = async ({ evaluate, exitCode }: Desktop): Promise<number | null> => {
  await evaluate(({ app }) => app.quit()).catch(() => undefined);
  return exitCode;
};

describe.skipIf(process.platform === 'win32')('a window whose queue a command runs', () => {
  it('shows and controls the queue, and takes over when the command is killed', async () => {
    const home = new Home();
    home.write(['One', 'Two', 'Later']);
    await home.jobs('pause');
    const command = home.spool('run', 'week.csv');
    await command.waitForOutput(/Later: waiting/);
    await home.jobs('hold', '--search', 'Later');
    const desktop = await home.window();
    const { page } = desktop;
    await notice(desktop, command.child.pid).waitFor();
    await page.getByRole('row').filter({ hasText: 'Two' }).waitFor();
    await page.getByRole('button', { name: 'Resume' }).click();
    await command.waitForOutput(/Two: accepted/);
    // Typed text is stored only in the page: the page must not be reloaded.
    await page.getByRole('searchbox').fill('T');
    command.child.kill('SIGKILL');

    await notice(desktop, command.child.pid).waitFor({ state: 'detached' });
    const row = (title: string) => page.getByRole('row').filter({ hasText: title });
    await row('Two').getByText('saved', { exact: true }).waitFor();
    await row('One').waitFor({ state: 'detached' });
    expect(await page.getByRole('searchbox').inputValue()).toBe('T');
    await page.getByRole('searchbox').fill('');
    // The reverse: a command controls the queue that the window runs.
    await home.jobs('resume', '--search', 'Later');
    await row('Later').getByText('saved', { exact: true }).waitFor();
    await expect.poll(() => home.saved()).toBe(3);
    expect(await quotaUsed(home.dataDir)).toBe(3);
    await expect
      .poll(async () => (await desktop.journal()).filter(([what]) => what === 'notification'))
      .toContainEqual(['notification', 'week is finished', '3 videos are saved.']);
    expect(await quit(desktop)).toBe(0);
    expect(desktop.complaints).toEqual([]);
  });

  it('quits without stopping the command', async () => {
    const home = new Home();
    home.write(['One', 'Two']);
    await home.jobs('pause');
    const command = home.spool('run', 'week.csv');
    await command.waitForOutput(/Two: waiting/);
    const desktop = await home.window();
    await notice(desktop, command.child.pid).waitFor();
    expect(await quit(desktop)).toBe(0);
    await home.jobs('resume');
    const { code, stdout } = await command.result;
    expect(code, stdout).toBe(0);
    expect(stdout).toContain('2 of 2 videos saved');
    expect(await quotaUsed(home.dataDir)).toBe(2);
  });

  it('names the service of the running command when it is another one', async () => {
    const home = new Home();
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
