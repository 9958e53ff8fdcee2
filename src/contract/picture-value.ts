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
export function hasPictures(values: readonly (readonly [string, PictureCell])[]): boolean {
  return values.some(([, value]) => picturesIn(value).length > 0);
}

/** A value of a row; a list where its column takes several. */
type PictureCell = string | number | readonly string[];

/** The texts of a value that may each be a picture. */
export function textsIn(value: PictureCell): readonly string[] {
  return typeof value === 'object' ? value : [String(value)];
}

/** The pictures of a value, in order; none for other texts. */
export function picturesIn(value: PictureCell): readonly PictureValue[] {
  return textsIn(value).flatMap((text) => pictureIn(text) ?? []);
}

/** `undefined` for other texts, such as an address. */
export function pictureIn(text: string): PictureValue | undefined {
  const [, path, sha256] = NOTATION.exec(text) ?? [];
  return path === undefined || sha256 === undefined ? undefined : { path, sha256 };
}
