export interface Toast {
  readonly id: number;
  readonly tone: 'good' | 'note' | 'bad';
  readonly text: string;
  readonly more: string | null;
}

/** Good news leaves by itself after this long, in milliseconds; all other waits to be dismissed. */
const GOOD_NEWS_MS = 5000;

/** Short word on what a command did; at most three stand at a time. */
export class Toasts {
  shown = $state.raw<readonly Toast[]>([]);
  #nextId = 1;

  good(text: string): void {
    const id = this.#add('good', text, null);
    setTimeout(() => {
      this.dismiss(id);
    }, GOOD_NEWS_MS);
  }

  /** Nothing is wrong, and it should be known. */
  note(text: string, more: string | null): void {
    this.#add('note', text, more);
  }

  bad(text: string, more: string | null): void {
    this.#add('bad', text, more);
  }

  dismiss(id: number): void {
    this.shown = this.shown.filter((toast) => toast.id !== id);
  }

  #add(tone: Toast['tone'], text: string, more: string | null): number {
    const id = this.#nextId++;
    this.shown = [...this.shown, { id, tone, text, more }].slice(-3);
    return id;
  }
}
