/** What menus of views offer, as lines of the palette. */
import { JOB_SORTS } from '../../contract/job-order.ts';
import type { AppState } from '../state/app-state.svelte.ts';
import { HIDEABLE_COLUMNS, SAVED_SORTS } from '../state/table-layout.svelte.ts';
import type { PaletteEntry } from './palette-entry.ts';

const LANGUAGES = [
  ['en', 'English'],
  ['de', 'Deutsch'],
] as const;

export function menuEntries(app: AppState): readonly PaletteEntry[] {
  const { queue, saved, texts } = app;
  const entry = (key: string, title: string, group: string, run: () => unknown): PaletteEntry => ({
    ...{ key: `menu ${key}`, title, group, keys: [] },
    run: () => void run(),
  });
  const inQueue = (key: string, title: string, run: () => void): PaletteEntry =>
    entry(key, title, texts.views.queue, () => {
      app.goTo('queue');
      run();
    });
  const inSaved = (key: string, title: string, run: () => void): PaletteEntry =>
    entry(key, title, texts.views.saved, () => {
      app.goTo('saved');
      run();
    });
  return [
    inQueue('sections', texts.queue.inSections, () => {
      queue.sortBy(null);
    }),
    ...JOB_SORTS.map((by) =>
      inQueue(
        `sort ${by}`,
        by === 'queue' ? texts.queue.sortByQueue : texts.queue.sortBy(texts.queue.columns[by]),
        () => {
          queue.sortBy({ by, descending: false });
        },
      ),
    ),
    ...HIDEABLE_COLUMNS.map((column) =>
      inQueue(`column ${column}`, texts.palette.column(texts.queue.columns[column]), () => {
        queue.layout.toggle(column);
      }),
    ),
    inSaved('by batch', texts.saved.byBatch, () => {
      saved.sortBy(null);
    }),
    ...SAVED_SORTS.map((by) =>
      inSaved(`saved ${by}`, texts.saved.orders[by], () => {
        saved.sortBy({ by, descending: by !== 'title' });
      }),
    ),
    inSaved('verify', texts.saved.checkAll, () => {
      void app.fileCheck.run();
    }),
    ...LANGUAGES.map(([language, name]) =>
      entry(`language ${language}`, name, texts.actionGroups.page, () => app.choose({ language })),
    ),
  ];
}
