/** What the pages of a video stand on: its look's background, its picture and its logo. */
import { aboveCaptions, captionsOf, CaptionTrack } from './captions/caption-track.ts';
import type { DisplayList } from './display-list.ts';
import { type Ground, type GroundPlace, type Grounds, groundsOf } from './ground.ts';
import { hyphenationOf } from './hyphenation.ts';
import type { DecodeImage } from './image-source.ts';
import {
  type Box,
  gOf,
  type LayoutContext,
  safeArea,
  safeBeside,
  safeOverPicture,
  TEXT_SCALE_OVER_PICTURE,
} from './layout-context.ts';
import { Logo } from './logo.ts';
import { LOOKS } from './looks/looks.ts';
import type { OpenClip } from './media/clip-source.ts';
import { familyOf } from './own-font.ts';
import { textOf } from './pages.ts';
import { overPicture } from './scenes/over-picture.ts';
import type { SceneDrawing } from './scenes/scene-drawing.ts';
import { pictureSize, type Storyboard } from './storyboard.ts';
import { type FittedText, TextLayout } from './text-layout.ts';
import type { SceneTiming } from './timeline.ts';

export interface Stage {
  /** @param page its position among the video's pages */
  layoutOf(page: number): LayoutContext;
  /** Of a scene that is a picture, which fills the frame. */
  fullLayoutOf(page: number): LayoutContext;
  /** The area that text moves in while one page pushes the other. */
  textZoneOf(place: GroundPlace): Box;
  /** Whether both pages have the same background, which stays while they move. */
  isShared(under: number, over: number): boolean;
  /**
   * Decodes what the clips behind these pages show at a time. Must precede drawing their grounds.
   * Frees the memory of all other clips.
   * @throws {ImageUnreadableError}
   */
  prepare(pages: readonly number[], seconds: number): Promise<void>;
  drawGround(list: DisplayList, place: GroundPlace, seconds: number): void;
  /** Must precede {@link drawOpeningGround}. @throws {ImageUnreadableError} */
  prepareOpening(): Promise<void>;
  /** As in the first frame, for the end of a video that repeats. */
  drawOpeningGround(list: DisplayList): void;
  /** Makes the text of a page readable on the picture behind it, if there is one. */
  readable(drawing: SceneDrawing, page: number): SceneDrawing;
  /** What stands before all pages: the logo, and the caption of this frame. */
  drawFront(list: DisplayList, frame: number): void;
}

/** Where a stage gets its pictures and clips from. */
export interface StageSources {
  readonly decodeImage: DecodeImage;
  /** Clips are opened with their first frame: who checks a layout opens none. */
  readonly openClip: OpenClip;
}

/**
 * @param onFit called with every text that is set
 * @throws {ImageUnreadableError}
 */
export async function setUpStage(
  storyboard: Storyboard,
  timings: readonly SceneTiming[],
  sources: StageSources,
  onFit?: (text: string, fitted: FittedText) => void,
): Promise<Stage> {
  const frame = pictureSize(storyboard);
  const look = LOOKS[storyboard.look];
  const texts = timings.map(({ page }) => textOf(page.scene));
  const own = storyboard.font && familyOf(storyboard.font.asset);
  const textLayout = new TextLayout(await hyphenationOf(texts, storyboard.language), onFit, own);
  const grounds = await groundsOf(storyboard, look, timings, sources);
  const logo = await logoOf(storyboard, grounds, sources.decodeImage);
  const captions = trackOf(storyboard, timings, textLayout);
  const isStill = storyboard.motion === 'reduced';
  // Each keeps one moment.
  let opening: Ground | undefined;
  const { anchor } = look;
  const basic = { ...frame, g: gOf(frame), look, textLayout, anchor, isStill, textScale: 1 };
  const paletteAt = (page: number) => {
    const { palettes } = grounds.at(page);
    return palettes[page % palettes.length] ?? palettes[0];
  };
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
  return {
    fullLayoutOf,
    layoutOf(page) {
      const layout = fullLayoutOf(page);
      const { picture, isBehind } = grounds.at(page);
      if (picture === undefined) return layout;
      if (!isBehind) return { ...layout, safe: clear(safeBeside(frame, picture.paneAt({ page }))) };
      const safe = safeOverPicture(frame, picture.textArea, look.picture.share);
      return { ...layout, safe: clear(safe), anchor: 'bottom', textScale: TEXT_SCALE_OVER_PICTURE };
    },
    textZoneOf(place) {
      const { page, towards } = place;
      const { picture, isBehind } = grounds.at(page);
      const isSame = towards === undefined || grounds.at(page) === grounds.at(towards.page);
      return zoneOf(frame, isBehind || !isSame ? undefined : picture?.paneAt(place));
    },
    isShared: (under, over) =>
      grounds.at(under) === grounds.at(over) && grounds.at(under).palettes.length === 1,
    async prepare(pages, seconds) {
      const shown = new Set(pages.map((page) => grounds.at(page)));
      for (const ground of grounds.all) {
        if (shown.has(ground)) await ground.prepare(seconds);
        else ground.close();
      }
    },
    drawGround: (list, place, seconds) => grounds.at(place.page).draw(list, place, seconds),
    async prepareOpening() {
      if (opening) return;
      opening = grounds.copyOf(0);
      await opening.prepare(0);
      // Its picture stays.
      opening.close();
    },
    drawOpeningGround: (list) => opening?.draw(list, { page: 0 }, 0),
    readable(drawing, page) {
      const { picture, isBehind, palettes } = grounds.at(page);
      if (picture === undefined || !isBehind) return drawing;
      return overPicture(drawing, frame, picture.measured, palettes[0].grounds[0] ?? '#000000');
    },
    drawFront: (list, at) => {
      logo?.draw(list);
      captions?.draw(list, at);
    },
  };
}

async function logoOf(
  storyboard: Storyboard,
  grounds: Grounds,
  decodeImage: DecodeImage,
): Promise<Logo | undefined> {
  if (storyboard.logo === undefined) return undefined;
  using image = await decodeImage({ image: storyboard.logo, of: 'the logo' });
  const logo = new Logo(image.pixels, pictureSize(storyboard));
  // It stands on all of them, and a clip needs the most.
  const pictures = grounds.all.flatMap(({ picture }) => picture ?? []);
  const picture = pictures.find((each) => 'prepare' in each) ?? pictures[0];
  if (picture) logo.standOn(picture.measured, picture.pane);
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

function zoneOf(frame: { width: number; height: number }, pane: Box | undefined): Box {
  if (pane === undefined) return { x: 0, y: 0, ...frame };
  if (pane.x > 0) return { x: 0, y: 0, width: pane.x, height: frame.height };
  return { x: 0, y: pane.height, width: frame.width, height: frame.height - pane.height };
}
