import { EventEmitter } from 'node:events';
import { expect, it } from 'vitest';
import { hideWindow } from '../../../src/main/hide-window.ts';

/** A window as macOS has them: hidden on a whole screen, it leaves the screen black. */
class FakeWindow extends EventEmitter {
  readonly events: string[] = [];
  #isFull: boolean;

  constructor(isFull: boolean) {
    super();
    this.#isFull = isFull;
  }

  isFullScreen(): boolean {
    return this.#isFull;
  }

  setFullScreen(wanted: boolean): void {
    this.#isFull = wanted;
    this.events.push('leaves the screen');
  }

  hide(): void {
    this.events.push(this.#isFull ? 'a black screen' : 'hidden');
  }
}

it('leaves the whole screen before it is hidden', () => {
  const window = new FakeWindow(true);
  hideWindow(window as never);
  expect(window.events).toEqual(['leaves the screen']);
  window.emit('leave-full-screen');
  expect(window.events).toEqual(['leaves the screen', 'hidden']);
});

it('is hidden at once otherwise', () => {
  const window = new FakeWindow(false);
  hideWindow(window as never);
  expect(window.events).toEqual(['hidden']);
});
