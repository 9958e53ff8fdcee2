import { ALL_ACTIONS } from '../actions/all-actions.ts';
import { keysShown } from '../actions/action.ts';
import { menuEntries } from './menu-entries.ts';
import type { PaletteEntry } from './palette-entry.ts';
import type { Job } from '../../contract/job.ts';
import type { AppState } from '../state/app-state.svelte.ts';

/** Possible commands, services and batches that match a search, and the videos it found. */
export function paletteEntries(
  app: AppState,
  search: string,
  found: readonly Job[],
): readonly PaletteEntry[] {
  const { texts } = app;
  const commands = ALL_ACTIONS.filter(
    ({ name, possible }) => name !== 'palette' && name !== 'back' && possible(app),
  ).map((action) => ({
    key: action.name,
    title: action.label?.(app) ?? texts.does[action.name],
    group: texts.actionGroups[action.group],
    keys:
      action.keys?.[0] === undefined ? [] : keysShown(action.keys[0], texts.keyNames, app.onMac),
    run: () => {
      void action.run(app);
    },
  }));
  const others = app.summary?.others ?? [];
  const services = others.map((service) => ({
    key: `service ${service.origin}`,
    title: texts.palette.showService(app.services.fullNameOf(service)),
    group: texts.frame.services,
    keys: [],
    run: () => void app.services.show(service.origin),
  }));
  const batches = (app.summary?.batches ?? []).map((batch) => ({
    key: `batch ${batch.id}`,
    title: texts.palette.showBatch(batch.name),
    group: texts.palette.batches,
    keys: [],
    run: () => {
      app.queue.showWholeBatch(batch.id);
      app.goTo('queue');
    },
  }));
  const videos = found.map((job) => ({
    key: `job ${job.id}`,
    title: job.title,
    group: texts.palette.videos,
    keys: [],
    run: () => {
      if (app.view !== 'timeline' && app.view !== 'saved') app.goTo('queue');
      app.details.open(job.id);
    },
  }));
  return [
    ...[...commands, ...services, ...batches, ...menuEntries(app)].filter((entry) =>
      matches(entry, search),
    ),
    ...videos,
  ];
}

/** Every word of the search begins a word of the entry: "p e" finds "Pause everything". */
export function matches(entry: Pick<PaletteEntry, 'title' | 'group'>, search: string): boolean {
  const words = `${entry.title} ${entry.group}`.toLowerCase().split(/[\s,“”„-]+/);
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((sought) => words.some((word) => word.startsWith(sought)));
}
