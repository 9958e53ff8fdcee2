/** A press whose end is missed, such as outside the window, ends after so many milliseconds. */
const MAX_PRESS_MS = 10_000;

/**
 * Updates that would move a row or a button wait for this, so that a click reaches what was
 * pressed. The promise resolves after the click; immediately when no pointer is pressed.
 */
export type PointerReleased = () => Promise<void>;

export function watchPointer(page: Window): PointerReleased {
  let press: PromiseWithResolvers<void> | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function endAfter(milliseconds: number): void {
    clearTimeout(timer);
    timer = setTimeout(() => {
      press?.resolve();
      press = null;
    }, milliseconds);
  }

  function begin(): void {
    press ??= Promise.withResolvers();
    endAfter(MAX_PRESS_MS);
  }

  /** The click event comes after this one and before the next task. */
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
