/** A press whose end is missed, such as outside the window, counts as over after this. */
const MAX_PRESS_MS = 10_000;

/**
 * Updates that would move a row or a button wait for this, so that a click reaches what was
 * pressed. The promise resolves immediately unless a pointer is pressed in the window, otherwise
 * after the click.
 */
export type PointerReleased = () => Promise<void>;

export function watchPointer(page: Window): PointerReleased {
  let press: PromiseWithResolvers<void> | null = null;
  let ending: ReturnType<typeof setTimeout> | undefined;

  function endAfter(milliseconds: number): void {
    clearTimeout(ending);
    ending = setTimeout(() => {
      press?.resolve();
      press = null;
    }, milliseconds);
  }

  function begin(): void {
    press ??= Promise.withResolvers();
    endAfter(MAX_PRESS_MS);
  }

  /** The click is dispatched between the end of the press and the next task. */
  function end(): void {
    if (press !== null) endAfter(0);
  }

  // In the capture phase, before a handler can stop them.
  page.addEventListener('pointerdown', begin, true);
  page.addEventListener('pointerup', end, true);
  page.addEventListener('pointercancel', end, true);
  page.addEventListener('blur', end);
  return () => press?.promise ?? Promise.resolve();
}
