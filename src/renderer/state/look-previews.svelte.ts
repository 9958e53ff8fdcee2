import { SvelteMap } from 'svelte/reactivity';
import type { SampleRow } from '../../contract/batch.ts';
import type { Client } from '../../contract/contract.ts';
import type { Frame } from '../../contract/frame.ts';

type Request = NonNullable<SampleRow['request']>;

/** A frame of one video in each of several looks, from the service on this computer. */
export class LookPreviews {
  /** By look; a look is missing until its frame has been drawn. */
  readonly frames = new SvelteMap<string, Frame>();

  readonly #client: { readonly preview: Pick<Client['preview'], 'frame'> };
  /** The request as text, to recognise an unchanged row in a new plan. */
  #text = '';

  constructor(client: { readonly preview: Pick<Client['preview'], 'frame'> }) {
    this.#client = client;
  }

  /** Draws one frame at a time; those of an earlier request are abandoned. */
  async show(request: Request, looks: readonly string[]): Promise<void> {
    const { look: _own, ...rest } = Object(request) as Record<string, Request>;
    const text = JSON.stringify([rest, looks]);
    if (text === this.#text) return;
    this.#text = text;
    this.frames.clear();
    for (const look of looks) {
      const frame = await this.#client.preview
        .frame({ request: { ...rest, look } })
        .catch((): Frame => ({ kind: 'unavailable' }));
      if (text !== this.#text) return;
      this.frames.set(look, frame);
    }
  }
}
