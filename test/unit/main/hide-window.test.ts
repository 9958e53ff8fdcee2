import { EventEmitter } from 'node:events';
import { expect, it } from 'vitest';
import { hideWindow } from '../../../src/main/hide-window.ts';

/** A window of macOS: hiding it in full screen leaves the screen black. */
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

it('a window leaves full screen before it is hidden', () => {
  const window = new FakeWindow(true);
  hideWindow(window as never);
  expect(window.events).toEqual(['leaves the screen']);
  window.emit('leave-full-screen');
  expect(window.events).toEqual(['leaves the screen', 'hidden']);
});

it('a window that is not in full screen is hidden at once', () => {
  const window = new FakeWindow(false);
  hideWindow(window as never);
  expect(window.events).toEqual(['hidden']);
});
