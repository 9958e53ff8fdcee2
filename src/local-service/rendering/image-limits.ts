import type { Awaitable } from '../awaitable.ts';
import { type ImageHeader, readImageHeader } from './image-header.ts';

/** Of one image. Each decoded pixel takes four bytes, however small the file is. */
export const MAX_IMAGE_PIXELS = 64_000_000;

/**
 * Maximum pixels of a storyboard's images, each counted once for every scene that shows it: 40
 * photos of 12.5 megapixels. Images are decoded one after another, so this limits time, not memory.
 */
export const MAX_STORYBOARD_PIXELS = 500_000_000;

/** The part of a storyboard that names files. */
interface Images {
  readonly music?: { readonly asset: string } | undefined;
  readonly voice?: { readonly asset: string } | undefined;
  readonly font?: { readonly asset: string } | undefined;
  readonly picture?: string | undefined;
  readonly logo?: string | undefined;
  readonly scenes: readonly {
    readonly kind: string;
    readonly image?: string;
    readonly images?: readonly string[];
    readonly background?: { readonly asset: string } | undefined;
  }[];
}

/** An image that a storyboard names. */
export interface NamedImage {
  /** A `data:` URL, or the identifier of an upload. */
  readonly image: string;
  /** A JSON Pointer (RFC 6901). */
  readonly path: string;
  /** What shows it, as a part of a sentence. */
  readonly of: string;
}

/**
 * An error in a storyboard. `path` is a JSON Pointer (RFC 6901), `reason` the end of a sentence.
 */
export interface StoryboardIssue {
  readonly path: string;
  readonly reason: string;
}

/** Every image of a storyboard, as often as it is named. */
export function imagesOf({ picture, logo, scenes }: Images): NamedImage[] {
  return [
    ...(picture === undefined ? [] : [{ image: picture, path: '/picture', of: 'the background' }]),
    ...(logo === undefined ? [] : [{ image: logo, path: '/logo', of: 'the logo' }]),
    ...scenes.flatMap(({ image, images = [] }, index) => [
      ...(image === undefined
        ? []
        : [{ image, path: `/scenes/${index}/image`, of: sceneOf(index) }]),
      ...images.map((each, at) => {
        const path = `/scenes/${index}/images/${at}`;
        return { image: each, path, of: sceneOf(index, at) };
      }),
    ]),
  ];
}

/** What shows a picture. @param scene its position, from 0; @param at that of a gallery's picture */
export function sceneOf(scene: number, at?: number): string {
  return `${at === undefined ? '' : `picture ${at + 1} of `}scene ${scene + 1}`;
}

/** The picture behind scenes without their own: without `picture`, the first of a gallery. */
export function coverOf(
  storyboard: Pick<Images, 'picture' | 'scenes'>,
): Pick<NamedImage, 'image' | 'of'> | undefined {
  const { picture, scenes } = storyboard;
  if (picture !== undefined) return { image: picture, of: 'the background' };
  const scene = scenes.findIndex(({ images = [] }) => images.length > 0);
  const image = scenes[scene]?.images?.[0];
  return image === undefined ? undefined : { image, of: sceneOf(scene, 0) };
}

/** Every file of a storyboard: images, and others that are always uploads. */
export function filesOf(storyboard: Images): NamedImage[] {
  const { music, voice, font, scenes } = storyboard;
  return [
    ...imagesOf(storyboard),
    ...scenes.flatMap(({ background }, index) => {
      const path = `/scenes/${index}/background/asset`;
      return background ? [{ image: background.asset, path, of: clipOf(index) }] : [];
    }),
    ...(music ? [{ image: music.asset, path: '/music/asset', of: 'the music' }] : []),
    ...(voice ? [{ image: voice.asset, path: '/voice/asset', of: 'the voice' }] : []),
    ...(font ? [{ image: font.asset, path: '/font/asset', of: 'the font' }] : []),
  ];
}

/** What shows a scene's clip. @param scene its position, from 0 */
export function clipOf(scene: number): string {
  return `the clip of scene ${scene + 1}`;
}

/** The identifiers of a storyboard's uploads, without duplicates. */
export function uploadedImagesOf(storyboard: Images): string[] {
  const images = filesOf(storyboard).map(({ image }) => image);
  return [...new Set(images.filter((image) => !image.startsWith('data:')))];
}

/** The header of an image in a `data:` URL; `undefined` if it is not a PNG, JPEG or WebP image. */
export function headerOfDataUrl(url: string): ImageHeader | undefined {
  return readImageHeader(bytesOfDataUrl(url));
}

export function bytesOfDataUrl(url: string): Buffer {
  return Buffer.from(url.slice(url.indexOf(',') + 1), 'base64');
}

/** Why an image must not be decoded, as the end of a sentence; `undefined` if it may be. */
export function imageIssue(header: ImageHeader | undefined): string | undefined {
  if (!header) return 'is not a PNG, JPEG or WebP picture';
  const pixels = pixelsIn(header);
  if (pixels <= MAX_IMAGE_PIXELS) return undefined;
  return `has ${megapixels(pixels)} megapixels; a picture may have at most ${megapixels(MAX_IMAGE_PIXELS)}`;
}

/**
 * The errors of a storyboard's images. The schema checks the headers of embedded images; this does
 * not.
 *
 * @param pixelsOf the pixels of an uploaded image; `undefined` if the account has no image with this id
 */
export async function imageIssuesOf(
  storyboard: Images,
  pixelsOf: (id: string) => Awaitable<number | undefined>,
): Promise<StoryboardIssue[]> {
  const issues: StoryboardIssue[] = [];
  let total = 0;
  for (const { image, path } of filesOf(storyboard)) {
    const pixels = image.startsWith('data:')
      ? pixelsIn(headerOfDataUrl(image))
      : await pixelsOf(image);
    if (pixels === undefined) issues.push({ path, reason: 'is not a file of this account' });
    else total += pixels;
  }
  if (total > MAX_STORYBOARD_PIXELS) {
    issues.push({
      path: '/scenes',
      reason: `have pictures of ${megapixels(total)} megapixels in all; a video may have at most ${megapixels(MAX_STORYBOARD_PIXELS)}`,
    });
  }
  return issues;
}

export function pixelsIn(header: ImageHeader | undefined): number {
  return header ? header.width * header.height : 0;
}

function megapixels(pixels: number): number {
  return Math.ceil(pixels / 1_000_000);
}
