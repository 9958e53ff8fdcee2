import type { Component } from 'svelte';
import type { View } from '../state/app-state.svelte.ts';
import QueueView from './queue/queue-view.svelte';

type Loader = () => Promise<{ readonly default: Component }>;

/** The queue comes with the page: it is what nearly every start shows first. */
const LOADERS: Record<Exclude<View, 'queue'>, Loader> = {
  timeline: () => import('./timeline/timeline-view.svelte'),
  saved: () => import('./saved/saved-view.svelte'),
  activity: () => import('./activity/activity-view.svelte'),
  limits: () => import('./limits/limits-view.svelte'),
  settings: () => import('./settings/settings-view.svelte'),
  profile: () => import('./profile/profile-view.svelte'),
  add: () => import('./add/add-view.svelte'),
  welcome: () => import('./welcome/welcome-view.svelte'),
};

/** What opens over a view or beside it. */
export const LATER = {
  details: () => import('./details/details-pane.svelte'),
  detailsSheet: () => import('./details/details-sheet.svelte'),
  edit: () => import('../frame/edit-dialog.svelte'),
  key: () => import('../frame/key-dialog.svelte'),
  keys: () => import('../frame/keys-dialog.svelte'),
  rename: () => import('./saved/rename-dialog.svelte'),
} satisfies Record<string, Loader>;

/**
 * The component of a view, immediately for the queue. After a failed import, the next call imports
 * it again.
 *
 * @throws when its script cannot be fetched, as after Spool was replaced by another version
 */
export function loadView(view: View): Component | Promise<Component> {
  if (view === 'queue') return QueueView;
  return LOADERS[view]().then((module) => module.default);
}

/**
 * Fetches every view and dialog in advance, so that it opens without delay and also without a
 * connection.
 */
export async function preload(): Promise<void> {
  const loaders = [...Object.values(LATER), ...Object.values(LOADERS)];
  await Promise.allSettled(loaders.map((load) => load()));
}
