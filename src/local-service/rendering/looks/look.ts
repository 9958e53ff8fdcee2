import type { Face } from '../fonts.ts';
import type { Palette } from '../palette.ts';
import type { Theme } from '../theme.ts';
import type { LookName } from './look-names.ts';

/** How text of one role is set. Sizes are in `g`: a hundredth of √(width × height). */
export interface TypeRole {
  readonly face: Face;
  /** 100–900. */
  readonly weight: number;
  /** Line height in ems. */
  readonly leading: number;
  /** Added between characters, in ems. */
  readonly tracking: number;
  /** Of a text of many words. */
  readonly size: number;
  /** Of a few letters; `size` when omitted. */
  readonly shortSize?: number;
  readonly caps?: boolean;
}

/** How elements appear: see scenes/arrival.ts. */
export type ArrivalKind = 'rise' | 'mask' | 'reveal' | 'scale' | 'words' | 'lit';

/** How a page covers the one before it. `rise` pushes it upwards, `slide` to the left. */
export type PageTransition = 'fade' | 'slide' | 'rise' | 'wipe' | 'none';

/** A disc that grows and shrinks, or rings that spread like sound. */
export type FigureKind = 'disc' | 'rings';

/** Where a video's picture is, and how it is treated. */
export interface PicturePlace {
  /** Behind all text, or in a part of the frame of its own. */
  readonly place: 'behind' | 'beside';
  /**
   * Beside text, the part of a wide frame's width and of another one's height that the picture has.
   * Behind text, the part of a wide frame's width that text has.
   */
  readonly share: number;
  /** CSS filters for the whole picture. */
  readonly filter?: string;
  /** Gives the picture the hues of the palette. */
  readonly duotone?: boolean;
  /** Standard deviation of its blur, in g. */
  readonly blur?: number;
  /** Opacity of black over all of it, before text needs more: 0–1. */
  readonly scrim?: number;
  /** Whether text on it has the accent's colour instead of white. */
  readonly accentText?: boolean;
}

/** What makes the videos of one kind of creator look alike: data, which the scenes follow. */
export interface Look {
  readonly name: LookName;
  readonly type: {
    readonly title: TypeRole;
    /** Running text, and the items of lists. */
    readonly text: TypeRole;
    readonly heading: TypeRole;
    /** Subtitles, names, captions. */
    readonly label: TypeRole;
    readonly quote: TypeRole;
  };
  readonly align: 'start' | 'center';
  /** Where text stands in its area, without a picture behind it. */
  readonly anchor: 'top' | 'middle' | 'bottom';
  /** Whether a title of few words has one a line, each as wide as the area. */
  readonly fillsWidth: boolean;
  /** Above a title. */
  readonly ornament: 'bar' | 'rule' | 'none';
  readonly list: {
    readonly numbers: boolean;
    readonly lines: boolean;
    /** Shows which item is being spoken of: the others are paler. */
    readonly steps: boolean;
  };
  readonly countdown: 'ring' | 'plain';
  /** Which a page uses, in turn. */
  readonly arrivals: readonly [ArrivalKind, ...ArrivalKind[]];
  /** Of scenes that name none, in turn. */
  readonly transitions: readonly [PageTransition, ...PageTransition[]];
  readonly wipeEdge: boolean;
  readonly picture: PicturePlace;
  /** What moves on its backgrounds, where a palette has a colour for it. */
  readonly figure?: FigureKind;
  /** Pages have these in turn. Text has a contrast of 4.5 with its background in each. */
  palettes(theme: Theme): readonly [Palette, ...Palette[]];
}
