import type { JobState } from '../../contract/job-states.ts';
import type { AppState } from '../state/app-state.svelte.ts';
import type { ChosenRows } from '../state/chosen-rows.ts';
import type { RowActionName } from './action-names.ts';
import type { Action } from './action.ts';

const UNSENT: readonly JobState[] = ['draft', 'queued', 'held'];
const UNDER_WAY: readonly JobState[] = ['submitted', 'rendering', 'ready', 'downloading'];

function rowAction(
  name: RowActionName,
  group: 'rows' | 'order',
  keys: readonly string[],
  states: readonly JobState[],
  run: (app: AppState, rows: ChosenRows) => unknown,
  also: (rows: ChosenRows, app: AppState) => boolean = () => true,
): Action<RowActionName> {
  return {
    name,
    group,
    keys,
    possible: (app) => {
      const rows = app.chosen;
      return (
        rows.ids.length > 0 &&
        (rows.states === null || rows.states.some((state) => states.includes(state))) &&
        also(rows, app)
      );
    },
    run: (app) => run(app, app.chosen),
  };
}

const one = (rows: ChosenRows): boolean => rows.only !== null;
const inQueue = (_rows: ChosenRows, app: AppState): boolean => app.view === 'queue';

/** Moves what is chosen one row up or down; the cursor goes with it. */
function step(app: AppState, rows: ChosenRows, by: -1 | 1): void {
  const { list, selection } = app.queue;
  const places = rows.ids.map((id) => list.indexOf(id)).filter((index) => index >= 0);
  if (places.length === 0) return;
  const target = by < 0 ? Math.min(...places) - 1 : Math.max(...places) + 2;
  if (target < 0 || target > (list.total ?? 0)) return;
  void app.commands.move(rows.ids, list.at(target)?.id ?? null);
  selection.cursor += by;
}

/** What can be done with rows, by menu, key or palette. */
export const ROW_ACTIONS: readonly Action<RowActionName>[] = [
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
  rowAction('verify', 'rows', ['v'], ['done', 'missing'], ({ fileCheck }, { ids }) =>
    fileCheck.run(ids),
  ),
  rowAction('rename', 'rows', ['f2'], ['done'], (app, { ids }) => {
    app.rename(ids);
  }),
  rowAction('hold', 'rows', ['h'], ['queued'], ({ commands }, { ids }) => commands.hold(ids)),
  rowAction('resume', 'rows', ['h'], ['held'], ({ commands }, { ids }) => commands.resume(ids)),
  rowAction(
    'confirm',
    'rows',
    ['h'],
    ['draft'],
    ({ commands }, { ids }) => commands.resume(ids),
    // Of rows that are not read, `resume` is offered, which does the same.
    ({ states }) => states !== null,
  ),
  rowAction(
    'edit',
    'rows',
    ['e'],
    UNSENT,
    (app, { only }) => {
      if (only !== null) app.edit(only.id);
    },
    one,
  ),
  rowAction(
    'retry',
    'rows',
    ['r'],
    ['failed', 'rejected', 'cancelled'],
    ({ commands }, { ids }) => {
      commands.askToRetry(ids);
    },
  ),
  rowAction('fetch', 'rows', ['r'], ['missing', 'abandoned'], ({ commands }, { ids }) =>
    commands.fetch(ids),
  ),
  {
    ...rowAction(
      'cancel',
      'rows',
      ['delete', 'backspace'],
      [...UNSENT, ...UNDER_WAY],
      ({ commands }, { ids }) => {
        commands.askToCancel(ids);
      },
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
    (app, rows) => {
      step(app, rows, -1);
    },
    inQueue,
  ),
  rowAction(
    'down',
    'order',
    ['alt+arrowdown'],
    UNSENT,
    (app, rows) => {
      step(app, rows, 1);
    },
    inQueue,
  ),
  rowAction('first', 'order', ['alt+home'], UNSENT, ({ commands }, { ids }) =>
    commands.moveToTop(ids),
  ),
  rowAction('last', 'order', ['alt+end'], UNSENT, ({ commands }, { ids }) =>
    commands.move(ids, null),
  ),
  rowAction(
    'stopBefore',
    'order',
    ['b'],
    UNSENT,
    ({ commands }, { only }) => commands.stopBefore(only?.id ?? null),
    ({ only }) => only?.stopsHere === false,
  ),
  rowAction(
    'goPast',
    'order',
    ['b'],
    UNSENT,
    ({ commands }) => commands.stopBefore(null),
    ({ only }) => only?.stopsHere === true,
  ),
];
