/** How a row stores a picture: its file, and the bytes that were checked. */

/** A picture of a row. */
export interface PictureValue {
  /** Absolute. */
  readonly path: string;
  /** Of its bytes, in lower-case hex. */
  readonly sha256: string;
}

const NOTATION = /^(.+)#sha256=([\da-f]{64})$/s;

export function pictureText({ path, sha256 }: PictureValue): string {
  return `${path}#sha256=${sha256}`;
}

/** Whether a row's values name a picture's file. */
export function hasPictures(values: readonly (readonly [string, unknown])[]): boolean {
  return values.some(([, value]) => typeof value === 'string' && pictureIn(value) !== undefined);
}

/** `undefined` for other texts, such as an address. */
export function pictureIn(text: string): PictureValue | undefined {
  const [, path, sha256] = NOTATION.exec(text) ?? [];
  return path === undefined || sha256 === undefined ? undefined : { path, sha256 };
}
