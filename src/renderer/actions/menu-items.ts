import type { MenuItem } from '../design/menu-item.ts';
import type { AppState } from '../state/app-state.svelte.ts';
import { keysShown } from './action.ts';
import { ROW_ACTIONS } from './row-actions.ts';

/** The actions that are possible with the chosen rows now, as lines of a menu. */
export function rowMenu(app: AppState): readonly MenuItem[] {
  return ROW_ACTIONS.filter((action) => action.possible(app)).map((action) => ({
    key: action.name,
    label: action.label?.(app) ?? app.texts.does[action.name],
    group: action.group,
    ...(action.danger === true ? { danger: true } : {}),
    ...(action.keys?.[0] === undefined
      ? {}
      : { note: keysShown(action.keys[0], app.texts.keyNames, app.onMac).join(' ') }),
    onselect: () => {
      void action.run(app);
    },
  }));
}
