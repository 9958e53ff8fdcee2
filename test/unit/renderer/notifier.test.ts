import { beforeEach, describe, expect, it } from 'vitest';
import { Commands } from '../../../src/renderer/state/commands.svelte.ts';
import { Computer } from '../../../src/renderer/state/computer.svelte.ts';
import { Notifier, type NotifyPermission } from '../../../src/renderer/state/notifier.svelte.ts';
import { Toasts } from '../../../src/renderer/state/toasts.svelte.ts';
import { en } from '../../../src/renderer/texts/en.ts';
import { fakeEngine } from '../../rigs/fake-client.ts';
import { batch, summary } from '../../rigs/summary-builder.ts';
import { notPressed } from '../../rigs/fake-pointer.ts';

const running = summary({ batches: [batch({ rendering: 2 })] });
const finished = summary({ batches: [batch({ done: 2 })] });

let shown: [string, string, string][];
let isWatched: boolean;

/** A page in a browser that may or may not be permitted to show notifications. */
function notifier(permission: NotifyPermission) {
  const { client } = fakeEngine({ states: [] }, 0);
  const computer = new Computer(new Commands(client, new Toasts(notPressed, 5000), () => en));
  const place = {
    permission: () => permission,
    ask: () => Promise.resolve<NotifyPermission>('granted'),
    isWatched: () => isWatched,
    show: (about: string, { title, body }: { title: string; body: string }) => {
      shown.push([about, title, body]);
    },
  };
  return { client, computer, notifier: new Notifier(client, place, computer, en.news) };
}

beforeEach(() => {
  shown = [];
  isWatched = false;
});

describe('a browser notifies of a batch', () => {
  it('once, when it is finished', async () => {
    const page = notifier('granted').notifier;
    for (const each of [running, running, finished, finished]) await page.onSummary(each);
    expect(shown).toEqual([['1', 'Launch week is finished', '2 videos are saved.']]);
  });

  it('not before permission is granted, nor afterwards of earlier news', async () => {
    const page = notifier('default').notifier;
    for (const each of [running, finished]) await page.onSummary(each);
    await page.ask();
    expect(page.permission).toBe('granted');
    await page.onSummary(finished);
    expect(shown).toEqual([]);
  });

  it('not while the page is visible', async () => {
    const page = notifier('granted').notifier;
    await page.onSummary(running);
    isWatched = true;
    await page.onSummary(finished);
    expect(shown).toEqual([]);
  });

  it('not where the host notifies', async () => {
    const { notifier: page, computer } = notifier('granted');
    computer.abilities = { ...computer.abilities, notify: true };
    for (const each of [running, finished]) await page.onSummary(each);
    expect(shown).toEqual([]);
  });

  it('not of what the user turned off', async () => {
    const { notifier: page, client } = notifier('granted');
    const notifications = { batchSaved: false, needsDecision: true, failed: true };
    await client.settings.set({ notifications });
    for (const each of [running, finished]) await page.onSummary(each);
    expect(shown).toEqual([]);
  });
});
