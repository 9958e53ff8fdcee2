import { isFinished } from '../../contract/job-states.ts';
import type { AppState } from '../state/app-state.svelte.ts';
import { VIEWS, type View } from '../state/views.ts';
import type { Selection } from '../state/selection.svelte.ts';
import type { ActionName } from '../texts/actions.ts';
import type { Texts } from '../texts/en.ts';
import type { Action, ActionGroup } from './action.ts';

function pageAction(
  name: ActionName,
  group: ActionGroup,
  keys: readonly string[],
  run: Action['run'],
  possible: (app: AppState) => boolean = () => true,
): Action {
  return { name, group, keys, run, possible };
}

/** Names the service in the action's label where it does not affect all services. */
function withServiceName(
  action: Action,
  label: (words: Texts['status'], service: string) => string,
): Action {
  return {
    ...action,
    label: ({ services, texts }) =>
      services.nameToPause === null ? null : label(texts.status, services.nameToPause),
  };
}

const paused = (app: AppState): boolean => app.summary?.flow.state === 'paused';
/** The ids of batches that can be cleared away. */
export const finished = (app: AppState): readonly string[] =>
  (app.summary?.batches ?? []).filter(({ counts }) => isFinished(counts)).map(({ id }) => id);
const failed = (app: AppState): number =>
  (app.summary?.counts.failed ?? 0) + (app.summary?.counts.rejected ?? 0);

/** Actions that are available everywhere and do not depend on chosen rows. */
export const PAGE_ACTIONS: readonly Action[] = [
  ...VIEWS.map((view, index) =>
    pageAction(
      `go-${view}`,
      'go',
      [`${index + 1}`],
      (app) => {
        app.goTo(view);
      },
      (app) => app.views.includes(view),
    ),
  ),
  pageAction('go-profile', 'go', [], (app) => {
    app.goTo('profile');
  }),
  pageAction('add', 'queue', ['a', 'mod+n'], (app) => {
    app.goTo('add');
  }),
  pageAction('welcome', 'page', [], (app) => {
    app.goTo('welcome');
  }),
  withServiceName(
    pageAction('resumeQueue', 'queue', ['p'], ({ services }) => services.resume(), paused),
    (words, service) => words.resume(service),
  ),
  withServiceName(
    pageAction(
      'pause',
      'queue',
      ['p'],
      ({ services }) => services.pause('sending'),
      (app) => !paused(app),
    ),
    (words, service) => words.pause(service),
  ),
  withServiceName(
    pageAction(
      'pauseEverything',
      'queue',
      [],
      ({ services }) => services.pause('everything'),
      (app) => !paused(app),
    ),
    (words, service) => words.pauses.everything(service),
  ),
  pageAction(
    'pauseAllServices',
    'queue',
    [],
    ({ services }) => services.pauseAll(),
    ({ services }) => services.canPauseAll(),
  ),
  pageAction(
    'resumeAllServices',
    'queue',
    [],
    ({ services }) => services.resumeAll(),
    ({ services }) => services.canResumeAll(),
  ),
  pageAction(
    'decide',
    'queue',
    ['u'],
    (app) => {
      app.showUncertain();
    },
    (app) => (app.summary?.counts.uncertain ?? 0) > 0,
  ),
  pageAction(
    'retryFailed',
    'queue',
    [],
    ({ commands }) => commands.askToRetryFailed(null),
    (app) => failed(app) > 0,
  ),
  pageAction(
    'archiveFinished',
    'queue',
    ['c'],
    (app) => app.commands.archiveBatches(finished(app)),
    (app) => finished(app).length > 0,
  ),
  pageAction(
    'selectAll',
    'queue',
    ['mod+a'],
    (app) => app.keys.holdUntil(app.commands.run(async () => selectionOf(app)?.chooseAll())),
    (app) => selectionOf(app) !== null,
  ),
  pageAction(
    'nextProblem',
    'page',
    ['f8'],
    (app) => app.showProblem(),
    ({ openAdding }) => openAdding?.hasProblems === true,
  ),
  pageAction(
    'undoRepair',
    'page',
    ['mod+z'],
    ({ adding }) => adding.undo(),
    ({ openAdding }) => openAdding?.section === 'rows' && openAdding.choices.repairs.canUndo,
  ),
  pageAction('undo', 'queue', ['mod+z'], ({ commands }) => commands.undo()),
  pageAction('undoHistory', 'queue', ['z'], (app) => {
    app.dialog = 'undo';
  }),
  pageAction('search', 'page', ['/', 'mod+f'], (app) => {
    app.focusSearch();
  }),
  pageAction('palette', 'page', ['mod+k'], (app) => {
    app.dialog = 'palette';
  }),
  pageAction('keys', 'page', ['?'], (app) => {
    app.dialog = 'keys';
  }),
  pageAction(
    'enterKey',
    'page',
    [],
    (app) => {
      app.dialog = 'key';
    },
    // Spool makes the key for this computer.
    (app) => app.summary?.service.isLocal !== true,
  ),
  pageAction('light', 'page', [], (app) => app.choose({ theme: 'light' })),
  pageAction('dark', 'page', [], (app) => app.choose({ theme: 'dark' })),
  pageAction('systemTheme', 'page', [], (app) => app.choose({ theme: 'system' })),
  pageAction('back', 'page', ['escape'], stepBack, canStepBack),
];

function canStepBack(app: AppState): boolean {
  return app.detailsOpen || parentView(app) !== null || (selectionOf(app)?.ids.size ?? 0) > 0;
}

/** The view that Back opens; `null` for none. */
function parentView({ view }: AppState): View | null {
  if (view === 'profile') return 'settings';
  return view === 'add' || view === 'welcome' ? 'queue' : null;
}

/** The selection of the open view; `null` if it has none. */
function selectionOf({ view, queue, saved }: AppState): Selection | null {
  return view === 'queue' ? queue.selection : view === 'saved' ? saved.selection : null;
}

function stepBack(app: AppState): void {
  const parent = parentView(app);
  if (app.detailsOpen) app.details.close();
  else if (parent !== null) app.goTo(parent);
  else selectionOf(app)?.clear();
}
