import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { quotaUsed } from '../../rigs/quota-used.ts';
import { spoolHere } from '../../rigs/spool-here.ts';
import type { SpoolResult } from '../../rigs/spool-process.ts';
import { temporaryFolder } from '../../rigs/temporary-folder.ts';

/** A folder for batches, and `spool` commands on it. */
function fixture() {
  const folder = temporaryFolder();
  const dataDir = path.join(folder, 'data');
  const write = (name: string, ...rows: readonly string[]): string => {
    const lines = rows.map((row) => `${row},1,480,1:1`);
    const content = ['title,seconds,resolution,aspect', ...lines].join('\n');
    writeFileSync(path.join(folder, name), content);
    return name;
  };
  const run = (...args: string[]): Promise<SpoolResult> =>
    spoolHere([...args, '--data-dir', dataDir], { cwd: folder });
  const saved = (): string[] =>
    readdirSync(path.join(folder, 'renders'), { recursive: true })
      .map(String)
      .filter((name) => name.endsWith('.mp4'))
      .toSorted();
  return { folder, dataDir, write, run, saved };
}

describe('several files from the command line', () => {
  it('are a batch each, in their order, with one report and one exit code', async () => {
    const { write, run, saved } = fixture();
    const files = [write('morning.csv', 'Sunrise'), write('evening.csv', 'Sunset', 'Dusk')];
    const { code, stdout, stderr } = await run('run', ...files);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^morning: 1 video, 1 to render[^]*^evening: 2 videos, 2 to render/m);
    expect(stdout).toMatch(/^1\/3 Sunrise: /m);
    expect(stdout).toMatch(/3 of 3 videos saved in renders in \d+ s, free\.\n$/);
    expect(saved()).toEqual([
      'evening/1 Sunset.mp4',
      'evening/2 Dusk.mp4',
      'morning/1 Sunrise.mp4',
    ]);
  });

  it('use the choices of the last file like them, if asked to', async () => {
    const { write, run, saved } = fixture();
    const first = ['run', write('week-1.csv', 'Sunrise'), '--name', '{title} of {batch}'];
    expect((await run(...first, '--duplicates', 'reuse')).code).toBe(0);
    const next = write('week-2.csv', 'Sunset');

    const hint = await run('plan', next);
    const words = hint.stdout + hint.stderr;
    expect(words).toContain(
      'week-1.csv was added with other choices (file names, what to do with duplicates). To use them again, add --as-before.',
    );
    const again = await run('run', next, '--as-before');

    expect(again.stdout + again.stderr).toMatch(
      /As for week-\*\.csv \(week-1\.csv\): .*file names/,
    );
    expect(saved()).toEqual(['Sunrise of week-1.mp4', 'Sunset of week-2.mp4']);
    const other = await run('plan', write('other.csv', 'Dusk'));
    expect(other.stdout + other.stderr).not.toContain('--as-before');
  });

  it('are one batch with --one-batch', async () => {
    const { write, run } = fixture();
    const files = [write('week-1.csv', 'Sunrise'), write('week-2.csv', 'Sunset')];
    // What a pattern such as `*.csv` names after an earlier run.
    files.push(write('week-1.results.csv', 'Sunrise'));
    const { code, stdout } = await run('plan', ...files, '--one-batch');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Sunrise +week-1\.csv 2 +render/m);
    expect(stdout).toMatch(/^Sunset +week-2\.csv 2 +render/m);
    expect(stdout).toMatch(/^week: 2 videos, 2 to render/m);
  });

  it('are forecast one by one', async () => {
    const { write, run, dataDir } = fixture();
    const files = [write('morning.csv', 'Sunrise'), write('evening.csv', 'Sunset')];
    const { code, stdout } = await run('plan', ...files);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^morning: 1 video[^]*^evening: 1 video/m);
    expect(stdout).toContain('Each batch is forecast as if it were added alone.');
    // The service was not even asked.
    expect(existsSync(path.join(dataDir, 'local-service', 'service.sqlite'))).toBe(false);
  });

  it('are all reported and none added when one of them has an error or is missing', async () => {
    const { folder, write, run, dataDir } = fixture();
    const good = write('good.csv', 'Sunrise');
    writeFileSync(path.join(folder, 'bad.csv'), 'title,seconds\nOne,soon');
    for (const more of [[], ['--one-batch']]) {
      const { code, stderr } = await run('run', 'gone.csv', good, 'bad.csv', ...more);
      expect(code).toBe(2);
      expect(stderr).toMatch(/gone\.csv does not exist/);
      expect(stderr).toContain('“bad.csv”: Row 2, seconds: “soon” is not a number.');
    }
    // Not even the queue was opened.
    expect(existsSync(dataDir)).toBe(false);
  });

  it('with the same row pay for it once, and each gets the video', async () => {
    const { write, run, saved, dataDir } = fixture();
    const files = [write('b.csv', 'Sunrise', 'Noon'), write('c.csv', 'Sunrise')];
    // Where nothing is paid, the service keeps no saved video, so such a row is rendered again.
    const practice = ['--service', 'local', '--account-plan', 'starter'];
    const { code, stdout, stderr } = await run('run', ...files, ...practice);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^c: 1 video, 1 already in other batches\./m);
    expect(stdout).toMatch(/3 of 3 videos saved in renders in \d+ s, 2 videos of the quota\.\n$/);
    expect(saved()).toEqual(['b/1 Sunrise.mp4', 'b/2 Noon.mp4', 'c/1 Sunrise.mp4']);
    expect(await quotaUsed(dataDir)).toBe(2);
  });

  it('with the same row pay for both with --duplicates render', async () => {
    const { write, run, dataDir } = fixture();
    const files = [write('b.csv', 'Sunrise'), write('c.csv', 'Sunrise')];
    const { code } = await run('run', ...files, '--duplicates', 'render');
    expect(code).toBe(0);
    expect(await quotaUsed(dataDir)).toBe(2);
  });

  it('say with exit code 5 that a row waits for one of another batch that the user holds', async () => {
    const { folder, write, run, saved, dataDir } = fixture();
    await run('queue', 'pause');
    const stop = new AbortController();
    const stdout = new PassThrough();
    stdout.on('data', (text) => {
      if (String(text).includes('1/1 Sunrise')) stop.abort();
    });
    await spoolHere(['run', write('b.csv', 'Sunrise'), '--data-dir', dataDir], {
      cwd: folder,
      stdout: stdout as object as NodeJS.WriteStream,
      interrupted: stop.signal,
    });
    await run('jobs', 'hold', '--all');
    await run('queue', 'resume');

    const held = await run('run', write('c.csv', 'Sunrise'));
    expect(held.code).toBe(5);
    expect(held.stdout).toContain('0 of 1 video saved');
    expect(held.stdout).toContain('1 video was not added, because another batch has the same one');
    const planned = await run('plan', 'c.csv');
    expect(planned.stdout).toMatch(/^Sunrise +2 +already in b/m);

    expect((await run('run', 'c.csv', '--duplicates', 'skip')).code).toBe(0);
    expect((await run('run', 'c.csv', '--duplicate-row', '2=render')).code).toBe(0);
    expect(saved()).toEqual(['c/1 Sunrise.mp4']);
  });

  it('cannot be combined with --duplicate-row', async () => {
    const { write, run } = fixture();
    const files = [write('a.csv', 'Sunrise'), write('b.csv', 'Sunset')];
    const { code, stderr } = await run('plan', ...files, '--duplicate-row', '2=render');
    expect(code).toBe(2);
    expect(stderr).toContain('--duplicate-row can be used with one file only.');
  });
});
