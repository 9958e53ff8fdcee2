import type { ArrivalKind, Look, TypeRole } from './looks/look.ts';
import type { Palette } from './palette.ts';
import type { TextLayout, TextStyle } from './text-layout.ts';

/** A rectangle in pixels from the top left corner. */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** What the layout of a page depends on besides its scene. */
export interface LayoutContext {
  width: number;
  height: number;
  /** A hundredth of √(width × height), in pixels: the unit of all sizes, in every shape. */
  g: number;
  /** Where text and captions are: what apps draw over a video is outside. */
  safe: Box;
  /** Where scenes stand in their bounds. */
  anchor: 'top' | 'middle' | 'bottom';
  /** Whether nothing moves on a page. */
  isStill: boolean;
  /** Factor for the largest sizes of text, so that a picture stays visible behind it. */
  textScale: number;
  look: Look;
  palette: Palette;
  /** How the page's elements appear. */
  arrival: ArrivalKind;
  textLayout: TextLayout;
}

/** Between a picture and the text beside it, in g. */
const GUTTER = 5;
/** The part of a frame of 9:16 that a picture takes: apps cover the lowest quarter. */
const UPRIGHT_SHARE = 0.48;
/** The most of a wide frame's width that a picture takes, and beside a long text. */
const WIDE_SHARE = { most: 0.5, small: 0.38 };
/** The part of another frame's height that a picture takes beside a long text. */
const SMALL_SHARE = { upright: 0.29, other: 0.36 };

export function gOf({ width, height }: { width: number; height: number }): number {
  return Math.sqrt(width * height) / 100;
}

/** Whether a frame is as high as apps show videos that fill a phone. */
export function isUpright({ width, height }: { width: number; height: number }): boolean {
  return height > width * 1.5;
}

/**
 * Inside it nothing is covered by the buttons and captions that apps draw over upright videos, and
 * nothing is cut off elsewhere.
 */
export function safeArea({ width, height }: { width: number; height: number }): Box {
  const side = width > height ? 0.05 : 0.07;
  const margins = isUpright({ width, height })
    ? { left: 0.06, right: 0.14, top: 0.14, bottom: 0.25 }
    : { left: side, right: side, top: side, bottom: side };
  const x = Math.ceil(width * margins.left);
  const y = Math.ceil(height * margins.top);
  return {
    x,
    y,
    width: Math.floor(width * (1 - margins.right)) - x,
    height: Math.floor(height * (1 - margins.bottom)) - y,
  };
}

/**
 * The part of the frame that a picture has beside the text.
 * @param isLong whether the page has so much text that it needs the space
 */
export function paneOf(
  frame: { width: number; height: number },
  share: number,
  isLong: boolean,
): Box {
  const { width, height } = frame;
  if (width > height) {
    const most = isLong ? WIDE_SHARE.small : WIDE_SHARE.most;
    const paneWidth = Math.round(width * Math.min(share, most));
    return { x: width - paneWidth, y: 0, width: paneWidth, height };
  }
  const [most, small] = isUpright(frame)
    ? [UPRIGHT_SHARE, SMALL_SHARE.upright]
    : [share, SMALL_SHARE.other];
  return { x: 0, y: 0, width, height: Math.round(height * (isLong ? small : most)) };
}

/** The safe area that a picture leaves. */
export function safeBeside(frame: { width: number; height: number }, pane: Box): Box {
  const safe = safeArea(frame);
  const gutter = GUTTER * gOf(frame);
  if (pane.x > 0) return { ...safe, width: Math.floor(pane.x - gutter - safe.x) };
  const y = Math.ceil(pane.height + gutter);
  return { ...safe, y, height: safe.y + safe.height - y };
}

/**
 * The safe area for text over a picture that fills the frame.
 * @param textArea what the picture leaves to text, in pixels
 * @param share the part of a wide frame's width that text takes
 */
export function safeOverPicture(
  frame: { width: number; height: number },
  textArea: Box,
  share: number,
): Box {
  const safe = safeArea(frame);
  const isWide = frame.width > frame.height;
  const widest = isWide ? Math.floor(safe.width * share) : safe.width;
  const edge = textArea.width < frame.width ? safe.x / 2 : 0;
  const y = Math.max(safe.y, textArea.y);
  return {
    x: safe.x,
    y,
    width: Math.min(widest, Math.floor(textArea.width - safe.x - edge)),
    height: safe.y + safe.height - y,
  };
}

/** Of the sizes of text over a picture, so that the picture stays visible. */
export const TEXT_SCALE_OVER_PICTURE = 0.85;

/** The upper edge of a block of this height in its bounds, in pixels. */
export function topIn(bounds: Box, height: number, { anchor }: Pick<LayoutContext, 'anchor'>) {
  const part = { top: 0, middle: 0.5, bottom: 1 }[anchor];
  return bounds.y + (bounds.height - height) * part;
}

/** The style of a role's text. */
export function styleOf(role: TypeRole, colour: string): TextStyle {
  const { face, weight, leading, tracking, caps } = role;
  return { face, weight, leading, tracking, colour, caps: caps ?? false };
}

/** From this many letters on, a text is smaller than its role's `shortSize`, and from that many it has its `size`. */
const LETTERS = { title: [8, 44], running: [24, 190] } as const;
/** Words shrink to this part of their role's size, and at most to so many g, before they are broken. */
const MAX_SHRINK = 0.7;
const WHOLE_WORDS = 6;

/** The sizes of a text in a role, in pixels: larger the fewer letters it has. */
export function sizesOf(
  role: TypeRole,
  text: string,
  { g, textScale }: Pick<LayoutContext, 'g' | 'textScale'>,
  letters: keyof typeof LETTERS = 'title',
): { largest: number; smallest: number; unbroken: number } {
  const short = role.shortSize ?? role.size;
  const [few, many] = LETTERS[letters];
  const part = Math.min(1, Math.max(0, (text.length - few) / (many - few)));
  const largest = (short + (role.size - short) * part) * g * textScale;
  const smallest = Math.min(largest, MIN_TEXT * g);
  const unbroken = Math.min(WHOLE_WORDS, role.size * MAX_SHRINK) * g;
  return { largest, smallest, unbroken: Math.max(smallest, unbroken) };
}

/** Smaller text cannot be read on a phone, in g. */
export const MIN_TEXT = 3.2;
