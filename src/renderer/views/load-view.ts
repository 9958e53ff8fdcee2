import type { Component } from 'svelte';
import type { View } from '../state/views.ts';
import type { AppState } from '../state/app-state.svelte.ts';
import QueueView from './queue/queue-view.svelte';

type Loader = (app: AppState) => Promise<{ readonly default: Component }>;

/** The queue is part of the page, because nearly every start shows it first. */
const LOADERS: Record<Exclude<View, 'queue'>, Loader> = {
  timeline: () => import('./timeline/timeline-view.svelte'),
  saved: () => import('./saved/saved-view.svelte'),
  activity: () => import('./activity/activity-view.svelte'),
  limits: () => import('./limits/limits-view.svelte'),
  settings: () => import('./settings/settings-view.svelte'),
  profile: () => import('./profile/profile-view.svelte'),
  add: async (app) => {
    const [view] = await Promise.all([import('./add/add-view.svelte'), app.loadAdding()]);
    return view;
  },
  welcome: () => import('./welcome/welcome-view.svelte'),
};

/** Panels and dialogs, which open beside a view or over it. */
export const LAZY_PANELS = {
  details: () => import('./details/details-pane.svelte'),
  detailsSheet: () => import('./details/details-sheet.svelte'),
  edit: () => import('../frame/edit-dialog.svelte'),
  editMany: () => import('../frame/edit-many-dialog.svelte'),
  key: () => import('../frame/key-dialog.svelte'),
  keys: () => import('../frame/keys-dialog.svelte'),
  player: () => import('./saved/video-player.svelte'),
  palette: () => import('../frame/palette.svelte'),
  question: () => import('../frame/question-dialog.svelte'),
  undo: () => import('../frame/undo-dialog.svelte'),
  rename: () => import('./saved/rename-dialog.svelte'),
} satisfies Record<string, Loader>;

/**
 * The component of a view: for the queue immediately, otherwise once its script and the texts of
 * views are loaded.
 *
 * @throws when its script could not be fetched with the page: until the page is reloaded, it is
 *   not tried again (HTML, “fetch a single module script”)
 */
export function loadView(view: View, app: AppState): Component | Promise<Component> {
  if (view === 'queue') return QueueView;
  const texts = app.preferences.loadViewTexts();
  return Promise.all([LOADERS[view](app), texts]).then(([module]) => module.default);
}

/**
 * Runs the scripts of every view and dialog in advance, so that they open without delay. They were
 * fetched with the page (`electron.vite.config.ts`).
 */
export async function preload(app: AppState): Promise<void> {
  const loaders: readonly Loader[] = [...Object.values(LAZY_PANELS), ...Object.values(LOADERS)];
  const texts = app.preferences.loadViewTexts();
  await Promise.allSettled([texts, ...loaders.map((load) => load(app))]);
}
