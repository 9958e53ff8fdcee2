import { globSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import type { Locator } from 'playwright-core';
import { openOnStandIn, type Desktop } from './desktop.ts';
import { spoolHere } from './spool-here.ts';
import { startSpool } from './spool-process.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** A home folder with a batch file. Its commands and windows share one data folder. */
export class SharedQueue {
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

  jobs(...args: string[]): Promise<void> {
    return this.#run('jobs', ...args);
  }

  queue(...args: string[]): Promise<void> {
    return this.#run('queue', ...args);
  }

  async #run(...args: string[]): Promise<void> {
    const command = [...args, '--data-dir', this.dataDir];
    expect(await spoolHere(command, { cwd: this.folder })).toMatchObject({ code: 0 });
  }

  window(): Promise<Desktop> {
    return openOnStandIn({ home: this.folder });
  }

  saved(): number {
    return globSync('renders/**/*.mp4', { cwd: this.folder }).length;
  }
}

/** Says that a command runs the queue of the window. */
export const runByCommand = ({ page }: Desktop, pid: number | undefined): Locator =>
  page.getByText(`Another Spool is running this queue (process ${pid})`);

/** Resolves with the exit code. */
export const quit = async ({ evaluate, exitCode }: Desktop): Promise<number | null> => {
  await evaluate(({ app }) => app.quit()).catch(() => undefined);
  return exitCode;
};
