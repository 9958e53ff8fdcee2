/**
 * The number formats that Excel workbooks refer to by number (ECMA-376, part 1, section 18.8.30),
 * and dates as a language writes them.
 */

const FORMATS: Readonly<Record<number, string>> = {
  0: 'General',
  1: '0',
  2: '0.00',
  3: '#,##0',
  4: '#,##0.00',
  9: '0%',
  10: '0.00%',
  11: '0.00E+00',
  12: '# ?/?',
  13: '# ??/??',
  15: 'd-mmm-yy',
  16: 'd-mmm',
  17: 'mmm-yy',
  18: 'h:mm AM/PM',
  19: 'h:mm:ss AM/PM',
  20: 'h:mm',
  21: 'h:mm:ss',
  37: '#,##0;-#,##0',
  38: '#,##0;-#,##0',
  39: '#,##0.00;-#,##0.00',
  40: '#,##0.00;-#,##0.00',
  45: 'mm:ss',
  46: '[h]:mm:ss',
  47: 'mm:ss.0',
  48: '##0.0E+0',
  49: '@',
};

/** @param language decides how a date is written */
export function builtInFormat(id: number, language: string): string {
  if (id === 14) return dateFormat(language);
  if (id === 22) return `${dateFormat(language)} h:mm`;
  return FORMATS[id] ?? 'General';
}

/** A date's format with the separator of the language, for which workbooks write a slash. */
export function withDateSeparator(format: string, language: string): string {
  const separator = new Intl.DateTimeFormat(language)
    .formatToParts(0)
    .find(({ type }) => type === 'literal')
    ?.value.trim();
  if (separator === undefined || separator === '/') return format;
  return format.replace(/"[^"]*"|\[[^\]]*\]|\\.|AM\/PM|\//gi, (part) =>
    part === '/' ? `"${separator}"` : part,
  );
}

function dateFormat(language: string): string {
  const digits = /^en(?:-US)?$/.test(language) ? 'numeric' : '2-digit';
  const options = { year: 'numeric', month: digits, day: digits, timeZone: 'UTC' } as const;
  const parts = new Intl.DateTimeFormat(language, options).formatToParts(0);
  return parts
    .map(({ type, value }) => {
      const part = PARTS[type] ?? `"${value}"`;
      return digits === 'numeric' ? part.replace(/^(?:dd|mm)$/, part.slice(0, 1)) : part;
    })
    .join('');
}

const PARTS: Readonly<Record<string, string>> = { day: 'dd', month: 'mm', year: 'yyyy' };
