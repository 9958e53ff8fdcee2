/** Finds texts and colours that a video would show badly, without rendering it. */
import { createCanvas, Image } from '@napi-rs/canvas';
import { contrast, readable } from './colour.ts';
import { registerFonts } from './fonts.ts';
import type { DecodeImage } from './image-source.ts';
import { gOf, MIN_TEXT } from './layout-context.ts';
import { LOOKS } from './looks/looks.ts';
import { clipOpener } from './media/clip-source.ts';
import type { Page } from './pages.ts';
import { AA_SHAPE, AA_TEXT } from './palette.ts';
import type { PageScene } from './scene-schema.ts';
import { layOut } from './scenes/lay-out.ts';
import { setUpStage } from './stage.ts';
import { pictureSize, type Storyboard } from './storyboard.ts';
import type { PaleColour, TextIssue, UnfitText } from './text-issue.ts';
import type { FittedText } from './text-layout.ts';
import { sceneTimings } from './timeline.ts';

/** Of the least size; rounding takes a little. */
const TOLERANCE = 0.97;
/** Texts are shortened in these steps until they fit. */
const SHARE_STEP = 0.88;
const MIN_SHARE = 0.08;

/** The issues of every text and colour, once each. Neither pictures nor clips are looked at. */
export async function checkLayout(storyboard: Storyboard): Promise<TextIssue[]> {
  registerFonts();
  /** The last fit of a text is the one that is shown: lists are set until all items fit. */
  const fitted = new Map<string, FittedText>();
  const timings = sceneTimings(storyboard);
  const sources = { decodeImage: withoutPicture, openClip: clipOpener({}) };
  const stage = await setUpStage(storyboard, timings, sources, (text, fit) => {
    fitted.set(text, fit);
  });
  const least = MIN_TEXT * gOf(pictureSize(storyboard)) * TOLERANCE;
  const kindsIn = (page: Page, at: number): Map<string, UnfitText['kind']> => {
    fitted.clear();
    layOut(page, stage.layoutOf(at));
    const kinds = new Map<string, UnfitText['kind']>();
    for (const [text, { size, breaksSyllables }] of fitted) {
      if (size < least) kinds.set(text, 'too-long');
      else if (breaksSyllables) kinds.set(text, 'broken-word');
    }
    return kinds;
  };
  const issues = new Map<string, UnfitText>();
  for (const [index, { page }] of timings.entries()) {
    if (page.scene.kind === 'image') continue;
    const kinds = kindsIn(page, index);
    if (kinds.size === 0) continue;
    let share = 1;
    while (share > MIN_SHARE) {
      share *= SHARE_STEP;
      const parts = page.parts.map((part) => shortened(part, kinds, share));
      const shorter = {
        ...page,
        scene: parts[page.parts.indexOf(page.scene)] ?? page.scene,
        parts,
      };
      if (kindsIn(shorter, index).size === 0) break;
    }
    for (const [text, kind] of kinds) {
      issues.set(text, { text, kind, fits: Math.max(1, Math.floor(text.length * share)) });
    }
  }
  return [...issues.values(), ...paleColours(storyboard)];
}

/** The colours of the theme that the look has to change on its ground, where that is seen. */
function paleColours({ look, theme, picture, scenes }: Storyboard): PaleColour[] {
  const isCovered = picture !== undefined || scenes.every(({ background }) => background);
  if (isCovered && LOOKS[look].picture.place === 'behind') return [];
  const [{ grounds, text, accent }] = LOOKS[look].palettes(theme);
  const changed = (given: string | undefined, drawn: string, least: number): PaleColour[] =>
    given === undefined || grounds.every((ground) => contrast(given, ground) >= least)
      ? []
      : [{ text: given, kind: 'low-contrast', nearest: drawn }];
  // A look that has the accent as its ground draws something else on it.
  const isOnGround = theme.accent && readable(theme.accent, grounds, AA_SHAPE) === accent;
  return [
    ...changed(theme.text, text, AA_TEXT),
    ...(isOnGround ? changed(theme.accent, accent, AA_SHAPE) : []),
  ];
}

/** The scene with this share of every text that has an issue. */
function shortened(
  scene: PageScene,
  withIssue: ReadonlyMap<string, unknown>,
  share: number,
): PageScene {
  const cut = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(cut);
    const hasIssue =
      typeof value === 'string' && (withIssue.has(value) || withIssue.has(`— ${value}`));
    return hasIssue ? value.slice(0, Math.max(1, Math.floor(value.length * share))) : value;
  };
  const entries = Object.entries(scene).map(([name, value]) => [name, cut(value)] as const);
  return { ...scene, ...Object.fromEntries(entries) };
}

/** A picture of every shape gives its text about the same space. */
const withoutPicture: DecodeImage = () => {
  const canvas = createCanvas(16, 16);
  canvas.getContext('2d').fillRect(0, 0, 16, 16);
  const pixels = new Image();
  pixels.src = canvas.toBuffer('image/png');
  return Promise.resolve({ pixels, [Symbol.dispose]: () => (pixels.src = Buffer.alloc(0)) });
};
