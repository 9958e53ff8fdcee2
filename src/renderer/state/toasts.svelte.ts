import type { PointerReleased } from '../connection/pointer-press.ts';

/** What the button of a toast does. */
export interface ToastAction {
  readonly label: string;
  readonly run: () => unknown;
}

export interface Toast {
  readonly id: number;
  readonly tone: 'good' | 'note' | 'bad';
  readonly text: string;
  readonly more: string | null;
  /** A later toast about the same thing replaces this one. */
  readonly about: 'key' | 'change' | null;
  readonly action: ToastAction | null;
}

/** Short messages about what a command did; at most three are shown. */
export class Toasts {
  shown = $state.raw<readonly Toast[]>([]);
  #current: readonly Toast[] = [];
  #nextId = 1;
  /** By toast; those that dismiss themselves. */
  #timers: readonly { readonly id: number; readonly timer: ReturnType<typeof setTimeout> }[] = [];
  readonly #pointerReleased: PointerReleased;
  readonly #successToastMs: number;

  /** @param successToastMs how long `good` toasts are shown; the others stay until dismissed */
  constructor(pointerReleased: PointerReleased, successToastMs: number) {
    this.#pointerReleased = pointerReleased;
    this.#successToastMs = successToastMs;
  }

  good(text: string, about: Toast['about'] = null, action: ToastAction | null = null): void {
    const id = this.#add('good', text, null, about, action);
    const timer = setTimeout(() => {
      this.dismiss(id);
    }, this.#successToastMs);
    this.#timers = [...this.#timers, { id, timer }];
  }

  /** For news that is neither a success nor a problem. */
  note(text: string, more: string | null): void {
    this.#add('note', text, more, null);
  }

  bad(text: string, more: string | null, about: Toast['about'] = null): void {
    this.#add('bad', text, more, about);
  }

  dismiss(id: number): void {
    this.#show(this.#current.filter((toast) => toast.id !== id));
  }

  #show(toasts: readonly Toast[]): void {
    this.#current = toasts;
    this.#timers = this.#timers.filter(({ id, timer }) => {
      const isShown = toasts.some((toast) => toast.id === id);
      if (!isShown) clearTimeout(timer);
      return isShown;
    });
    void this.#pointerReleased().then(() => {
      this.shown = this.#current;
    });
  }

  #add(
    tone: Toast['tone'],
    text: string,
    more: string | null,
    about: Toast['about'],
    action: ToastAction | null = null,
  ): number {
    const id = this.#nextId++;
    const others = this.#current.filter((toast) => about === null || toast.about !== about);
    this.#show([...others, { id, tone, text, more, about, action }].slice(-3));
    return id;
  }
}
