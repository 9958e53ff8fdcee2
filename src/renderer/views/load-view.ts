import type { Component } from 'svelte';
import type { View } from '../state/views.ts';
import type { Preferences } from '../state/preferences.svelte.ts';
import QueueView from './queue/queue-view.svelte';
import { retriedImport } from '../connection/retried-import.ts';

type Loader = () => Promise<{ readonly default: Component }>;
type Texts = Pick<Preferences, 'loadViewTexts'>;

/** The queue is part of the page, because nearly every start shows it first. */
const LOADERS: Record<Exclude<View, 'queue'>, Loader> = {
  timeline: retriedImport(() => import('./timeline/timeline-view.svelte')),
  saved: retriedImport(() => import('./saved/saved-view.svelte')),
  activity: retriedImport(() => import('./activity/activity-view.svelte')),
  limits: retriedImport(() => import('./limits/limits-view.svelte')),
  settings: retriedImport(() => import('./settings/settings-view.svelte')),
  profile: retriedImport(() => import('./profile/profile-view.svelte')),
  add: retriedImport(() => import('./add/add-view.svelte')),
  welcome: retriedImport(() => import('./welcome/welcome-view.svelte')),
};

/** Panels and dialogs, which open beside a view or over it. */
export const LAZY_PANELS = {
  details: retriedImport(() => import('./details/details-pane.svelte')),
  detailsSheet: retriedImport(() => import('./details/details-sheet.svelte')),
  edit: retriedImport(() => import('../frame/edit-dialog.svelte')),
  key: retriedImport(() => import('../frame/key-dialog.svelte')),
  keys: retriedImport(() => import('../frame/keys-dialog.svelte')),
  rename: retriedImport(() => import('./saved/rename-dialog.svelte')),
} satisfies Record<string, Loader>;

/**
 * The component of a view: for the queue immediately, otherwise once its script and the texts of
 * views are loaded. A call after a failed import tries again.
 *
 * @throws when its script cannot be fetched, as after Spool was replaced by another version
 */
export function loadView(view: View, texts: Texts): Component | Promise<Component> {
  if (view === 'queue') return QueueView;
  return Promise.all([LOADERS[view](), texts.loadViewTexts()]).then(([module]) => module.default);
}

/**
 * Fetches every view and dialog in advance, so that it opens without delay and also without a
 * connection.
 */
export async function preload(texts: Texts): Promise<void> {
  const loaders = [...Object.values(LAZY_PANELS), ...Object.values(LOADERS)];
  await Promise.allSettled([texts.loadViewTexts(), ...loaders.map((load) => load())]);
}
