/**
 * The actions on rows, for menus, the bar of a selection, keys and the palette, from the table of
 * job commands.
 */
import {
  JOB_COMMAND_NAMES,
  JOB_COMMANDS,
  type JobCommand,
  type JobCommandName,
} from '../../contract/job-commands.ts';
import { JOB_STATES, STATE_GROUPS, type JobState } from '../../contract/job-states.ts';
import type { AppState } from '../state/app-state.svelte.ts';
import type { ChosenRows } from '../state/chosen-rows.ts';
import type { ActionName } from '../texts/actions.ts';
import type { Action } from './action.ts';
import { copyText } from './copy-text.ts';

const UNSENT = STATE_GROUPS.unsent;
const RENDERED = [...STATE_GROUPS.saved, 'failed', 'abandoned'] as const;

function rowAction(
  name: ActionName,
  group: 'rows' | 'order',
  keys: readonly string[],
  states: readonly JobState[],
  run: (app: AppState, rows: ChosenRows) => unknown,
  condition: (rows: ChosenRows, app: AppState) => boolean = () => true,
): Action {
  return {
    name,
    group,
    keys,
    possible: (app) => {
      const rows = app.chosen;
      return (
        rows.ids.length > 0 &&
        (rows.states === null || rows.states.some((state) => states.includes(state))) &&
        condition(rows, app)
      );
    },
    run: (app) => runOnMatching(app, name, states, run),
  };
}

/** Runs a command on the chosen rows that it applies to. */
async function runOnMatching(
  app: AppState,
  name: ActionName,
  states: readonly JobState[],
  run: (app: AppState, rows: ChosenRows) => unknown,
): Promise<void> {
  const rows = app.chosen;
  const ids = await app.keys.holdUntil(app.commands.run(() => rows.idsIn(states)));
  if (ids === null) return;
  if (ids.length > 0) {
    await run(app, { ...rows, ids });
    return;
  }
  app.keys.drop();
  app.toasts.note(app.texts.actions.noneApply(app.texts.does[name]), null);
}

/** The action of a command on jobs. */
function jobAction(name: JobCommandName): Action {
  const { keys, from, ofArchived, change }: JobCommand = JOB_COMMANDS[name];
  const archives = change !== undefined && 'archive' in change && change.archive;
  const wanted = archives ? false : (ofArchived ?? null);
  const action = rowAction(
    name,
    'rows',
    keys,
    from,
    ({ commands }, { ids }) => commands.runOn(name, ids),
    ({ areArchived }) => wanted === null || wanted === areArchived,
  );
  return name === 'cancel' || name === 'remove' ? { ...action, danger: true } : action;
}

const isSingle = (rows: ChosenRows): boolean => rows.only !== null;
const inQueue = (_rows: ChosenRows, app: AppState): boolean => app.view === 'queue';

/** Actions on the chosen rows. */
export const ROW_ACTIONS: readonly Action[] = [
  rowAction(
    'open',
    'rows',
    ['o'],
    ['done'],
    ({ computer }, { ids }) => computer.open(ids[0] ?? ''),
    ({ only }, { computer }) => only !== null && computer.abilities.open,
  ),
  rowAction(
    'show',
    'rows',
    ['s'],
    ['done'],
    ({ computer }, { ids }) => computer.show(ids[0] ?? ''),
    ({ only }, { computer }) => only !== null && computer.abilities.show,
  ),
  rowAction(
    'play',
    'rows',
    [],
    ['done'],
    (app, { only }) => {
      if (only !== null) app.play(only);
    },
    isSingle,
  ),
  rowAction('verify', 'rows', ['v'], STATE_GROUPS.saved, ({ fileCheck }, { ids }) =>
    fileCheck.run(ids),
  ),
  // Missing files are shown as keeping their names, with the reason.
  rowAction('rename', 'rows', ['f2'], STATE_GROUPS.saved, (app, { ids }) => {
    app.rename(ids);
  }),
  rowAction('edit', 'rows', ['e'], [...UNSENT, 'rejected'], (app, { ids }) =>
    ids.length === 1 ? app.edit(ids[0] ?? '') : app.editMany(ids),
  ),
  rowAction(
    'renderAgain',
    'rows',
    ['n'],
    RENDERED,
    (app, { only }) => (only === null ? undefined : app.renderAgain(only.id)),
    isSingle,
  ),
  rowAction(
    'copyText',
    'rows',
    [],
    JOB_STATES,
    (app, { only }) => (only === null ? undefined : copyText(app, only.id)),
    isSingle,
  ),
  ...JOB_COMMAND_NAMES.map(jobAction),
  {
    ...rowAction(
      'trash',
      'rows',
      [],
      ['done'],
      ({ commands }, { ids }) => {
        commands.askToTrash(ids);
      },
      (_rows, { computer }) => computer.abilities.trash,
    ),
    danger: true,
  },
  rowAction('sooner', 'order', ['+'], UNSENT, ({ commands }, { ids }) =>
    commands.prioritise(ids, 1),
  ),
  rowAction('usual', 'order', ['='], UNSENT, ({ commands }, { ids }) =>
    commands.prioritise(ids, 0),
  ),
  rowAction('later', 'order', ['-'], UNSENT, ({ commands }, { ids }) =>
    commands.prioritise(ids, -1),
  ),
  rowAction(
    'up',
    'order',
    ['alt+arrowup'],
    UNSENT,
    ({ queue }, { ids }) => {
      queue.mover.step(ids, -1);
    },
    inQueue,
  ),
  rowAction(
    'down',
    'order',
    ['alt+arrowdown'],
    UNSENT,
    ({ queue }, { ids }) => {
      queue.mover.step(ids, 1);
    },
    inQueue,
  ),
  rowAction('first', 'order', ['alt+home'], UNSENT, ({ queue }, { ids }) => {
    queue.mover.toTop(ids);
  }),
  rowAction('last', 'order', ['alt+end'], UNSENT, ({ queue }, { ids }) => {
    queue.mover.toEnd(ids);
  }),
  rowAction(
    'stopBefore',
    'order',
    ['b'],
    UNSENT,
    ({ services }, { only }) => services.stopBefore(only?.id ?? null),
    ({ only }) => only?.stopsHere === false,
  ),
  rowAction(
    'dontStopBefore',
    'order',
    ['b'],
    UNSENT,
    ({ services }) => services.stopBefore(null),
    ({ only }) => only?.stopsHere === true,
  ),
];
