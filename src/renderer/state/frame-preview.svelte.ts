import type { SampleRow } from '../../contract/batch.ts';
import type { Client } from '../../contract/contract.ts';
import type { Frame } from '../../contract/frame.ts';
import { Planning } from './planning.ts';

type Request = NonNullable<SampleRow['request']>;

/** One frame of the video that a request would make, from the service on this computer. */
export class FramePreview {
  /** Of the request shown last; while its frame is drawn, of an earlier one. */
  frame = $state.raw<Frame | null>(null);
  /** The title of the video that `frame` is of. */
  title = $state('');
  isDrawing = $state(false);

  readonly #client: Pick<Client, 'preview'>;
  readonly #drawing = new Planning(() => this.#draw());
  #request: Request | null = null;
  #requestTitle = '';
  /** The request as text: plans of an unchanged row have the same one. */
  #text = '';

  constructor(client: Pick<Client, 'preview'>) {
    this.#client = client;
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
    void this.#drawing.ask();
  }

  /** Forgets the frame, so that another batch does not begin with it. */
  clear(): void {
    this.frame = null;
    this.isDrawing = false;
    this.#request = null;
    this.#text = '';
  }

  /** Whether the service would not render the request shown last. */
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
