import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Job } from '../../../src/contract/job.ts';
import type { JobState } from '../../../src/contract/job-states.ts';
import { DOCUMENTED_API } from '../../../src/contract/service-profile.ts';
import { userMessage } from '../../../src/contract/user-message.ts';
import { builtInProfile } from '../../../src/engine/profiles/services.ts';
import { openPrimaryEndpoint } from '../../../src/host/primary-endpoint.ts';
import { EngineRig, ORIGIN } from '../../rigs/engine-rig.ts';
import { oneService, routerFor } from '../../rigs/router-for.ts';
import { spoolHere } from '../../rigs/spool-here.ts';
import type { SpoolResult } from '../../rigs/spool-process.ts';

const TITLES = ['Saved', '=1+1', 'Doubtful', 'Waiting', 'Last'];

/** A queue with a saved, a failed and an uncertain video, and two that wait. Its engine runs. */
async function mixedQueue(): Promise<EngineRig> {
  const rig = await EngineRig.open();
  const { engine, service } = rig;
  await engine.commands.queue.pause({ origin: engine.origin, what: 'sending' });
  const ids = await rig.add(TITLES, 'Launch.csv');
  const sendUntil = async (index: number, state: JobState): Promise<void> => {
    await engine.commands.queue.stopBefore({ origin: engine.origin, id: ids[index + 1] ?? null });
    await engine.commands.queue.resume({ origin: engine.origin });
    await rig.until(async () => (await rig.job(index)).state === state);
  };
  await sendUntil(0, 'done');
  const error = '@SUM(A1) is no scene';
  service.nextStatus.push({ state: 'failed', word: 'failed', progress: null, error });
  await sendUntil(1, 'failed');
  const failure = {
    code: 'outcome-unknown',
    ...userMessage('verbatim', { text: 'The connection broke.' }),
  } as const;
  service.nextGenerate.push({ kind: 'unknown', failure, response: null });
  await sendUntil(2, 'uncertain');
  await engine.commands.queue.pause({ origin: engine.origin, what: 'sending' });
  return rig;
}

/** Runs `spool jobs …` on a rig's queue. */
function jobs(rig: EngineRig, ...args: string[]): Promise<SpoolResult> {
  return spoolAt(rig, 'jobs', ...args);
}

function queue(rig: EngineRig, ...args: string[]): Promise<SpoolResult> {
  return spoolAt(rig, 'queue', ...args);
}

function spoolAt(rig: EngineRig, ...args: string[]): Promise<SpoolResult> {
  return spoolHere([...args, '--data-dir', rig.folder, '--service', ORIGIN], { cwd: rig.folder });
}

async function statesOf(rig: EngineRig): Promise<Record<string, string>> {
  const { stdout } = await jobs(rig, 'list', '--json');
  const events = stdout.trim().split('\n');
  const listed = events.map((line) => (JSON.parse(line) as { event: 'job'; job: Job }).job);
  return Object.fromEntries(listed.map(({ title, state }) => [title, state]));
}

describe('the queue from the command line, while no Spool runs', () => {
  it('moves files of saved videos to the trash only when that is confirmed', async () => {
    const rig = await mixedQueue();
    const { file } = await rig.job(0);
    await rig.engine.close();
    const saved = file?.path ?? '';
    const none = await jobs(rig, 'remove', '--search', 'zebra', '--trash-files', '--json');
    expect(JSON.parse(none.stdout)).toMatchObject({ event: 'changed', changed: 0 });
    const asked = await jobs(rig, 'remove', '--state', 'done', '--trash-files');
    expect(asked).toMatchObject({ code: 2, stdout: '' });
    expect(asked.stderr).toContain('Nothing was removed. Add --yes');
    expect(existsSync(saved)).toBe(true);

    // Somebody else's file by now: it stays, and so does the row.
    appendFileSync(saved, 'more');
    const refused = await jobs(rig, 'remove', '--state', 'done', '--trash-files', '--yes');
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toContain('Saved');
    expect(existsSync(saved)).toBe(true);
    expect(await statesOf(rig)).toHaveProperty('Saved', 'done');
  });

  it('edits, moves, prioritises and removes many at once', async () => {
    const rig = await mixedQueue();
    await rig.engine.close();
    const titles = async (): Promise<readonly string[]> => Object.keys(await statesOf(rig));

    const edited = await jobs(rig, 'edit', '--state', 'queued', '--set', 'seconds=9');
    expect(edited).toMatchObject({ code: 0, stdout: '2 videos changed.\n' });
    const replaced = [
      'edit',
      '--all',
      '--replace',
      'title=LAST',
      '--with',
      'Next',
      '--ignore-case',
    ];
    expect((await jobs(rig, ...replaced)).stdout).toBe('1 video changed.\n');
    expect(await titles()).toEqual(['Saved', '=1+1', 'Doubtful', 'Waiting', 'Next']);
    await jobs(rig, 'move', '--search', 'Next', '--first');
    expect(await titles()).toEqual(['Next', 'Saved', '=1+1', 'Doubtful', 'Waiting']);
    expect((await jobs(rig, 'prioritise', 'high', '--search', 'Waiting')).stdout).toBe(
      'Priority of 1 video changed.\n',
    );
    expect((await titles())[0]).toBe('Waiting');
    expect((await jobs(rig, 'remove', '--all')).stdout).toBe('1 video removed.\n');
    expect(await titles()).toEqual(['Waiting', 'Next', 'Saved', 'Doubtful']);
    for (let step = 0; step < 5; step += 1) await jobs(rig, 'undo');
    expect(await titles()).toEqual(TITLES);

    const bad = await jobs(rig, 'edit', '--all', '--set', 'seconds=long');
    expect([bad.code, bad.stderr]).toEqual([1, expect.stringContaining('“long” is not a number')]);
    expect(await jobs(rig, 'edit', '--all')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Say what to change') as string,
    });
    expect(await jobs(rig, 'move', '--search', 'x')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Use --before') as string,
    });
  });

  it('says that videos wait for a Spool, and asks for no key', async () => {
    const rig = await mixedQueue();
    await rig.engine.close();
    await queue(rig, 'resume');

    const { stdout } = await jobs(rig);

    expect(stdout).toMatch(/Waiting +Launch +○ waiting +when Spool runs\n/);
    expect(stdout).not.toContain('key');
  });

  it('says what videos cost, for people, programs and spreadsheets', async () => {
    const rig = await mixedQueue();
    await rig.engine.close();
    const cost = (...args: string[]): Promise<SpoolResult> => spoolAt(rig, 'cost', ...args);
    // The video that failed was given back; the uncertain one is reserved.
    expect((await cost('--by', 'batch')).stdout).toMatch(/Launch +1 +1 video of the quota\n/);
    expect(JSON.parse((await cost('--by', 'batch', '--json')).stdout)).toMatchObject({
      ...{ event: 'cost', by: 'batch', name: 'Launch', videos: 1, amounts: [] },
    });
    const csv = (await cost('--csv')).stdout;
    expect(csv).toMatch(/month,videos,amount,unit,estimated\r?\n\d{4}-\d{2}-01,1,,,/);
    const wrong = await cost('--by', 'hour');
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('week, month')]);
  });

  it('undoes changes, the last one or any by its number', async () => {
    const rig = await mixedQueue();
    await rig.engine.close();
    await jobs(rig, 'hold', '--search', 'Waiting');
    await jobs(rig, 'cancel', '--state', 'queued,held');
    expect(await statesOf(rig)).toMatchObject({ Waiting: 'cancelled', Last: 'cancelled' });

    const listed = await jobs(rig, 'undo', '--list');
    expect(listed.stdout).toMatch(/2 {2}.*2 videos cancelled\n +1 {2}.*1 video held\n/);
    expect((await jobs(rig, 'undo')).stdout).toBe('Undone: 2 videos cancelled.\n');
    expect(await statesOf(rig)).toMatchObject({ Waiting: 'held', Last: 'queued' });
    const undone = await jobs(rig, 'undo', '1', '--json');
    expect(JSON.parse(undone.stdout)).toMatchObject({
      event: 'undone',
      command: 'hold',
      changed: 1,
    });
    expect(await statesOf(rig)).toMatchObject({ Waiting: 'queued', Last: 'queued' });

    expect((await jobs(rig, 'undo')).stdout).toBe('There is nothing to undo.\n');
    const again = await jobs(rig, 'undo', '2');
    expect([again.code === 0, again.stderr]).toEqual([
      false,
      expect.stringContaining('This can no longer be undone.'),
    ]);
  });

  it('leaves cancelling at the service to a running Spool', async () => {
    const { origin, ...api } = builtInProfile('runway').api ?? DOCUMENTED_API;
    const rig = await EngineRig.open({ origin: origin ?? '', api: { ...api, origin } });
    await rig.add(['Sent', 'Next']);
    await rig.until(async () => (await rig.job(0)).state === 'rendering');
    await rig.engine.commands.queue.pause({ origin: rig.engine.origin, what: 'everything' });
    const ids = (await rig.jobs()).map(({ id }) => id);
    await rig.engine.close();
    const cancel = (id: string): Promise<SpoolResult> =>
      spoolHere(['jobs', 'cancel', id, '--data-dir', rig.folder, '--service', 'runway'], {
        cwd: rig.folder,
      });

    const sent = await cancel(ids[0] ?? '');
    const again = await cancel(ids[0] ?? '');

    expect(sent.stdout).toContain('1 video cancelled.');
    expect(sent.stdout).toContain('Spool asks the service to cancel it when it next runs');
    expect(again.stdout).not.toContain('when it next runs');
  });

  it('is archived and put back, and the archive is listed by its batch', async () => {
    const rig = await EngineRig.open();
    const [saved = ''] = await rig.add(['Saved'], 'Launch.csv');
    await rig.until(async () => (await rig.job(0)).state === 'done');
    await rig.engine.commands.queue.pause({ origin: rig.engine.origin, what: 'sending' });
    const [waiting = ''] = await rig.add(['Waiting'], 'Next.csv');
    await rig.close();

    expect(await jobs(rig, 'archive', saved, waiting)).toMatchObject({
      code: 1,
      stdout: '1 video archived.\n',
      stderr: expect.stringContaining(`${waiting} “Waiting”: `) as string,
    });
    expect((await jobs(rig)).stdout).not.toContain('Saved');
    expect((await jobs(rig, 'show', saved)).stdout).toMatch(/^batch +Launch, row /m);
    const archived = await jobs(rig, 'list', '--archived', '--batch', 'Launch');
    expect(archived.stdout).toMatch(/ Saved +Launch +✓ saved[^]*\n1 video: 1 saved\.\n/);
    expect(await jobs(rig, 'unarchive', '--all')).toMatchObject({
      code: 0,
      stdout: '1 video put back into the queue’s list.\n',
    });
    expect(await jobs(rig, 'archive', '--finished')).toMatchObject({
      code: 0,
      stdout: '1 video archived.\n',
    });
    expect((await jobs(rig)).stdout).toMatch(/^id[^]* Waiting +Next [^]*\n1 video: 1 waiting\.\n/);
  });

  it('is listed and shown, arranged, resolved and exported', async () => {
    const rig = await mixedQueue();
    const ids = (await rig.jobs()).map(({ id }) => id);
    const [saved = '', failed = '', doubtful = '', waiting = ''] = ids;
    await rig.close();

    const list = await jobs(rig);
    expect(list).toMatchObject({ code: 0, stderr: '' });
    expect(list.stdout).toMatch(/^id +video +batch +state\n/);
    expect(list.stdout).toMatch(/ Saved +Launch +✓ saved +0:10 · 2\.05 kB\n/);
    expect(list.stdout).toMatch(/ Doubtful +Launch +\? uncertain +it may have been accepted/);
    expect(list.stdout).toContain(
      '5 videos: 1 saved, 1 failed, 1 uncertain, 2 waiting.\nNo Spool is running here',
    );
    const some = await jobs(rig, 'list', '--batch', 'Launch', '--state', 'done,failed');
    expect(some.stdout).toMatch(/^2 videos: 1 saved, 1 failed\.\n$/m);

    const sheet = await jobs(rig, 'show', saved);
    expect(sheet.stdout).toMatch(/^Saved\nstate +✓ saved[^]*\nfile +renders\/Launch\/1 Saved\.mp4/);
    expect(sheet.stdout).toMatch(
      /"title": "Saved"[^]*history\n[^]*Download started\n[^]*Saved and checked\n/,
    );

    const names = ['rename', '{batch} {title} {tilt}', '--all'];
    expect(await jobs(rig, ...names, '--dry-run')).toMatchObject({
      code: 0,
      stderr: 'There is no column called {tilt}. It is left empty.\n',
      stdout: 'Launch/1 Saved.mp4 → Launch Saved.mp4\n',
    });
    expect(await jobs(rig, 'rename', 'Clips/{title}', saved, waiting)).toMatchObject({
      code: 1,
      stdout: '1 file is renamed.\n',
      stderr: `${waiting} “Waiting”: This video is not saved yet.\n`,
    });
    expect((await jobs(rig, 'show', saved)).stdout).toMatch(
      /\nfile +renders\/Clips\/Saved\.mp4[^]*Launch\/1 Saved\.mp4 is now Clips\/Saved\.mp4\./,
    );
    expect(await jobs(rig, 'rename', '{title}')).toMatchObject({ code: 2 });

    expect(await queue(rig, 'resume')).toMatchObject({
      code: 0,
      stderr: '',
      stdout: expect.stringMatching(/^The queue is resumed\.\nNo Spool is running/) as string,
    });
    expect(await jobs(rig, 'hold', '--all')).toMatchObject({
      code: 0,
      stderr: '',
      stdout: '2 videos held.\n',
    });
    const mixed = await jobs(rig, 'release', waiting, saved);
    expect(mixed).toMatchObject({ code: 1, stderr: `${saved} “Saved”: It is not on hold.\n` });
    expect(mixed.stdout).toMatch(/^1 video released\.\nNo Spool is running/);
    const retried = await jobs(rig, 'retry', '--batch', 'Launch', '--json');
    expect(JSON.parse(retried.stdout)).toEqual({
      event: 'changed',
      changed: 1,
      refused: [],
      step: null,
      plan: {
        origin: ORIGIN,
        downloads: 0,
        renders: 1,
        gone: 0,
        contentRefused: 0,
        cost: null,
        goneCost: null,
      },
    });
    expect(await jobs(rig, 'cancel', waiting)).toMatchObject({ code: 0 });

    const undecided = await jobs(rig, 'resolve', doubtful);
    expect(undecided).toMatchObject({ code: 2, stdout: '' });
    const made = await jobs(rig, 'resolve', doubtful, '--accepted', 'vid_found');
    expect(made.stdout).toContain('“Doubtful” was accepted as vid_found');
    expect(await jobs(rig, 'resolve', doubtful, '--abandon')).toMatchObject({ code: 1 });

    expect(await statesOf(rig)).toEqual({
      Saved: 'done',
      '=1+1': 'queued',
      Doubtful: 'submitted',
      Waiting: 'cancelled',
      Last: 'held',
    });
    expect(failed).not.toBe('');
  });

  it('is retried at the stated cost, and pays nothing twice unless asked to', async () => {
    const rig = await EngineRig.open();
    await rig.engine.commands.transfers.pause({ origin: rig.engine.origin });
    await rig.add(['Gone', 'Gone too'], 'Gone.csv');
    await rig.until(async () => (await rig.update()).counts.ready === 2);
    const gone = { status: 410, body: { success: false, code: 'VIDEO_EXPIRED' } };
    for (const { remoteId } of await rig.jobs()) {
      rig.service.linkResponses.set(remoteId ?? '', gone);
      rig.service.statusResponses.set(remoteId ?? '', gone);
    }
    await rig.engine.commands.transfers.resume({ origin: rig.engine.origin });
    await rig.until(async () => (await rig.update()).counts.failed === 2);
    const damaged = {
      kind: 'failed',
      code: 'damaged',
      ...userMessage('verbatim', { text: 'It is damaged.' }),
    } as const;
    rig.nextDownload.push(damaged);
    await rig.add(['Damaged'], 'Damaged.csv');
    await rig.until(async () => (await rig.update()).counts.failed === 3);
    const [, second = ''] = (await rig.jobs()).map(({ id }) => id);
    await rig.close();

    expect(await jobs(rig, 'retry', '--pay-again', second)).toMatchObject({
      code: 0,
      stderr: '',
      stdout: expect.stringMatching(
        /^1 video is rendered, which uses up to 1 video of your quota\.\n1 video queued again\.\n/,
      ) as string,
    });
    expect((await jobs(rig, 'retry', '--all')).stdout).toMatch(
      new RegExp(
        [
          '^1 video is downloaded, which is free\\.',
          'The service does not deliver 1 video that was paid for. Spool asks about it again, which is free.',
          'To render it again, which uses 1 video of your quota, add --pay-again.',
          '2 videos queued again.',
        ].join('\\s'),
      ),
    );
    expect(await statesOf(rig)).toEqual({
      Gone: 'rendering',
      'Gone too': 'queued',
      Damaged: 'ready',
    });
  });

  it('names the videos of other services if this one has none that match', async () => {
    const rig = await EngineRig.open();
    await rig.engine.commands.queue.pause({ origin: rig.engine.origin, what: 'sending' });
    await rig.add(['One', 'Two', 'Three']);
    await rig.engine.commands.jobs.cancel({ ids: [(await rig.job(0)).id] });
    await rig.close();
    const here = ['--data-dir', rig.folder, '--service', 'https://other.example'];
    const other = `For ${ORIGIN}: 3 videos (2 waiting or in progress). See them with --service ${ORIGIN}.\n`;

    const listed = await spoolHere(['jobs', ...here], { cwd: rig.folder });
    expect(listed).toMatchObject({ code: 0, stdout: `There are no videos here.\n${other}` });
    const held = await spoolHere(['jobs', 'hold', '--all', ...here], { cwd: rig.folder });
    const none = 'No selected video is waiting. Select others by --state or by their ids.';
    expect(held).toMatchObject({ code: 0, stdout: `${none}\n${other}` });
    const { stdout } = await spoolHere(['jobs', '--json', ...here], { cwd: rig.folder });
    expect(JSON.parse(stdout)).toEqual({
      event: 'other-service',
      service: ORIGIN,
      videos: 3,
      active: 2,
    });
    expect((await jobs(rig)).stdout).not.toContain('other.example');
  });

  it('leaves out what was refused for its content unless it is named', async () => {
    const rig = await EngineRig.open();
    const failure = {
      code: 'content-refused',
      ...userMessage('content-refused'),
      detail: 'Your prompt was flagged.',
    } as const;
    const response = { status: 400, headers: {}, body: '{}', sentAt: 0, receivedAt: 0 };
    rig.service.nextGenerate.push({ kind: 'rejected', about: 'video', failure, response });
    await rig.add(['Flagged']);
    await rig.until(async () => (await rig.job(0)).state === 'rejected');
    const { id } = await rig.job(0);
    await rig.close();

    expect((await jobs(rig)).stdout).toMatch(/refused +Your prompt was flagged\./);
    const all = await jobs(rig, 'retry', '--all');
    expect(all).toMatchObject({ code: 0 });
    expect(all.stdout).toMatch(/^1 video that was refused because of the content is left out\./);
    expect(all.stdout).toContain('There are no others.');
    const named = await jobs(rig, 'retry', id);
    expect(named.stdout).toMatch(/uses up to 1 video of your quota.*\n1 video was refused because/);
    expect(named.stdout).toContain('1 video queued again.');
  });

  it('says where a video is that belongs to another service', async () => {
    const rig = await mixedQueue();
    const [saved, , doubtful, waiting] = (await rig.jobs()).map(({ id }) => id);
    await rig.close();
    const at = (service: string, ...args: string[]): Promise<SpoolResult> =>
      spoolHere(['jobs', ...args, '--data-dir', rig.folder, '--service', service], {
        cwd: rig.folder,
      });
    const elsewhere = `This video belongs to another service of this queue: ${ORIGIN}.`;
    const unsettled = `${elsewhere} The service there may have accepted it. Spool won’t resend it until you decide.`;
    const other = 'https://other.example';

    for (const command of [
      ['show', saved ?? ''],
      ['rename', '{title}', saved ?? ''],
    ]) {
      expect(await at(other, ...command)).toMatchObject({
        code: 1,
        stdout: '',
        stderr: `${elsewhere} Add --service ${ORIGIN}.\n`,
      });
    }
    expect(await at(other, 'resolve', doubtful ?? '', '--abandon')).toMatchObject({
      code: 1,
      stderr: `${unsettled} Add --service ${ORIGIN}.\n`,
    });
    expect(await at(other, 'hold', waiting ?? '')).toMatchObject({
      code: 1,
      stderr: `${waiting}: ${elsewhere} Add --service ${ORIGIN}.\n`,
    });
    const { stdout } = await at(other, 'show', saved ?? '', '--json');
    expect(JSON.parse(stdout)).toMatchObject({
      event: 'failed',
      failure: { code: 'job-unknown', origin: ORIGIN },
    });
    expect(await at(other, 'show', '999')).toMatchObject({
      stderr: 'This video is not in the queue.\n',
    });
    expect(await at(ORIGIN, 'resolve', doubtful ?? '', '--abandon')).toMatchObject({ code: 0 });
  });

  // abuse.md 25
  it('is exported without a cell that a spreadsheet would treat as a formula', async () => {
    const rig = await mixedQueue();
    await rig.close();
    const { stdout, code } = await jobs(rig, 'export');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^\ufeffjob,batch,row,title,variant,state/);
    expect(stdout).toContain(",'=1+1,,failed,");
    expect(stdout).toContain(",'@SUM(A1) is no scene");
    expect(stdout).not.toMatch(/(^|,)"?[=@]/m);

    const file = path.join(rig.folder, 'queue.json');
    expect(await jobs(rig, 'export', '--format', 'json', '--out', file)).toMatchObject({
      code: 0,
      stdout: 'Written to queue.json.\n',
    });
    const rows = JSON.parse(readFileSync(file, 'utf8')) as { title: string }[];
    expect(rows.map(({ title }) => title)).toEqual(TITLES);
    const printed = await jobs(rig, 'export', '--json');
    expect(JSON.parse(printed.stdout)).toEqual({ event: 'document', text: stdout });
    const again = await jobs(rig, 'export', '--out', file);
    expect(again).toMatchObject({
      code: 1,
      stderr: `${file} already exists; nothing was written.\n`,
    });
  });

  // abuse.md 36
  it('outputs no character that controls a terminal', async () => {
    const rig = await EngineRig.open();
    await rig.engine.commands.queue.pause({ origin: rig.engine.origin, what: 'sending' });
    const title = 'a\u001b]0;owned\u0007b\u001b[31mc\u202edef\u200f\u{e0041}';
    const content = JSON.stringify([{ title }]);
    await rig.engine.commands.batches.add({
      origin: ORIGIN,
      source: { name: 'Batch.json', content },
      options: {},
    });
    await rig.close();
    const controlCharacters = /[^\P{Cc}\t\n]|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;
    const titles: string[] = [];

    const queue = ['--data-dir', rig.folder, '--service', ORIGIN];
    for (const args of [['export'], ['export', '--format', 'json'], ['list', '--json'], ['list']]) {
      const command = ['jobs', ...args, ...queue];
      const { stdout } = await spoolHere(command, { cwd: rig.folder, isTerminal: true });
      expect(stdout, args.join(' ')).not.toMatch(controlCharacters);
      if (args.some((word) => word === 'json')) {
        titles.push(...(JSON.parse(stdout) as { title: string }[]).map((row) => row.title));
      }
      if (args.some((word) => word === '--json')) {
        titles.push((JSON.parse(stdout) as { job: Job }).job.title);
      }
    }
    expect(titles).toEqual([title, title]);
  });

  it('reports what is wrong with a command', async () => {
    const rig = await mixedQueue();
    await rig.close();
    const unselected = await jobs(rig, 'hold');
    expect(unselected).toMatchObject({ code: 2, stdout: '' });
    expect(unselected.stderr).toContain('--batch, --state, --search or --all');
    const both = await jobs(rig, 'cancel', '1', '--all');
    expect(both).toMatchObject({ code: 2 });
    const state = await jobs(rig, 'list', '--state', 'lost');
    expect(state).toMatchObject({ code: 2 });
    expect(state.stderr).toContain('A state is one of queued');
    const batch = await jobs(rig, 'list', '--batch', 'Lunch', '--json');
    expect(batch.code).toBe(1);
    expect(batch.stderr).toBe('There is no batch “Lunch”. The latest are “Launch”.\n');
    expect(JSON.parse(batch.stdout)).toMatchObject({
      event: 'failed',
      failure: { code: 'batch-unknown' },
    });
    expect(await jobs(rig, 'show', '4711')).toMatchObject({ code: 1, stdout: '' });
  });
});

describe.skipIf(process.platform === 'win32')('the queue of a Spool that is running', () => {
  it('is not listed by a version that makes other calls, which says so', async () => {
    const rig = await mixedQueue();
    const router = await routerFor(rig.engine, rig.folder);
    const calls = { ...router.jobs };
    Reflect.deleteProperty(calls, 'ids');
    const endpoint = await openPrimaryEndpoint({
      dataDir: rig.folder,
      ...oneService({ ...router, jobs: calls }, { service: ORIGIN }),
      onDefect: () => undefined,
    });
    onTestFinished(() => endpoint.close());

    expect(await jobs(rig, 'list')).toMatchObject({
      code: 1,
      stderr: `The Spool running this queue (process ${process.pid}) is another version, which cannot do this. Close it, and try again.\n`,
    });
  });

  it('is listed and arranged by a second one, without a notice that none is running', async () => {
    const rig = await mixedQueue();
    const endpoint = await openPrimaryEndpoint({
      dataDir: rig.folder,
      ...oneService(await routerFor(rig.engine, rig.folder), { service: ORIGIN }),
      onDefect: (error) => {
        throw error;
      },
    });
    onTestFinished(() => endpoint.close());
    const ids = (await rig.jobs()).map(({ id }) => id);

    const list = await jobs(rig, 'list', '--search', 'wait');
    expect(list.stdout).toMatch(/Waiting +Launch +○ waiting[^]*\n1 video: 1 waiting\.\n$/);
    expect(await jobs(rig, 'resolve', ids[2] ?? '', '--resend')).toMatchObject({
      code: 0,
      stderr: '',
      stdout: expect.stringMatching(
        /^“Doubtful” is sent again: .* it is rendered twice\.\n$/,
      ) as string,
    });
    expect((await rig.job(2)).state).toBe('queued');
    expect(await jobs(rig, 'hold', ids[3] ?? '')).toMatchObject({
      stdout: '1 video held.\n',
    });
    expect((await rig.job(3)).state).toBe('held');
    await queue(rig, 'resume');
    expect((await rig.update()).flow).toEqual({ state: 'running' });
    expect(await queue(rig, 'pause', '--everything')).toMatchObject({
      stdout: 'Sending, tracking and downloading are paused until spool queue resume.\n',
    });
    expect((await rig.update()).flow).toEqual({
      state: 'paused',
      what: 'everything',
      failure: null,
    });
    expect(existsSync(path.join(rig.folder, 'local-service'))).toBe(false);
  });
});
