/** How the engine learns which texts a video of this computer would show badly. */

export type MisfitText =
  | {
      /** As the request has it. */
      readonly text: string;
      /** Smaller than a phone shows readably, or with a word broken where no syllable ends. */
      readonly kind: 'too-long' | 'broken-word';
      /** About as many characters would be large enough. */
      readonly fits: number;
    }
  | {
      /** A colour, `#rrggbb`. */
      readonly text: string;
      /** Too near to the colour of its background. */
      readonly kind: 'low-contrast';
      /** The nearest colour with enough contrast, `#rrggbb`, which is drawn instead. */
      readonly nearest: string;
    };

/**
 * The texts of each of these requests that would be hard to read; `null` if that is not known.
 * Never rejects.
 */
export type CheckLayouts = (
  requests: readonly unknown[],
) => Promise<readonly (readonly MisfitText[])[] | null>;
