import { SvelteMap } from 'svelte/reactivity';
import type { Client } from '../../contract/contract.ts';

/** Each has a few kilobytes; a table that is scrolled to its end requests the first ones again. */
const MAX_KEPT = 600;
/** Requests at a time: as many as the host makes at once on a computer with four cores. */
const MAX_RUNNING = 4;

/**
 * Small copies of the pictures of rows, as `data:` addresses. The rows that were shown last come
 * first, the uppermost of them before the others; rows that are no longer shown are not requested.
 */
export class Thumbnails {
  /** By picture; `null` for one without a thumbnail. */
  readonly #urls = new SvelteMap<string, string | null>();
  readonly #client: { readonly preview: Pick<Client['preview'], 'thumbnail'> };
  /** One for each row that waits, the next first. */
  #wanted: readonly string[] = [];
  /** Those of the rows that are being shown now, from the top. */
  #shown: readonly string[] = [];
  #running = 0;

  constructor(client: { readonly preview: Pick<Client['preview'], 'thumbnail'> }) {
    this.#client = client;
  }

  /** `undefined` until it is known. */
  urlOf(picture: string): string | null | undefined {
    return this.#urls.get(picture);
  }

  /** Requests a thumbnail while a row that has it is shown. @returns ends that */
  want(picture: string): () => void {
    if (this.#urls.has(picture)) return () => undefined;
    if (this.#shown.length === 0) queueMicrotask(() => this.#putFirst());
    this.#shown = [...this.#shown, picture];
    return () => {
      if (this.#shown.includes(picture)) this.#shown = withoutOne(this.#shown, picture);
      else this.#wanted = withoutOne(this.#wanted, picture);
    };
  }

  #putFirst(): void {
    this.#wanted = [...this.#shown, ...this.#wanted];
    this.#shown = [];
    this.#request();
  }

  #request(): void {
    while (this.#running < MAX_RUNNING) {
      const picture = this.#wanted[0];
      if (picture === undefined) return;
      this.#wanted = this.#wanted.filter((other) => other !== picture);
      this.#running += 1;
      void this.#load(picture).finally(() => {
        this.#running -= 1;
        this.#request();
      });
    }
  }

  async #load(picture: string): Promise<void> {
    const found = await this.#client.preview.thumbnail({ picture }).catch(() => null);
    const url = found?.kind === 'made' ? `data:image/webp;base64,${found.webp}` : null;
    this.#urls.set(picture, url);
    for (const oldest of this.#urls.keys()) {
      if (this.#urls.size <= MAX_KEPT) return;
      this.#urls.delete(oldest);
    }
  }
}

function withoutOne(list: readonly string[], item: string): readonly string[] {
  const at = list.indexOf(item);
  return at < 0 ? list : list.toSpliced(at, 1);
}
