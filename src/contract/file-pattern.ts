/** Which files are like each other by their names: those that differ in numbers and dates only. */

/**
 * The name of a file with a star for each number or date: `launch-week-12.csv` and
 * `launch-week-13.csv` are `launch-week-*.csv`. In lower case, as files are named in one or the other.
 */
export function filePattern(name: string): string {
  const [, base = name, ending = ''] = /^(.+?)(\.[a-z]{1,5})?$/iu.exec(name) ?? [];
  return `${base.replaceAll(/\d+(?:[-_. ]\d+)*/g, '*')}${ending}`.toLowerCase();
}
