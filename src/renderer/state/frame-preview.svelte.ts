import type { SampleRow } from '../../contract/batch.ts';
import type { Client } from '../../contract/contract.ts';
import type { Frame } from '../../contract/frame.ts';
import { CoalescingRunner } from './coalescing-runner.ts';
import { LookPreviews } from './look-previews.svelte.ts';

type Request = NonNullable<SampleRow['request']>;

/** One frame of the video that a request describes, from the service on this computer. */
export class FramePreview {
  /** The last request's frame; an earlier one's while that is being drawn. */
  frame = $state.raw<Frame | null>(null);
  /** The title of the video that `frame` shows. */
  title = $state('');
  isDrawing = $state(false);
  /** The same in every look. */
  readonly looks: LookPreviews;

  readonly #client: { readonly preview: Pick<Client['preview'], 'frame'> };
  readonly #drawing = new CoalescingRunner(() => this.#draw());
  #request: Request | null = null;
  #requestTitle = '';
  /** The request as text, to recognise an unchanged row in a new plan. */
  #text = '';

  constructor(client: { readonly preview: Pick<Client['preview'], 'frame'> }) {
    this.#client = client;
    this.looks = new LookPreviews(client);
  }

  show(request: Request, title: string): void {
    const text = JSON.stringify(request);
    if (text === this.#text) return;
    this.#request = request;
    this.#requestTitle = title;
    this.#text = text;
    this.retry();
  }

  retry(): void {
    this.isDrawing = true;
    void this.#drawing.request();
  }

  /** Removes the frame, so that another batch does not show it. */
  clear(): void {
    this.frame = null;
    this.isDrawing = false;
    this.#request = null;
    this.#text = '';
  }

  /** Whether the service refuses to render the last request. */
  get isRefused(): boolean {
    return !this.isDrawing && this.frame?.kind === 'refused';
  }

  async #draw(): Promise<void> {
    const request = this.#request;
    const title = this.#requestTitle;
    if (request === null) {
      this.isDrawing = false;
      return;
    }
    const frame = await this.#client.preview
      .frame({ request })
      .catch((): Frame => ({ kind: 'unavailable' }));
    // Another request was shown meanwhile; its frame is drawn next.
    if (request !== this.#request) return;
    this.frame = frame;
    this.title = title;
    this.isDrawing = false;
  }
}
