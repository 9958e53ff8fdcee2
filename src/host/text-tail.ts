/** Enough for the error that ended a process. */
const KEPT_CHARACTERS = 2000;

/**
 * Keeps only the end of a text. Reads its stream to the end, so that a full pipe does not block the
 * writer.
 */
export class TextTail {
  #text = '';

  constructor(stream: NodeJS.ReadableStream | null) {
    stream?.setEncoding('utf8').on('data', (chunk: string) => this.add(chunk));
  }

  get text(): string {
    return this.#text;
  }

  add(more: string): void {
    this.#text = (this.#text + more).slice(-KEPT_CHARACTERS);
  }
}
