/** Numbers and sizes as each language writes them, the same in messages, page and terminal. */
const UNITS = ['kB', 'MB', 'GB', 'TB'] as const;

/** Creating one is expensive, formatting with it is not. */
class Sizes {
  readonly #whole: Intl.NumberFormat;
  /** By number of decimal places. */
  readonly #figures: readonly Intl.NumberFormat[];

  /** @param locale BCP 47 */
  constructor(locale: string) {
    this.#whole = new Intl.NumberFormat(locale);
    this.#figures = [0, 1, 2].map(
      (digits) =>
        new Intl.NumberFormat(locale, {
          minimumFractionDigits: digits,
          maximumFractionDigits: digits,
        }),
    );
  }

  /** "812 kB", "41.2 MB", "3.05 GB": decimal units, three figures. */
  bytes(bytes: number): string {
    if (bytes < 1000) return `${bytes} B`;
    let value = bytes;
    let unit = -1;
    // 999.5 rounds to 1000, which reads better as the next unit's 1.
    while (value >= 999.5 && unit < UNITS.length - 1) {
      value /= 1000;
      unit += 1;
    }
    return `${this.#threeFigures(value)} ${UNITS[unit] ?? 'B'}`;
  }

  /** "41.2 MB/s". */
  speed(bytesPerSecond: number): string {
    return `${this.bytes(Math.round(bytesPerSecond))}/s`;
  }

  /** "1,204" in English, "1.204" in German. */
  count(count: number): string {
    return this.#whole.format(count);
  }

  #threeFigures(value: number): string {
    const digits = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
    return (this.#figures[digits] ?? this.#whole).format(value);
  }
}

export type { Sizes };

const made = new Map<string, Sizes>();

/**
 * One for each locale, created when it is first used.
 * @param locale BCP 47
 */
export function sizesIn(locale: string): Sizes {
  const sizes = made.get(locale) ?? new Sizes(locale);
  made.set(locale, sizes);
  return sizes;
}
