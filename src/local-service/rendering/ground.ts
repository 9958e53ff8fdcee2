/** Draws what is behind the text of pages: the background of their look, a picture or a clip. */
import { Backdrop } from './backdrop.ts';
import { ClipBackdrop, unknownPicture } from './clip-backdrop.ts';
import { fromHex, toHex } from './colour.ts';
import type { DisplayList } from './display-list.ts';
import { linear } from './easing.ts';
import { clipOf, coverOf, sceneOf } from './image-limits.ts';
import type { DecodeImage } from './image-source.ts';
import { type Box, gOf, isUpright, paneOf } from './layout-context.ts';
import type { Look } from './looks/look.ts';
import type { OpenClip } from './media/clip-source.ts';
import type { Background } from './media/media-schema.ts';
import { readable } from './media/own-sounds.ts';
import { textOf } from './pages.ts';
import type { Palette } from './palette.ts';
import {
  isTreated,
  type MeasuredPicture,
  PictureBackdrop,
  type PictureStyle,
  type Treatment,
} from './picture-backdrop.ts';
import type { Scene } from './scene-schema.ts';
import { paletteOverPicture } from './scenes/over-picture.ts';
import { seedOf } from './seeded.ts';
import { pictureSize, type Storyboard } from './storyboard.ts';
import { isSameGround, type SceneTiming } from './timeline.ts';

/** In OKLCH, of the lightest parts of a picture in two colours. */
const MAX_TONE = 0.62;
/** How much sooner a picture has its new size than its page has come. */
const PANE_PACE = 1.6;
/** A page with more than these has a long text: so many characters, or a list of so many items. */
const LONG = { characters: 170, ofUpright: 60, ofList: 70, items: 2 };

/** Whose ground is drawn: that of a page, or of one that turns into another. */
export interface GroundPlace {
  /** Its position among the video's pages. */
  readonly page: number;
  /** `passed` is 0–1. */
  readonly towards?: { readonly page: number; readonly passed: number };
}

/** A picture or a clip in its part of the frame. */
export interface PlacedPicture {
  /** The largest part of the frame that it has. */
  readonly pane: Box;
  paneAt(place: GroundPlace): Box;
  /** The part of its pane for text, in pixels. */
  readonly textArea: Box;
  readonly measured: MeasuredPicture;
  /** @param seconds since the video began */
  draw(list: DisplayList, place: GroundPlace, seconds: number): void;
  /** Decodes what is seen at a time, unless it always is in memory; {@link draw} draws it. */
  prepare?(seconds: number): Promise<void>;
  /** Frees the memory of what is not seen any more. */
  close?(): void;
  /** Whether it is what its scene shows, and not what text stands on or beside. */
  readonly isShown?: boolean;
}

/** The ground of one or more pages. */
export class Ground {
  readonly palettes: readonly [Palette, ...Palette[]];
  readonly picture: PlacedPicture | undefined;
  /** Whether text stands on the picture. */
  readonly isBehind: boolean;
  readonly #storyboard: Storyboard;
  readonly #figure: Look['figure'];
  /** By palette. Each is drawn with the first frame that shows it: who checks a layout needs none. */
  readonly #backdrops = new Map<Palette, Backdrop>();

  constructor(storyboard: Storyboard, look: Look, picture?: PlacedPicture) {
    this.#storyboard = storyboard;
    this.picture = picture;
    const isBehind = look.picture.place === 'behind' || picture?.isShown === true;
    this.isBehind = picture !== undefined && isBehind;
    this.#figure = this.isBehind ? undefined : look.figure;
    const all = look.palettes(storyboard.theme);
    if (this.isBehind) this.palettes = [paletteOverPicture(all[0], look)];
    else this.palettes = picture ? [all[0]] : all;
  }

  /** Must precede {@link draw}. @throws {ImageUnreadableError} */
  async prepare(seconds: number): Promise<void> {
    await this.picture?.prepare?.(seconds);
  }

  draw(list: DisplayList, place: GroundPlace, seconds: number): void {
    if (!this.isBehind) this.#backdropOf(place.page).draw(list, seconds);
    this.picture?.draw(list, place, seconds);
  }

  close(): void {
    this.picture?.close?.();
  }

  #backdropOf(page: number): Backdrop {
    const palette = this.palettes[page % this.palettes.length] ?? this.palettes[0];
    const known = this.#backdrops.get(palette);
    if (known !== undefined) return known;
    const size = pictureSize(this.#storyboard);
    const seed = seedOf(this.#storyboard.title);
    const isStill = this.#storyboard.motion === 'reduced';
    const backdrop = new Backdrop(size, palette, seed, this.#figure, isStill);
    this.#backdrops.set(palette, backdrop);
    return backdrop;
  }
}

/** The grounds of a video's pages. */
export interface Grounds {
  /** @param page its position among the video's pages */
  at(page: number): Ground;
  readonly all: readonly Ground[];
  /** As {@link at} has it, for another moment of the same page. */
  copyOf(page: number): Ground;
}

/** Pages in a row with the same clip have one ground, on which it is shown on. A picture has its own. */
export async function groundsOf(
  storyboard: Storyboard,
  look: Look,
  timings: readonly SceneTiming[],
  { decodeImage, openClip }: { decodeImage: DecodeImage; openClip: OpenClip },
): Promise<Grounds> {
  const picture = await pictureOf(storyboard, look, timings, decodeImage);
  const basic = new Ground(storyboard, look, picture);
  const cover = isWhole(basic, styleOf(storyboard, look, timings))
    ? coverOf(storyboard)?.image
    : undefined;
  const grounds: Ground[] = [];
  const copies: (() => Ground)[] = [];
  for (const [index, timing] of timings.entries()) {
    const { page, first } = timing;
    const { background } = page.scene;
    const isSame = isSameGround(timings, index);
    const copy = (): Ground => {
      if (page.scene.kind === 'image') {
        if (page.scene.image === cover) return basic;
        return new Ground(storyboard, look, shownImage(storyboard, look, timing, decodeImage));
      }
      if (background === undefined) return new Ground(storyboard, look, picture);
      const clip = { background, of: clipOf(page.index), start: first / storyboard.fps };
      return new Ground(storyboard, look, placedClip(storyboard, look, timings, clip, openClip));
    };
    const latest = isSame ? grounds.at(-1) : undefined;
    const isBasic = background === undefined && page.scene.kind !== 'image';
    grounds.push(latest ?? (isBasic ? basic : copy()));
    copies.push((isSame ? copies.at(-1) : undefined) ?? copy);
  }
  return {
    all: [...new Set(grounds)],
    at: (page) => grounds[page] ?? basic,
    copyOf: (page) => copies[page]?.() ?? basic,
  };
}

async function pictureOf(
  storyboard: Storyboard,
  look: Look,
  timings: readonly SceneTiming[],
  decodeImage: DecodeImage,
): Promise<PlacedPicture | undefined> {
  const cover = coverOf(storyboard);
  if (cover === undefined) return undefined;
  const { panes, ...fixed } = styleOf(storyboard, look, timings);
  const [pane = fixed.pane] = panes.toSorted(
    (one, other) => other.width * other.height - one.width * one.height,
  );
  const style = { ...fixed, pane };
  const { isBehind } = style;
  const { filter } = look.picture;
  const frames = timings.reduce((sum, timing) => sum + timing.frames, 0);
  using image = await decodeImage(cover);
  const backdrop = new PictureBackdrop(image.pixels, {
    ...style,
    covers: !isBehind || style.blur > 0 || filter !== undefined,
    hasGround: isBehind,
    isStill: storyboard.motion === 'reduced',
    seconds: frames / storyboard.fps,
  });
  const { measured, textArea } = backdrop;
  const paneAt = ({ page, towards }: GroundPlace): Box => {
    const own = panes[page] ?? pane;
    return towards === undefined ? own : turning(own, panes[towards.page] ?? pane, towards.passed);
  };
  return {
    pane,
    paneAt,
    textArea,
    measured,
    draw: (list, place, seconds) => backdrop.draw(list, seconds, paneAt(place)),
  };
}

/** A pane that gets another size. It covers no text that is still leaving, or coming already. */
function turning(from: Box, to: Box, passed: number): Box {
  const end = to.width * to.height < from.width * from.height ? 0 : 1;
  const part = linear(end + PANE_PACE * (passed - end));
  const edge = (one: number, other: number) => Math.round(one + (other - one) * part);
  const x = edge(from.x, to.x);
  const y = edge(from.y, to.y);
  const right = edge(from.x + from.width, to.x + to.width);
  const bottom = edge(from.y + from.height, to.y + to.height);
  return { x, y, width: right - x, height: bottom - y };
}

/** Whether its picture fills the frame as it is, so that a scene that shows it needs no other. */
function isWhole({ picture, isBehind }: Ground, style: Treatment): boolean {
  if (picture === undefined || !isBehind || isTreated(style)) return false;
  const { pane, textArea } = picture;
  return textArea.width === pane.width && textArea.height === pane.height;
}

/** What a scene of one picture shows. It is decoded with its first frame. */
function shownImage(
  storyboard: Storyboard,
  look: Look,
  { page, first, frames }: SceneTiming,
  decodeImage: DecodeImage,
): PlacedPicture {
  if (page.scene.kind !== 'image') throw new RangeError('Only a picture is shown.');
  const pane = { x: 0, y: 0, ...pictureSize(storyboard) };
  const style: PictureStyle = {
    pane,
    blur: 0,
    covers: false,
    scrim: 0,
    text: 'none',
    ground: look.palettes(storyboard.theme)[0].backgroundHigh,
    hasGround: true,
    isStill: storyboard.motion === 'reduced',
    seconds: frames / storyboard.fps,
  };
  const { image } = page.scene;
  let backdrop: PictureBackdrop | undefined;
  return {
    isShown: true,
    pane,
    paneAt: () => pane,
    textArea: pane,
    measured: unknownPicture(style),
    draw: (list, _place, seconds) => backdrop?.draw(list, seconds - first / storyboard.fps, pane),
    async prepare() {
      if (backdrop !== undefined) return;
      using decoded = await decodeImage({ image, of: sceneOf(page.index) });
      backdrop = new PictureBackdrop(decoded.pixels, style);
    },
    close: () => (backdrop = undefined),
  };
}

interface TimedClip {
  readonly background: Background;
  /** What shows it. */
  readonly of: string;
  /** In seconds from the video's beginning. */
  readonly start: number;
}

function placedClip(
  storyboard: Storyboard,
  look: Look,
  timings: readonly SceneTiming[],
  { background, of, start }: TimedClip,
  openClip: OpenClip,
): PlacedPicture {
  const style = styleOf(storyboard, look, timings);
  const { pane } = style;
  const backdrop = new ClipBackdrop(() => openClip(background, of), background, style);
  return {
    pane,
    paneAt: () => pane,
    textArea: { x: 0, y: 0, width: pane.width, height: pane.height },
    measured: backdrop.measured,
    draw: (list) => backdrop.draw(list),
    prepare: (seconds) => readable(of, () => backdrop.prepare(seconds - start)),
    close: () => backdrop.close(),
  };
}

/** How a look shows pictures and clips. */
function styleOf(storyboard: Storyboard, look: Look, timings: readonly SceneTiming[]) {
  const frame = pictureSize(storyboard);
  const { place, share, filter, blur = 0, duotone, scrim = 0 } = look.picture;
  const isBehind = place === 'behind';
  const isLongText = (scene: Scene): boolean => {
    if (scene.kind === 'list' && scene.items.length > LONG.items) return true;
    const most = scene.kind === 'list' ? LONG.ofList : LONG.characters;
    return textOf(scene).length > (isUpright(frame) ? LONG.ofUpright : most);
  };
  // All pages of a scene have the same space.
  const long = timings.map(({ page }) => page.parts.some(isLongText));
  const isLong = long.includes(true);
  const isCaptioned = storyboard.captions !== undefined;
  const paneFor = (isNarrow: boolean) =>
    isBehind ? { x: 0, y: 0, ...frame } : paneOf(frame, share, isNarrow || isCaptioned);
  const isStill = storyboard.motion === 'reduced';
  const [palette] = look.palettes(storyboard.theme);
  return {
    isBehind,
    text: amountOf(isLong, isCaptioned),
    /** Of all pages alike. */
    pane: paneFor(isLong),
    /** By page: a page with little text leaves more to a picture. */
    panes: long.map((isNarrow) => paneFor(isStill ? isLong : isNarrow)),
    filter,
    blur: blur * gOf(frame),
    duotone:
      duotone === true ? { dark: palette.backgroundLow, light: toneOf(palette.accent) } : undefined,
    scrim,
    ground: isBehind && !palette.dark ? '#000000' : palette.backgroundHigh,
  };
}

function amountOf(isLong: boolean, isCaptioned: boolean): PictureStyle['text'] {
  if (!isLong) return 'short';
  return isCaptioned ? 'captioned' : 'long';
}

/** Light enough for a picture, and dark enough for white text. */
function toneOf(accent: string): string {
  const colour = fromHex(accent);
  return toHex({ ...colour, l: Math.min(colour.l, MAX_TONE) });
}
