import { lstat } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { frameSchema, type Frame } from '../contract/frame.ts';
import { safeParse } from '../contract/safe-parse.ts';
import type { Clock } from '../engine/clock.ts';
import type { DrawFrame } from '../engine/engine-options.ts';
import { sanitizeRemoteText } from '../engine/sanitize-remote-text.ts';
import { fitFor, type FitPicture } from '../engine/pictures/picture-fit.ts';
import { readCaptions } from '../engine/intake/captions/read-captions.ts';
import { readPicture, type PictureChecks } from '../engine/pictures/read-picture.ts';
import type { StoreFile } from '../engine/service/upload.ts';
import { storeLocally } from './local-pictures.ts';
import { postLocally, type LocalResponse, type LocalServiceAddress } from './local-requests.ts';

/** The service stops drawing after 20 s, and may draw up to three other frames before. */
const DRAWS_WITHIN_MS = 30_000;
/** The service's own limit; it closes the connection in the middle of a longer request. */
const MAX_REQUEST_BYTES = 1024 * 1024;
/** The properties of a storyboard that are pictures of a row. */
const PICTURES = ['picture', 'logo'];
/** Files that are known to be at the service. */
const MAX_SENT = 100;
const MAX_REASON_LENGTH = 300;
/** What stands for a file that was checked, also before this process began. */
const CHECKED_FILE = /^sha256:([\da-f]{64})$/;

const UNAVAILABLE: Frame = { kind: 'unavailable' };

const drawnSchema = z
  .object({ width: z.unknown(), height: z.unknown(), seconds: z.unknown(), jpeg: z.unknown() })
  .transform((response) => ({ ...response, kind: 'drawn' }))
  .pipe(frameSchema.options[0])
  .refine(({ jpeg }) => isJpeg(jpeg));

const assetSchema = z.object({ asset: z.string() });
const scenesSchema = z.array(
  z.looseObject({
    background: z.looseObject({ asset: z.string() }).optional(),
    images: z.array(z.string()).optional(),
  }),
);

const refusedSchema = z.object({
  message: z.string(),
  details: z
    .object({ issues: z.array(z.object({ path: z.string(), reason: z.string() })) })
    .optional()
    .catch(undefined),
});

/** The files of a preview. */
export interface ShownPictures {
  /** Those that a batch names. */
  readonly pictures?: Pick<PictureChecks, 'fileOf'> | undefined;
  /** Converts those that the service does not take. */
  readonly fitPicture?: FitPicture | undefined;
}

/**
 * Requests frames from the local service. The key stays in this process.
 */
export function localFrames(service: LocalServiceAddress, shown: ShownPictures = {}): DrawFrame {
  const store = storeLocally(service);
  const uploadNamed = namedUploads({ store, pictures: shown.pictures, clock: service.clock });
  return async (request, signal) => {
    const frame = await withUploads(request, shown, { store, uploadNamed }, signal);
    const body = JSON.stringify(frame);
    if (Buffer.byteLength(body) > MAX_REQUEST_BYTES) return UNAVAILABLE;
    const post = { path: '/local/frame', body, headersMs: DRAWS_WITHIN_MS };
    const response = await postLocally(service, post, signal);
    return response === null ? UNAVAILABLE : frameIn(response);
  };
}

/**
 * The request with the files of the preview: captions as they are sent, and the others at the service,
 * which then knows their names. Sounds are left out, unless the voice decides which caption is seen.
 */
async function withUploads(
  request: Parameters<DrawFrame>[0],
  { pictures, fitPicture }: ShownPictures,
  { store, uploadNamed }: { readonly store: StoreFile; readonly uploadNamed: UploadNamed },
  signal: AbortSignal | undefined,
): Promise<unknown> {
  if (typeof request !== 'object' || request === null || Array.isArray(request)) return request;
  const { music: _music, voice, ...shown }: Record<string, unknown> = { ...request };
  const named = typeof shown.captions === 'string' ? pictures?.fileOf(shown.captions) : undefined;
  if (named !== undefined) {
    const read = await readCaptions(named, path.dirname(named));
    if (read.kind === 'invalid') return request;
    shown.captions = read.captions;
  } else if (typeof shown.captions === 'string' && CHECKED_FILE.test(shown.captions)) {
    delete shown.captions;
  } else if (shown.captions !== undefined) {
    const spoken = await uploadNamed(voice, signal);
    if (spoken !== null) shown.voice = { asset: spoken };
  }
  if (shown.font !== undefined) {
    const font = await uploadNamed(shown.font, signal);
    if (font === null) return request;
    shown.font = { asset: font };
  }
  /** What is no file of the batch stays as it is; `null` for a file that cannot be sent. */
  const uploadPicture = async (reference: unknown): Promise<unknown> => {
    const file = typeof reference === 'string' ? pictures?.fileOf(reference) : undefined;
    if (file === undefined) return reference;
    const read = await readPicture(file);
    if (read.kind === 'invalid') return null;
    const wanted = fitFor(read.picture, {});
    const bytes = wanted === null ? read.bytes : await fitPicture?.(read.bytes, wanted, signal);
    if (bytes === undefined || bytes === null) return null;
    const sent = await store(bytes, signal);
    return sent.kind === 'uploaded' ? sent.value : null;
  };
  const uploadClip = (clip: unknown): Promise<string | null> => uploadNamed(clip, signal);
  const scenes = await withFiles(shown.scenes, { uploadClip, uploadPicture });
  if (scenes === null) return request;
  if (scenes !== undefined) shown.scenes = scenes;
  for (const property of PICTURES) {
    if (shown[property] === undefined) continue;
    shown[property] = await uploadPicture(shown[property]);
    if (shown[property] === null) return request;
  }
  return shown;
}

interface SceneUploads {
  readonly uploadClip: (named: unknown) => Promise<string | null>;
  readonly uploadPicture: (reference: unknown) => Promise<unknown>;
}

/**
 * The scenes with the service's names of their files; `null` if one cannot be sent. Of a gallery, the
 * preview shows the first picture at most, which stands for the others.
 */
async function withFiles(
  scenes: unknown,
  { uploadClip, uploadPicture }: SceneUploads,
): Promise<unknown> {
  const { data } = safeParse(scenesSchema, scenes);
  if (data === undefined) return scenes;
  const shown: unknown[] = [];
  for (const scene of data) {
    const { background, images } = scene;
    const asset = background === undefined ? undefined : await uploadClip(background);
    const first = images === undefined ? undefined : await uploadPicture(images[0]);
    if (asset === null || first === null) return null;
    shown.push({
      ...scene,
      ...(asset === undefined ? {} : { background: { ...background, asset } }),
      ...(images === undefined ? {} : { images: images.map(() => first) }),
    });
  }
  return shown;
}

/**
 * Uploads the file that a part of a request names.
 * @returns the name that the service gives it; `null` if there is none, or it cannot be read
 */
type UploadNamed = (named: unknown, signal: AbortSignal | undefined) => Promise<string | null>;

interface NamedUploads {
  readonly store: StoreFile;
  readonly pictures: ShownPictures['pictures'];
  readonly clock: Pick<Clock, 'now'>;
}

/** Does not send a file again while the service has it: a frame is drawn with each pressed key. */
function namedUploads({ store, pictures, clock }: NamedUploads): UploadNamed {
  const sent = new Map<string, { readonly value: string; readonly until: number }>();
  return async (named, signal) => {
    const { data } = safeParse(assetSchema, named);
    if (data === undefined) return null;
    const file = pictures?.fileOf(data.asset);
    if (file === undefined) return null;
    const known = sent.get(data.asset);
    if (known !== undefined && known.until > clock.now()) return known.value;
    const [, sha256] = CHECKED_FILE.exec(data.asset) ?? [];
    const stats = await lstat(file).catch(() => null);
    if (sha256 === undefined || stats?.isFile() !== true) return null;
    const outcome = await store({ path: file, size: stats.size, sha256 }, signal);
    if (outcome.kind !== 'uploaded') return null;
    if (sent.size >= MAX_SENT) sent.clear();
    const value = String(outcome.value);
    sent.set(data.asset, { value, until: clock.now() + outcome.lifeMs });
    return value;
  };
}

function frameIn({ status, json, key }: LocalResponse): Frame {
  if (status === 200) {
    const drawn = safeParse(drawnSchema, json);
    return drawn.success ? drawn.data : UNAVAILABLE;
  }
  const refused = safeParse(refusedSchema, json);
  if (status !== 400 || !refused.success) return UNAVAILABLE;
  const { message, details } = refused.data;
  const [issue] = details?.issues ?? [];
  const reason = issue === undefined ? message : `${issue.path} ${issue.reason}`;
  const keyless = reason.replaceAll(key, '…');
  return { kind: 'refused', detail: sanitizeRemoteText(keyless, MAX_REASON_LENGTH) };
}

/** JPEG files begin with a start marker and the first byte of another marker. */
function isJpeg(base64: string): boolean {
  return Buffer.from(base64.slice(0, 4), 'base64').equals(Buffer.from([0xff, 0xd8, 0xff]));
}
