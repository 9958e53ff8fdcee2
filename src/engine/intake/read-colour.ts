/** Reads colours: their notations, and their names in English and German. */

/** A colour as `#rrggbb`, or the one that was probably meant. */
export interface ColourReading {
  readonly certain: string | null;
  readonly likely: string | null;
}

/** The values that CSS gives these names, or usual ones; German names stand for the same. */
const NAMES: readonly (readonly [value: string, ...names: string[]])[] = [
  ['#000000', 'black', 'schwarz'],
  ['#ffffff', 'white', 'weiß', 'weiss'],
  ['#808080', 'gray', 'grey', 'grau'],
  ['#d3d3d3', 'lightgray', 'lightgrey', 'hellgrau'],
  ['#a9a9a9', 'darkgray', 'darkgrey', 'dunkelgrau'],
  ['#383e42', 'anthracite', 'anthrazit'],
  ['#c0c0c0', 'silver', 'silber', 'silbern'],
  ['#ffd700', 'gold', 'golden'],
  ['#ff0000', 'red', 'rot'],
  ['#8b0000', 'darkred', 'dunkelrot'],
  ['#800000', 'maroon', 'kastanienbraun'],
  ['#800020', 'burgundy', 'bordeaux', 'weinrot'],
  ['#dc143c', 'crimson', 'karmesinrot'],
  ['#ff6347', 'tomato', 'tomatenrot'],
  ['#ff7f50', 'coral', 'koralle'],
  ['#fa8072', 'salmon', 'lachs', 'lachsrosa'],
  ['#ffc0cb', 'pink', 'rosa'],
  ['#ff69b4', 'hotpink'],
  ['#ff00ff', 'magenta', 'fuchsia'],
  ['#ffa500', 'orange'],
  ['#ff8c00', 'darkorange', 'dunkelorange'],
  ['#a52a2a', 'brown', 'braun'],
  ['#d2691e', 'chocolate', 'schokobraun'],
  ['#f0e68c', 'khaki'],
  ['#f5f5dc', 'beige'],
  ['#fffdd0', 'cream', 'creme'],
  ['#fffff0', 'ivory', 'elfenbein'],
  ['#ffff00', 'yellow', 'gelb'],
  ['#ffffe0', 'lightyellow', 'hellgelb'],
  ['#808000', 'olive', 'oliv', 'olivgrün'],
  ['#00ff00', 'lime', 'limette'],
  ['#32cd32', 'limegreen', 'limettengrün'],
  ['#008000', 'green', 'grün', 'gruen'],
  ['#90ee90', 'lightgreen', 'hellgrün'],
  ['#228b22', 'forestgreen', 'waldgrün'],
  ['#006400', 'darkgreen', 'dunkelgrün'],
  ['#40e0d0', 'turquoise', 'türkis'],
  ['#008080', 'teal', 'petrol'],
  ['#00ffff', 'cyan', 'aqua'],
  ['#87ceeb', 'skyblue', 'himmelblau'],
  ['#4682b4', 'steelblue', 'stahlblau'],
  ['#4169e1', 'royalblue', 'königsblau'],
  ['#0000ff', 'blue', 'blau'],
  ['#add8e6', 'lightblue', 'hellblau'],
  ['#00008b', 'darkblue', 'dunkelblau'],
  ['#000080', 'navy', 'marine', 'marineblau'],
  ['#4b0082', 'indigo'],
  ['#800080', 'purple', 'lila', 'purpur'],
  ['#ee82ee', 'violet', 'violett'],
  ['#e6e6fa', 'lavender', 'lavendel'],
];

const BY_NAME: ReadonlyMap<string, string> = new Map(
  NAMES.flatMap(([value, ...names]) => names.map((name) => [name, value] as const)),
);

const RGB = /^rgba?\(\s*(\d{1,3})\s*[,;\s]\s*(\d{1,3})\s*[,;\s]\s*(\d{1,3})\s*\)$/;

/** @param text trimmed */
export function readColour(text: string): ColourReading {
  const plain = text.normalize('NFKC').toLowerCase();
  const named = BY_NAME.get(plain.replace(/[\s_-]+/g, ''));
  if (named !== undefined) return certain(named);
  const [, mark = '', digits = ''] = /^(#|0x)?([\da-f]+)$/.exec(plain) ?? [];
  switch (digits.length) {
    case 6:
      return certain(`#${digits}`);
    case 3: {
      const long = `#${digits.replace(/./g, '$&$&')}`;
      return mark === '#' ? certain(long) : { certain: null, likely: long };
    }
    case 8: {
      // The last two digits say how opaque it is; a video’s colours are opaque.
      const opaque = `#${digits.slice(0, 6)}`;
      return digits.endsWith('ff') ? certain(opaque) : { certain: null, likely: opaque };
    }
    case 1:
    case 2:
    case 4:
    case 5:
      // Spreadsheets drop zeros at the beginning of a number.
      return {
        certain: null,
        likely: mark === '' && /^\d+$/.test(digits) ? `#${digits.padStart(6, '0')}` : null,
      };
  }
  const parts = RGB.exec(plain)?.slice(1).map(Number);
  if (parts === undefined || parts.some((part) => part > 255))
    return { certain: null, likely: null };
  return certain(`#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`);
}

function certain(value: string): ColourReading {
  return { certain: value, likely: null };
}
