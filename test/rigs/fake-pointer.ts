import type { PointerReleased } from '../../src/renderer/connection/pointer-press.ts';

/** A pointer that is never pressed. */
export const notPressed: PointerReleased = () => Promise.resolve();

/** A pointer that is pressed until `release` is called. */
export function pressedPointer(): { readonly released: PointerReleased; release(): void } {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  return { released: () => promise, release: () => resolve(undefined) };
}
