/** What the pages of a video stand on: its look's background, its picture and its logo. */
import { Backdrop } from './backdrop.ts';
import { aboveCaptions, captionsOf, CaptionTrack } from './captions/caption-track.ts';
import { fromHex, toHex } from './colour.ts';
import type { DisplayList } from './display-list.ts';
import { hyphenationOf } from './hyphenation.ts';
import type { DecodeImage } from './image-source.ts';
import {
  type Box,
  gOf,
  type LayoutContext,
  paneOf,
  safeArea,
  safeBeside,
  safeOverPicture,
  TEXT_SCALE_OVER_PICTURE,
} from './layout-context.ts';
import { Logo } from './logo.ts';
import type { Look } from './looks/look.ts';
import { LOOKS } from './looks/looks.ts';
import { familyOf } from './own-font.ts';
import { textOf } from './pages.ts';
import type { Palette } from './palette.ts';
import { PictureBackdrop } from './picture-backdrop.ts';
import { overPicture, paletteOverPicture } from './scenes/over-picture.ts';
import type { SceneDrawing } from './scenes/scene-drawing.ts';
import { seedOf } from './seeded.ts';
import { pictureSize, type Storyboard } from './storyboard.ts';
import { type FittedText, TextLayout } from './text-layout.ts';
import type { SceneTiming } from './timeline.ts';

/** In OKLCH, of the lightest parts of a picture in two colours. */
const MAX_TONE = 0.62;
/** A page with more characters or items than these has a long text. */
const LONG = { characters: 170, items: 2 };

export interface Stage {
  /** @param page its position among the video's pages */
  layoutOf(page: number): LayoutContext;
  /** Of a scene that is a picture, which fills the frame. */
  fullLayoutOf(page: number): LayoutContext;
  /** The area that text moves in while one page pushes the other. */
  readonly textZone: Box;
  /** Whether all pages have the same background, which stays while they move. */
  readonly isShared: boolean;
  drawGround(list: DisplayList, page: number, seconds: number): void;
  /** As in the first frame, for the end of a video that repeats. */
  drawOpeningGround(list: DisplayList): void;
  /** Makes text readable on the picture behind it, if there is one. */
  readable(drawing: SceneDrawing): SceneDrawing;
  /** What stands before all pages: the logo, and the caption of this frame. */
  drawFront(list: DisplayList, frame: number): void;
}

/**
 * @param onFit called with every text that is set
 * @throws {ImageUnreadableError}
 */
export async function setUpStage(
  storyboard: Storyboard,
  timings: readonly SceneTiming[],
  decodeImage: DecodeImage,
  onFit?: (text: string, fitted: FittedText) => void,
): Promise<Stage> {
  const frame = pictureSize(storyboard);
  const look = LOOKS[storyboard.look];
  const texts = timings.map(({ page }) => textOf(page.scene));
  const own = storyboard.font && familyOf(storyboard.font.asset);
  const textLayout = new TextLayout(await hyphenationOf(texts, storyboard.language), onFit, own);
  const picture = await pictureOf(storyboard, look, timings, decodeImage);
  const logo = await logoOf(storyboard, picture, decodeImage);
  const captions = trackOf(storyboard, timings, textLayout);
  const { place } = look.picture;
  const isBehind = picture !== undefined && place === 'behind';
  const all = look.palettes(storyboard.theme);
  const palettes: readonly Palette[] = isBehind
    ? [paletteOverPicture(all[0], look)]
    : picture
      ? [all[0]]
      : all;
  const isStill = storyboard.motion === 'reduced';
  const newBackdrops = () =>
    isBehind
      ? []
      : palettes.map(
          (palette) =>
            new Backdrop(frame.width, frame.height, palette, seedOf(storyboard.title), isStill),
        );
  // Drawn only with the first frame: who checks a layout needs none.
  let backdrops: readonly Backdrop[] | undefined;
  // Each keeps one moment.
  let openings: readonly Backdrop[] | undefined;
  const { anchor } = look;
  const basic = { ...frame, g: gOf(frame), look, textLayout, anchor, isStill, textScale: 1 };
  const paletteAt = (page: number) => palettes[page % palettes.length] ?? all[0];
  const arrivalAt = (page: number) =>
    look.arrivals[page % look.arrivals.length] ?? look.arrivals[0];
  const clear = (safe: Box): Box =>
    storyboard.captions === undefined ? safe : aboveCaptions(safe, basic.g);
  const fullLayoutOf = (page: number): LayoutContext => ({
    ...basic,
    safe: clear(safeArea(frame)),
    palette: paletteAt(page),
    arrival: arrivalAt(page),
  });
  const draw = (drawn: readonly Backdrop[], list: DisplayList, page: number, seconds: number) => {
    drawn[page % Math.max(1, drawn.length)]?.draw(list, seconds);
    picture?.backdrop.draw(list, seconds);
  };
  return {
    fullLayoutOf,
    layoutOf(page) {
      const layout = fullLayoutOf(page);
      if (picture === undefined) return layout;
      if (!isBehind) return { ...layout, safe: clear(safeBeside(frame, picture.pane)) };
      const safe = safeOverPicture(frame, picture.backdrop.textArea, look.picture.share);
      return { ...layout, safe: clear(safe), anchor: 'bottom', textScale: TEXT_SCALE_OVER_PICTURE };
    },
    textZone: zoneOf(frame, isBehind ? undefined : picture?.pane),
    isShared: palettes.length === 1,
    drawGround: (list, page, seconds) => draw((backdrops ??= newBackdrops()), list, page, seconds),
    drawOpeningGround: (list) => draw((openings ??= newBackdrops()), list, 0, 0),
    readable: (drawing) =>
      isBehind
        ? overPicture(
            drawing,
            frame,
            picture.backdrop.measured,
            palettes[0]?.grounds[0] ?? '#000000',
          )
        : drawing,
    drawFront: (list, at) => {
      logo?.draw(list);
      captions?.draw(list, at);
    },
  };
}

interface PlacedPicture {
  readonly backdrop: PictureBackdrop;
  readonly pane: Box;
}

async function pictureOf(
  storyboard: Storyboard,
  look: Look,
  timings: readonly SceneTiming[],
  decodeImage: DecodeImage,
): Promise<PlacedPicture | undefined> {
  if (storyboard.picture === undefined) return undefined;
  const frame = pictureSize(storyboard);
  const { place, share, filter, blur = 0, duotone, scrim = 0 } = look.picture;
  const isBehind = place === 'behind';
  const isLong = timings.some(({ page: { scene } }) =>
    scene.kind === 'list'
      ? scene.items.length > LONG.items
      : textOf(scene).length > LONG.characters,
  );
  const isNarrow = isLong || storyboard.captions !== undefined;
  const pane = isBehind ? { x: 0, y: 0, ...frame } : paneOf(frame, share, isNarrow);
  const [palette] = look.palettes(storyboard.theme);
  const frames = timings.reduce((sum, timing) => sum + timing.frames, 0);
  using image = await decodeImage({ image: storyboard.picture, of: 'the background' });
  const backdrop = new PictureBackdrop(image.pixels, {
    pane,
    filter,
    blur: blur * gOf(frame),
    duotone:
      duotone === true ? { dark: palette.backgroundLow, light: toneOf(palette.accent) } : undefined,
    scrim,
    isLong,
    covers: !isBehind || blur > 0 || filter !== undefined,
    ground: isBehind && !palette.dark ? '#000000' : palette.backgroundHigh,
    hasGround: isBehind,
    isStill: storyboard.motion === 'reduced',
    seconds: frames / storyboard.fps,
  });
  return { backdrop, pane };
}

async function logoOf(
  storyboard: Storyboard,
  picture: PlacedPicture | undefined,
  decodeImage: DecodeImage,
): Promise<Logo | undefined> {
  if (storyboard.logo === undefined) return undefined;
  using image = await decodeImage({ image: storyboard.logo, of: 'the logo' });
  const logo = new Logo(image.pixels, pictureSize(storyboard));
  if (picture) logo.standOn(picture.backdrop.measured, picture.pane);
  return logo;
}

function trackOf(
  storyboard: Storyboard,
  timings: readonly SceneTiming[],
  textLayout: TextLayout,
): CaptionTrack | undefined {
  if (storyboard.captions === undefined) return undefined;
  const frame = pictureSize(storyboard);
  const frames = timings.reduce((sum, timing) => sum + timing.frames, 0);
  const layout = { g: gOf(frame), safe: safeArea(frame), textLayout };
  return new CaptionTrack(captionsOf(storyboard, frames), layout);
}

/** Light enough for a picture, and dark enough for white text. */
function toneOf(accent: string): string {
  const colour = fromHex(accent);
  return toHex({ ...colour, l: Math.min(colour.l, MAX_TONE) });
}

function zoneOf(frame: { width: number; height: number }, pane: Box | undefined): Box {
  if (pane === undefined) return { x: 0, y: 0, ...frame };
  if (pane.x > 0) return { x: 0, y: 0, width: pane.x, height: frame.height };
  return { x: 0, y: pane.height, width: frame.width, height: frame.height - pane.height };
}
