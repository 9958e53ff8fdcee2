import type { AppState } from '../state/app-state.svelte.ts';
import { VIEWS } from '../state/app-state.svelte.ts';

/**
 * What a key does anywhere on the page. Returns true when it did something. Keys typed into fields
 * or with a modifier belong to the field and the browser; Escape and Ctrl or ⌘ with N do not.
 */
export function shortcut(event: KeyboardEvent, app: AppState, focusSearch: () => void): boolean {
  if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'n') {
    app.goTo('add');
    return true;
  }
  if ((event.ctrlKey || event.metaKey) && event.key === 'a' && !isTyping(event.target)) {
    if (app.view !== 'queue') return false;
    void app.commands.give(() => app.queue.selection.chooseAll());
    return true;
  }
  if (event.ctrlKey || event.metaKey || isTyping(event.target)) return false;
  if (event.altKey) return reorder(event.key, app);
  const view = VIEWS[Number(event.key) - 1];
  if (view !== undefined) {
    app.goTo(view);
    return true;
  }
  switch (event.key) {
    case 'a':
      app.goTo('add');
      return true;
    case '/':
      focusSearch();
      return true;
    case '?':
      app.dialog = 'keys';
      return true;
    case 'p': {
      const paused = app.summary?.flow.state === 'paused';
      void app.commands.give((client) =>
        paused ? client.queue.resume() : client.queue.pause({ what: 'sending' }),
      );
      return true;
    }
    case 'h':
      holdOrResume(app);
      return true;
    case 'Escape':
      return stepBack(app);
    default:
      return false;
  }
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    target.closest('input:not([type="radio"]), textarea, select, [role="menu"]') !== null
  );
}

function holdOrResume(app: AppState): void {
  const { list, selection } = app.queue;
  const chosen = list.at(selection.cursor);
  if (app.view !== 'queue' || chosen === undefined) return;
  const ids = selection.ids.size > 0 ? [...selection.ids] : [chosen.id];
  if (chosen.state === 'held') void app.commands.resume(ids);
  else if (chosen.state === 'queued') void app.commands.hold(ids);
}

/** Moves what is chosen one row up or down; the cursor goes with it. */
function reorder(key: string, app: AppState): boolean {
  const { list, selection } = app.queue;
  if (app.view !== 'queue' || (key !== 'ArrowUp' && key !== 'ArrowDown')) return false;
  const rows = [...selection.ids].map((id) => list.indexOf(id)).filter((index) => index >= 0);
  if (rows.length === 0) return false;
  const up = key === 'ArrowUp';
  const target = up ? Math.min(...rows) - 1 : Math.max(...rows) + 2;
  if (target < 0 || target > (list.total ?? 0)) return true;
  void app.commands.move([...selection.ids], list.at(target)?.id ?? null);
  selection.cursor += up ? -1 : 1;
  return true;
}

function stepBack(app: AppState): boolean {
  if (app.details.id !== null) app.details.close();
  else if (app.view === 'add') app.goTo('queue');
  else if (app.queue.selection.ids.size > 0) app.queue.selection.clear();
  else return false;
  return true;
}
