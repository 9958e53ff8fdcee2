import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Interruption } from '../../../src/cli/exit-codes.ts';
import { takeFolder } from '../../../src/engine/engine.ts';
import { builtService } from '../../rigs/built-programs.ts';
import { NOON } from '../../rigs/job-builder.ts';
import { quotaUsed } from '../../rigs/quota-used.ts';
import { ScriptedProgram } from '../../rigs/scripted-program.ts';
import { spoolHere } from '../../rigs/spool-here.ts';
import { spool, startSpool, type SpoolResult } from '../../rigs/spool-process.ts';
import { temporaryFolder } from '../../rigs/temporary-folder.ts';

/** A folder with a batch and a data folder, and `spool` commands on them. */
class CliFixture {
  readonly folder = temporaryFolder();
  readonly #dataDir = path.join(this.folder, 'data');

  write(rows: readonly string[], seconds = 1): void {
    const lines = rows.map((title) => `${title},${seconds},480,1:1`);
    const content = ['title,seconds,resolution,aspect', ...lines].join('\n');
    writeFileSync(path.join(this.folder, 'batch.csv'), content);
  }

  /** In a separate process, as from a shell. */
  run(...args: string[]): Promise<SpoolResult> {
    return spool(this.#command(args), { cwd: this.folder });
  }

  /** The same in this process. */
  runHere(...args: string[]): Promise<SpoolResult> {
    return spoolHere(this.#command(args), { cwd: this.folder });
  }

  doctor(...args: string[]): Promise<SpoolResult> {
    const command = ['doctor', '--data-dir', this.#dataDir, '--service', 'local', ...args];
    return spoolHere(command, { cwd: this.folder });
  }

  /** Stops or resumes all sending, so that the test can check the state before. */
  async sending(what: 'pause' | 'resume'): Promise<void> {
    const command = ['queue', what, '--data-dir', this.#dataDir];
    expect(await spoolHere(command, { cwd: this.folder })).toMatchObject({ code: 0 });
  }

  start(...args: string[]) {
    return startSpool(this.#command(args), { cwd: this.folder });
  }

  /** The names of the videos, in order. */
  saved(): string[] {
    return readdirSync(path.join(this.folder, 'renders'), { recursive: true })
      .map(String)
      .filter((name) => name.endsWith('.mp4'))
      .toSorted();
  }

  /** Every file in the folder. */
  files(): string[] {
    return readdirSync(this.folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath, entry.name));
  }

  quotaUsed(): Promise<number> {
    return quotaUsed(this.#dataDir);
  }

  #command([name = 'run', ...options]: string[]): string[] {
    return [name, 'batch.csv', '--data-dir', this.#dataDir, ...options];
  }
}

describe('a batch from the command line', () => {
  it('is rendered and saved once, and after a change only what changed', async () => {
    const fixture = new CliFixture();
    fixture.write(['Sunrise', 'Sunset']);
    const first = await fixture.run();
    expect(first).toMatchObject({ code: 0, stderr: '' });
    expect(first.stdout).not.toContain('\u001b');
    expect(first.stdout).toMatch(/^batch: 2 videos, 2 to render/m);
    expect(first.stdout).toMatch(/^1\/2 Sunrise: accepted/m);
    expect(first.stdout).toMatch(/^2\/2 Sunset: saved, 0:01 · /m);
    expect(first.stdout).toMatch(
      /^file +length +size +time\nrenders\/batch\/1 Sunrise\.mp4 +0:01/m,
    );
    expect(first.stdout).toMatch(/2 of 2 videos saved in renders in \d+ s, free\.\n$/);
    expect(fixture.saved()).toEqual(['batch/1 Sunrise.mp4', 'batch/2 Sunset.mp4']);
    for (const name of fixture.saved()) expect(streamsOf(fixture, name)).toEqual(['aac', 'h264']);

    const second = await fixture.runHere();
    expect(second).toMatchObject({ code: 0 });
    expect(second.stdout).toContain('batch: 2 videos, 2 already saved.');
    expect(await fixture.quotaUsed()).toBe(2);

    // Missing and damaged files are rendered again, because the service keeps no saved video.
    const [sunrise, sunset] = fixture
      .saved()
      .map((name) => path.join(fixture.folder, 'renders', name));
    rmSync(sunrise ?? '');
    appendFileSync(sunset ?? '', 'x');
    const repaired = await fixture.doctor('--fix');
    expect(repaired).toMatchObject({
      code: 0,
      stderr: expect.not.stringContaining('defect') as string,
    });
    expect(repaired.stdout).toMatch(/✓ service +The service on this computer starts and answers/);
    expect(repaired.stdout).toMatch(/✕ files +2 of 2 files [^]*“Sunrise”[^]*“Sunset”.* damaged/);
    expect(repaired.stdout).toMatch(/✓ files +2 videos restored\.\n/);
    expect(fixture.saved()).toEqual([
      'batch/1 Sunrise.mp4',
      'batch/2 Sunset (damaged).mp4',
      'batch/2 Sunset.mp4',
    ]);
    expect(await fixture.quotaUsed()).toBe(4);

    // One file is gone and one row has changed: both are rendered.
    rmSync(path.join(fixture.folder, 'renders', 'batch', '1 Sunrise.mp4'));
    fixture.write(['Sunrise', 'Nightfall']);
    const third = await fixture.runHere('run', '--json');
    const events = third.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(events[0]).toMatchObject({ event: 'planned', name: 'batch' });
    expect(events.at(-1)).toEqual({ event: 'ended', exitCode: 0, videos: 2, saved: 2 });
    expect(third.stderr).toContain('2 to render');
    expect(fixture.saved()).toContain('batch/1 Sunrise.mp4');
    expect(fixture.saved()).toContain('batch/2 Nightfall.mp4');
    expect(await fixture.quotaUsed()).toBe(6);

    // abuse.md 17
    for (const { stdout, stderr } of [first, second, third]) {
      expect(stdout + stderr).not.toContain('svc_live_');
    }
    for (const file of fixture.files()) {
      expect(readFileSync(file).includes('svc_live_'), file).toBe(false);
    }
  });

  it('is kept when it is interrupted, and resumes where it stopped', async () => {
    const fixture = new CliFixture();
    fixture.write(['One', 'Two', 'Three']);
    const running = fixture.start('run');
    await running.waitForOutput(/: accepted/);
    running.child.kill('SIGINT');
    const interrupted = await running.result;
    expect(interrupted).toMatchObject({ code: 130 });
    expect(interrupted.stdout).toContain('Interrupted. Everything is kept');

    const resumed = await fixture.runHere();
    expect(resumed).toMatchObject({ code: 0 });
    expect(resumed.stdout).toMatch(/3 of 3 videos saved/);
    expect(await fixture.quotaUsed()).toBe(3);
  });

  it('is rendered by the Spool that is running, and taken over when that one ends', async () => {
    const fixture = new CliFixture();
    fixture.write(['One', 'Two'], 3);
    await fixture.sending('pause');
    const first = fixture.start('run');
    await first.waitForOutput(/One: waiting/);
    const second = fixture.start('run', '--json');
    await second.waitForOutput(/"event":"job"/);

    const other = await fixture.runHere('plan', '--service', 'https://api.service.example');
    expect(other).toMatchObject({ code: 1, stdout: '' });
    expect(other.stderr).toMatch(/is running .* with the service local\. Leave --service out/);

    await fixture.sending('resume');
    // A request in progress at the kill would rightly stay uncertain.
    await first.waitForOutput(/Two: accepted/);
    first.child.kill('SIGKILL');
    const { code, stdout, stderr } = await second.result;
    expect(code, stdout + stderr).toBe(0);
    expect(stderr).toContain('The Spool running this queue has ended; this one takes over.');
    expect(stdout).toContain('"event":"ended","exitCode":0,"videos":2,"saved":2');
    expect(await fixture.quotaUsed()).toBe(2);
  });

  it('stays with the Spool that is running when a second one is interrupted', async () => {
    const fixture = new CliFixture();
    fixture.write(['One']);
    await fixture.sending('pause');
    const first = fixture.start('run');
    await first.waitForOutput(/One: waiting/);
    const second = fixture.start('run');
    await second.waitForOutput(
      /^Another Spool is running this queue\. It processes this batch\.\n[^]*One: /,
    );
    second.child.kill('SIGINT');
    expect(await second.result).toMatchObject({ code: 130 });
    expect((await second.result).stdout).toContain('The other Spool continues with this batch');
    await fixture.sending('resume');
    expect(await first.result).toMatchObject({ code: 0 });
  });

  it('waits for a process that holds the queue without answering yet, up to a limit', async () => {
    const fixture = new CliFixture();
    fixture.write(['One']);
    const dataDir = path.join(fixture.folder, 'data');
    const lock = await takeFolder(dataDir);
    onTestFinished(() => lock.release());
    // The time limit is reached some attempts later.
    let asked = 0;
    const now = (): number => (asked++ < 8 ? NOON : Infinity);
    const command = ['run', 'batch.csv', '--data-dir', dataDir];
    const { code, stdout, stderr } = await spoolHere(command, { cwd: fixture.folder, now });
    expect(asked).toBeGreaterThan(8);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^Spool is already running with this data folder/);
  });

  it('stops waiting for that process when it is interrupted', async () => {
    const fixture = new CliFixture();
    fixture.write(['One']);
    const dataDir = path.join(fixture.folder, 'data');
    const lock = await takeFolder(dataDir);
    onTestFinished(() => lock.release());
    const interrupt = new AbortController();
    let asked = 0;
    const now = (): number => {
      asked += 1;
      if (asked === 3) interrupt.abort(new Interruption('SIGINT'));
      return asked < 8 ? NOON : Infinity;
    };
    const { code } = await spoolHere(['run', 'batch.csv', '--data-dir', dataDir], {
      cwd: fixture.folder,
      now,
      interrupted: interrupt.signal,
    });
    expect(code).toBe(130);
    expect(asked).toBeLessThan(8);
  });

  it('is not added if the command is interrupted before, while the service starts', async () => {
    const fixture = new CliFixture();
    fixture.write(['One']);
    const dataDir = path.join(fixture.folder, 'data');
    const interrupt = new AbortController();
    const { code } = await spoolHere(['run', 'batch.csv', '--data-dir', dataDir], {
      cwd: fixture.folder,
      interrupted: interrupt.signal,
      serviceProgram: (args, ...rest) => {
        if (args[0] === 'start') interrupt.abort(new Interruption('SIGINT'));
        return builtService(args, ...rest);
      },
    });
    expect(code).toBe(130);
    const list = await spoolHere(['jobs', 'list', '--data-dir', dataDir], { cwd: fixture.folder });
    expect(list).toMatchObject({ code: 0 });
    expect(list.stdout).not.toContain('One');
  });

  it('ends at once when it is interrupted while the service does not start', async () => {
    const fixture = new CliFixture();
    fixture.write(['One']);
    const service = new ScriptedProgram();
    service.hangs = true;
    const interrupt = new AbortController();
    const ended = spoolHere(['run', 'batch.csv', '--data-dir', path.join(fixture.folder, 'data')], {
      cwd: fixture.folder,
      interrupted: interrupt.signal,
      serviceProgram: service.program,
    });
    await expect.poll(() => service.isStarting).toBe(true);
    interrupt.abort(new Interruption('SIGINT'));
    expect(await ended).toEqual({
      code: 130,
      stdout: 'Starting the video service on this computer …\n',
      stderr: '',
    });
    expect(service.runs).toBe(false);
  }, 20_000);

  it('is forecast without anything being sent or spent', async () => {
    const fixture = new CliFixture();
    fixture.write(['Sunrise', 'Sunset']);
    const plan = await fixture.runHere('plan');
    expect(plan).toMatchObject({ code: 0, stderr: '' });
    expect(plan.stdout).toMatch(
      /^video +row +what +sent +saved\nSunrise +2 +render +now +in (?:a moment|about )/,
    );
    expect(plan.stdout).toMatch(/2 videos, 2 to render/);
    // The service was not even asked.
    const database = path.join(fixture.folder, 'data', 'local-service', 'service.sqlite');
    expect(existsSync(database)).toBe(false);
  });

  it('names the placeholders of its file names that are left empty', async () => {
    const fixture = new CliFixture();
    fixture.write(['Sunrise']);
    const plan = await fixture.runHere('plan', '--name', '{index} {titel}');
    expect(plan).toMatchObject({ code: 0 });
    expect(plan.stdout).toContain('There is no column called {titel}. It is left empty.');
  });

  it('is not sent with a decision about a row that it does not have', async () => {
    const fixture = new CliFixture();
    fixture.write(['Sunrise', 'Sunset']);
    const decisions = ['--duplicate-row', '3=skip', '--duplicate-row', '30=render'];
    const { code, stdout, stderr } = await fixture.runHere('run', ...decisions);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toBe('--duplicate-row: the file has no row 30. spool plan shows the numbers.\n');
  });

  it('names the field that the service refuses, and the reason', async () => {
    const fixture = new CliFixture();
    fixture.write(['Sunrise']);
    const scenes = [{ kind: 'title', text: '{{title}}' }];
    const template = path.join(fixture.folder, 'template.json');
    writeFileSync(template, JSON.stringify({ title: '{{title}}', aspect: 'banana', scenes }));
    const { code, stdout } = await fixture.runHere('run', '--template', template);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^1\/1 Sunrise: refused, aspect: must be .*16:9/m);
    expect(stdout).toMatch(/^✕ Sunrise \(row 2\): refused, aspect: must be .*16:9/m);
    expect(stdout).not.toMatch(/answered|details/);
    const jobs = (...args: string[]) =>
      spoolHere(['jobs', ...args, '--data-dir', path.join(fixture.folder, 'data')], {
        cwd: fixture.folder,
      });
    const shown = await jobs('show', '1');
    expect(shown.stdout).toMatch(
      /^why +The service refused this video\. It cost nothing\. \(aspect: must be .*16:9/m,
    );
    expect(shown.stdout).toMatch(/The request is not valid: aspect must be/);
  });

  it('ends with 4 when it exceeds the month’s quota', async () => {
    const fixture = new CliFixture();
    fixture.write(['One', 'Two', 'Three', 'Four']);
    const { code, stdout } = await fixture.runHere('run', '--account-plan', 'free');
    expect(code).toBe(4);
    expect(stdout).toMatch(/1 video will not fit in this month’s quota/);
    expect(stdout).toMatch(/3 of 4 videos saved[^]*waits for the quota of the free plan to reset/);
    expect(fixture.saved()).toHaveLength(3);
  });
});

function streamsOf(fixture: CliFixture, name: string): string[] {
  const file = path.join(fixture.folder, 'renders', name);
  const args = ['-v', 'error', '-show_entries', 'stream=codec_name', '-of', 'csv=p=0', file];
  return execFileSync('ffprobe', args, { encoding: 'utf8' }).trim().split('\n').toSorted();
}
