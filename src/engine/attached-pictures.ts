/**
 * Puts the files of a row into its request, immediately before it is sent. Each file is read
 * again, and must have the bytes that were checked: what is sent is what was planned and compared.
 */
import { hash } from 'node:crypto';
import path from 'node:path';
import type { Failure } from '../contract/failure.ts';
import { hasPictures, picturesIn, type PictureValue } from '../contract/picture-value.ts';
import { joinMessages, userMessage } from '../contract/user-message.ts';
import type { Clock } from './clock.ts';
import type { FileOnDisk } from './file-on-disk.ts';
import type { Caption } from './intake/captions/parse-captions.ts';
import { type CaptionsReading, readCaptions } from './intake/captions/read-captions.ts';
import { type FontReading, readFont } from './intake/fonts/read-font.ts';
import { storedRow, type StoredRow } from './intake/edited-row.ts';
import type { RequestValue } from './intake/request-body.ts';
import { completeValues, pictureColumns, type PictureOf, requestsOf } from './intake/row-values.ts';
import type { AttachPictures, Attached } from './flow/flow-context.ts';
import { type ClipReading, readClip } from './pictures/read-clip.ts';
import { fitFor, type FitPicture } from './pictures/picture-fit.ts';
import { readPictureHeader } from './pictures/picture-header.ts';
import {
  MAX_BYTES_TOGETHER,
  readPicture,
  type Picture,
  type PictureBytes,
} from './pictures/read-picture.ts';
import { readSound, type SoundReading } from './pictures/read-sound.ts';
import type { FilePart, StoreFile, Upload } from './service/upload.ts';

/** A file with how its column is sent. */
interface Attachment extends PictureValue {
  readonly column: string;
  readonly part: Omit<FilePart, 'bytes'>;
  readonly content: Buffer | FileOnDisk;
}

/** Captions, which are a part of the request. */
interface Written {
  readonly column: string;
  readonly sha256: string;
  readonly captions: readonly Caption[];
}

/** An address at the service is used no longer than this before it ends. */
const MARGIN_MS = 60_000;

export interface AttachOptions {
  readonly clock: Clock;
  /** For files that would be in the request, too; of a service on this computer. */
  readonly store?: StoreFile | undefined;
  /** To the service's own endpoint; `null` when it has none. */
  readonly upload: Upload | null;
  /** Converts pictures to what the service takes; none is converted when left out. */
  readonly fit?: FitPicture | undefined;
}

/** @returns puts the pictures of one row into its request; `null` for a row without any */
export function attachPictures(options: AttachOptions): AttachPictures {
  const { clock, store, upload, fit } = options;
  /** By hash of the bytes that were sent: what the service called an upload. */
  const uploads = new Map<string, { readonly value: string | number; readonly until: number }>();

  async function uploaded(
    { part, content, path: original }: Attachment,
    signal: AbortSignal,
    isRepeat: boolean,
  ): Promise<string | number | Exclude<Attached, { kind: 'ready' }>> {
    const sha256 = Buffer.isBuffer(content) ? hash('sha256', content) : content.sha256;
    const known = uploads.get(sha256);
    if (known !== undefined && known.until > clock.now()) return known.value;
    // Sent again, the request must have the same bytes, and another upload has another address.
    if (isRepeat) return { kind: 'impossible' };
    const name = path.basename(original);
    const outcome =
      store !== undefined
        ? await store(content, signal)
        : Buffer.isBuffer(content) && (await upload?.({ ...part, bytes: content }, signal));
    if (!outcome) {
      const message = userMessage('file-not-uploadable', { name });
      return { kind: 'unusable', failure: { code: 'picture-unusable', ...message } };
    }
    if (outcome.kind === 'unavailable') return outcome;
    if (outcome.kind === 'no-endpoint') return { kind: 'unusable', failure: outcome.failure };
    if (outcome.kind === 'refused') {
      const message = userMessage('picture-upload-refused', { name });
      const { detail = outcome.failure.message } = outcome.failure;
      return { kind: 'unusable', failure: { code: 'picture-unusable', ...message, detail } };
    }
    const { value, lifeMs } = outcome;
    uploads.set(sha256, { value, until: clock.now() + lifeMs - MARGIN_MS });
    return value;
  }

  return async (stored, signal, isRepeat = false) => {
    if (!hasPictures(stored.values)) return null;
    const row = storedRow(stored);
    const read = await readPictures(row, fit, signal);
    if ('kind' in read) return read;
    const texts = new Map<string, RequestValue>();
    const keyOf = (column: string, { sha256 }: { sha256: string }) => `${sha256} ${column}`;
    const parts: FilePart[] = [];
    for (const attachment of read) {
      if ('captions' in attachment) {
        texts.set(keyOf(attachment.column, attachment), attachment.captions);
        continue;
      }
      const { column, part, content, sha256 } = attachment;
      const send = sendOf(row, column);
      if (store !== undefined || send === 'upload' || !Buffer.isBuffer(content)) {
        const value = await uploaded(attachment, signal, isRepeat);
        if (typeof value === 'object') return value;
        texts.set(keyOf(column, attachment), value);
      } else if (send === 'part') {
        parts.push({ ...part, bytes: content });
        texts.set(keyOf(column, attachment), `sha256:${sha256}`);
      } else {
        const url = `data:${part.mediaType};base64,${content.toString('base64')}`;
        texts.set(keyOf(column, attachment), url);
      }
    }
    const textOf: PictureOf = (column, picture) => texts.get(keyOf(column, picture)) ?? '';
    const { body } = requestsOf(row.template, textOf)(row.values);
    return { kind: 'ready', body: withoutParts(body, parts), files: parts };
  };
}

/** All pictures of a row, or why one cannot be sent. */
async function readPictures(
  row: StoredRow,
  fit: FitPicture | undefined,
  signal: AbortSignal,
): Promise<(Attachment | Written)[] | { kind: 'unusable' | 'unavailable'; failure: Failure }> {
  const values = completeValues(row.template, row.values);
  const attachments: (Attachment | Written)[] = [];
  let size = 0;
  const named = pictureColumns(row.template).flatMap((column) =>
    picturesIn(values.get(column) ?? '').map((picture) => ({ column, picture })),
  );
  for (const { column, picture } of named) {
    const name = path.basename(picture.path);
    const read = await readFile(row, column, picture.path);
    if (read.kind === 'invalid') {
      const message = joinMessages(userMessage('picture-now-unusable', { name }), read.what);
      return { kind: 'unusable', failure: { code: 'picture-unusable', ...message } };
    }
    if (sha256Of(read) !== picture.sha256) {
      const message = userMessage('picture-differs', { name });
      return { kind: 'unusable', failure: { code: 'picture-unusable', ...message } };
    }
    if (read.kind === 'captions') {
      attachments.push({ column, sha256: read.sha256, captions: read.captions });
      continue;
    }
    const sent = await asSent(row, column, read, fit, signal);
    if (sent === null) {
      if (signal.aborted) return { kind: 'unavailable', failure: stopped() };
      const message = userMessage('picture-not-fitted', { name });
      return { kind: 'unusable', failure: { code: 'picture-unusable', ...message } };
    }
    const { format, content } = sent;
    size += Buffer.isBuffer(content) ? content.length : 0;
    if (size > MAX_BYTES_TOGETHER) {
      const message = userMessage('pictures-too-large-together', {
        max: MAX_BYTES_TOGETHER / 1_000_000,
      });
      return { kind: 'unusable', failure: { code: 'picture-unusable', ...message } };
    }
    const part = {
      property: propertyOf(row, column),
      // Not its own name, which may tell more than the picture.
      fileName: `${nameOf(read.kind)}.${format === 'jpeg' ? 'jpg' : format}`,
      mediaType: `${MEDIA_TYPES[read.kind]}/${format}`,
    };
    attachments.push({ ...picture, column, part, content });
  }
  return attachments;
}

const MEDIA_TYPES = { read: 'image', clip: 'video', sound: 'audio', font: 'font' } as const;

function nameOf(kind: keyof typeof MEDIA_TYPES): string {
  return kind === 'read' ? 'picture' : kind;
}

/** @returns `null` if it cannot be converted */
async function asSent(
  row: StoredRow,
  column: string,
  read: Exclude<Read, { kind: 'captions' }>,
  fit: FitPicture | undefined,
  signal: AbortSignal,
): Promise<SentFile | null> {
  switch (read.kind) {
    case 'read':
      return asTaken(row, column, read, fit, signal);
    case 'clip':
      return { format: read.clip.format, content: read.clip };
    case 'sound':
      return { format: read.sound.format, content: read.sound };
    case 'font':
      return { format: read.font.format, content: read.bytes };
  }
}

interface SentFile {
  readonly format: string;
  readonly content: Buffer | FileOnDisk;
}

/**
 * A picture as its column takes it. Equal bytes are converted to equal bytes, so a request that is
 * sent again is the same.
 * @returns `null` if it cannot be converted
 */
async function asTaken(
  { template }: StoredRow,
  name: string,
  { picture, bytes }: { readonly picture: Picture; readonly bytes: Buffer },
  fit: FitPicture | undefined,
  signal: AbortSignal,
): Promise<SentFile | null> {
  const column = template.columns[name];
  const wanted = column?.type === 'picture' ? fitFor(picture, column) : null;
  if (wanted === null) return { format: picture.format, content: bytes };
  const fitted = (await fit?.(bytes, wanted, signal)) ?? null;
  if (fitted === null) return null;
  const header = readPictureHeader(fitted);
  const isAsWanted =
    header?.format === wanted.format &&
    fitted.length <= wanted.maxBytes &&
    Math.max(header.width, header.height) <= wanted.maxSide;
  return isAsWanted ? { format: wanted.format, content: fitted } : null;
}

function readFile(
  { template }: StoredRow,
  name: string,
  file: string,
): Promise<PictureBytes | ClipReading | SoundReading | FontReading | CaptionsReading> {
  const column = template.columns[name];
  const holds = column?.type === 'picture' ? column.holds : undefined;
  const folder = path.dirname(file);
  switch (holds) {
    case 'clip':
      return readClip(file, folder);
    case 'sound':
      return readSound(file, folder);
    case 'font':
      return readFont(file, folder);
    case 'captions':
      return readCaptions(file, folder);
    default:
      return readPicture(file);
  }
}

type Read = Exclude<Awaited<ReturnType<typeof readFile>>, { kind: 'invalid' }>;

function sha256Of(read: Read): string {
  switch (read.kind) {
    case 'captions':
      return read.sha256;
    case 'clip':
      return read.clip.sha256;
    case 'sound':
      return read.sound.sha256;
    case 'font':
      return read.font.sha256;
    case 'read':
      return read.picture.sha256;
  }
}

function sendOf({ template }: StoredRow, name: string): 'data-url' | 'part' | 'upload' {
  const column = template.columns[name];
  return (column?.type === 'picture' ? column.send : undefined) ?? 'data-url';
}

/** Never shown: the row waits for the next start. */
function stopped(): Failure {
  return { code: 'picture-unusable', ...userMessage('picture-changing') };
}

/** The property of the request that is the column's value. */
function propertyOf({ template }: StoredRow, column: string): string {
  const found = Object.entries(template.body).find(
    ([, value]) =>
      typeof value === 'string' &&
      value.replaceAll(' ', '') === `{{${column.replaceAll(' ', '')}}}`,
  );
  return found?.[0] ?? column;
}

/** The request without the properties whose values are parts of their own. */
function withoutParts(body: string, parts: readonly FilePart[]): string {
  if (parts.length === 0) return body;
  const names = new Set(parts.map(({ property }) => property));
  const entries = Object.entries(JSON.parse(body) as Record<string, unknown>);
  return JSON.stringify(Object.fromEntries(entries.filter(([name]) => !names.has(name))));
}
