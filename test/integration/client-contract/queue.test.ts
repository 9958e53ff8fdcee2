import { beforeEach, describe, expect, test } from 'vitest';
import type { Client } from '../../../src/contract/contract.ts';
import type { Update } from '../../../src/contract/summary.ts';
import { INITIAL_STATES, SUBJECTS } from './subjects.ts';
import { addBatch } from '../../rigs/add-batch.ts';

const FILE = {
  name: 'menu.csv',
  content: 'title,aspect\nPlum tart,16:9\nSoup,9:16\nPlum tart,16:9',
};
const INVALID = { name: 'menu.csv', content: 'title,aspect\nPlum tart,3:2\nSoup,9:16' };

describe.each(SUBJECTS)('the queue of %s', (_name, open) => {
  let client: Client;
  let passTime: () => Promise<void>;
  beforeEach(async () => {
    ({ client, passTime } = await open());
  });

  /** The first update for a new client. */
  async function first(): Promise<Update> {
    const over = new AbortController();
    const updates = await client.watch({}, { signal: over.signal });
    const { value } = await updates.next();
    over.abort();
    await updates.return();
    return value as Update;
  }

  test('sends the whole state to a new client', async () => {
    const { summary, relist } = await first();
    expect(relist).toBe(true);
    expect(summary.counts).toMatchObject({ queued: 4, done: 1, failed: 1, held: 1, cancelled: 1 });
    const { total } = await client.jobs.list({});
    const sum = Object.values(summary.counts).reduce((all, count) => all + count, 0);
    expect([sum, total]).toEqual([INITIAL_STATES.length, INITIAL_STATES.length]);
    expect(summary.flow).toMatchObject({ state: 'paused', what: 'sending' });
  });

  test('sends watching pages what changed', async () => {
    const over = new AbortController();
    const updates = await client.watch({}, { signal: over.signal });
    const { value } = await updates.next();
    const { jobs } = await client.jobs.list({ states: ['queued'] });
    const changed = jobs[0]?.id ?? '';
    await client.jobs.hold({ ids: [changed] });
    let update = value as Update;
    while (!update.jobs.some(({ id, state }) => id === changed && state === 'held')) {
      const before = update.seq;
      const later = updates.next();
      await passTime();
      update = (await later).value as Update;
      expect(update.seq).toBeGreaterThan(before);
    }
    expect(update.summary.counts.held).toBe(2);
    over.abort();
    await updates.return();
  });

  test('is paused and resumed', async () => {
    const { origin } = (await first()).summary.service;
    await client.queue.pause({ origin, what: 'everything' });
    expect((await first()).summary.flow).toMatchObject({ state: 'paused', what: 'everything' });
    await client.queue.resume({ origin });
    expect((await first()).summary.flow.state).not.toBe('paused');
  });

  test('plans a file before anything is added', async () => {
    const plan = await client.batches.plan({ source: FILE });
    expect(plan.rows.map(({ row, title, outcome }) => [row, title, outcome])).toEqual([
      [2, 'Plum tart', 'new'],
      [3, 'Soup', 'new'],
      // Equal rows of a file are rendered once, unless the user chooses otherwise.
      [4, 'Plum tart', 'duplicate-skipped'],
    ]);
    expect(plan.rows[2]?.like).toEqual({ of: 'row', row: 2 });
    expect(plan.issues).toMatchObject([
      { severity: 'warning', kind: 'row-repeated', row: 4, column: 'title', cell: 'Plum tart' },
    ]);
    expect(plan.columns).toEqual(['title', 'aspect']);
    expect((await client.jobs.list({})).total).toBe(INITIAL_STATES.length);
  });

  test('appends a file’s rows, and none of them twice', async () => {
    const options = { duplicates: 'render' } as const;
    const added = await addBatch(client, { source: FILE, options });
    expect(added).toMatchObject({ submitted: 3, downloadedAgain: 0, alreadyThere: 0 });
    expect(added.jobIds).toHaveLength(3);
    const { jobs } = await client.jobs.list({ states: ['queued'] });
    expect(jobs.slice(-3).map(({ id }) => id)).toEqual(added.jobIds);
    expect(jobs.at(-2)).toMatchObject({ title: 'Soup', row: 3, batchId: added.batchId });
    const again = await addBatch(client, { source: FILE });
    expect(again).toMatchObject({ submitted: 0, alreadyThere: 3, batchId: added.batchId });
    expect((await client.jobs.list({})).total).toBe(INITIAL_STATES.length + 3);
  });

  test('adds nothing of a file with an error', async () => {
    const plan = await client.batches.plan({ source: INVALID });
    expect(plan.issues).toMatchObject([{ code: 'value-invalid', row: 2, column: 'aspect' }]);
    await expect(addBatch(client, { source: INVALID })).rejects.toMatchObject({
      code: 'FAILED',
      data: { code: 'value-invalid', row: 2 },
    });
    expect((await client.jobs.list({})).total).toBe(INITIAL_STATES.length);
  });

  test('uses the quota count that the user entered, and lists it with the days', async () => {
    const { origin } = (await first()).summary.service;
    await client.quota.correct({ origin, used: 17 });
    const { quota } = (await first()).summary;
    expect(quota?.used).toBe(17);
    const { days, corrections, limit, cycle } = (await client.quota.days({ zone: 'UTC' }))!;
    expect(corrections.map(({ used }) => used)).toEqual([17]);
    expect([limit, cycle.end]).toEqual([quota?.limit, quota?.resetAt]);
    const charged = days.reduce((sum, day) => sum + day.charged, 0);
    const corrected = corrections.reduce((sum, { difference }) => sum + difference, 0);
    expect(charged + corrected).toBe(17);
  });

  test('lists its activity newest first, page by page, each entry once', async () => {
    const whole = await client.activity.list({ limit: 1000 });
    expect(whole.next).toBeNull();
    const times = whole.entries.map(({ at }) => at);
    expect(times).toEqual(times.toSorted((one, other) => other - one));
    const paged: string[] = [];
    let next: string | undefined;
    do {
      const page = await client.activity.list({
        limit: 4,
        ...(next !== undefined && { after: next }),
      });
      expect(page.entries.length).toBeLessThanOrEqual(4);
      paged.push(...page.entries.map(({ id }) => id));
      next = page.next ?? undefined;
    } while (next !== undefined);
    expect(paged).toEqual(whole.entries.map(({ id }) => id));
  });

  test('finds activity by kind and by title', async () => {
    const saved = await client.activity.list({ kinds: ['saved'], limit: 100 });
    expect(saved.entries.map(({ kind }) => kind)).toEqual(['saved']);
    const title = saved.entries[0]?.job?.title ?? '';
    const found = await client.activity.list({ search: title.toUpperCase(), limit: 100 });
    expect(found.entries.map(({ job }) => job?.title)).toContain(title);
    expect(new Set(found.entries.map(({ job }) => job?.title)).size).toBe(1);
  });

  test('lists a unit of quota for every video that took one', async () => {
    const { units } = await client.activity.units({ limit: 100 });
    const states = units.map(({ quota, bought }) => [quota, bought?.state]);
    expect(states).toContainEqual(['charged', 'done']);
    expect(states).toContainEqual(['held', 'uncertain']);
    expect(states.some(([, state]) => state === 'queued' || state === 'held')).toBe(false);
  });

  test('plans new file names, and says why other files keep theirs', async () => {
    const { jobs } = await client.jobs.list({ states: ['done', 'failed'] });
    const ids = jobs.map(({ id }) => id);
    const plan = await client.files.planRename({ ids, nameTemplate: 'Clip {title} {nothing}' });
    expect(plan.counts).toMatchObject({ renamed: 1, kept: 1 });
    expect(plan.unknown).toEqual(['nothing']);
    const [kept, renamed] = plan.files;
    expect(kept).toMatchObject({ outcome: 'kept', to: null, from: null });
    expect(kept?.why).not.toBeNull();
    const done = jobs.find(({ state }) => state === 'done');
    expect(renamed).toMatchObject({ id: done?.id, outcome: 'renamed', why: null });
    expect(renamed?.to).toMatch(new RegExp(`^Clip ${done?.title ?? '?'}\\s?\\.mp4$`));
  });

  test('stores the key’s label', async () => {
    const { origin } = (await first()).summary.key;
    expect(await client.key.label({ origin, label: 'Studio' })).toMatchObject({ label: 'Studio' });
    expect((await first()).summary.key.label).toBe('Studio');
    expect(await client.key.forget({ origin })).toMatchObject({
      state: 'absent',
      lastFour: null,
      label: null,
    });
  });

  test('stores valid settings, and reports what is wrong with others', async () => {
    const { settings } = await client.settings.get();
    const changed = await client.settings.set({
      transfers: { ...settings.transfers, parallel: 2 },
    });
    expect([changed.settings.transfers.parallel, changed.errors]).toEqual([2, []]);
    const invalid = await client.settings.set({ folder: 'not/whole' });
    expect(invalid.errors).toMatchObject([{ field: 'folder' }]);
    expect((await client.settings.get()).settings).toMatchObject({
      folder: settings.folder,
      transfers: { parallel: 2 },
    });
  });

  test('exports settings that can be imported unchanged', async () => {
    const { text } = await client.settings.export();
    const preview = await client.settings.previewImport({ text });
    expect([preview.changes, preview.errors]).toEqual([[], []]);
    await expect(
      client.settings.import({ text, confirmation: 'of something else' }),
    ).rejects.toMatchObject({ code: 'FAILED', data: { code: 'not-possible-now' } });
  });
});
