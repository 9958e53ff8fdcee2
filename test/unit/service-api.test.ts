import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

/**
 * The sections of a document with numbered headings: `8`, `8.1`, and for the rules of a numbered list
 * `8.3.2`.
 */
function sectionsOf(document: string): Set<string> {
  const sections = new Set<string>();
  let section = '';
  for (const line of document.split('\n')) {
    const [, heading] = /^#+ (\d+(?:\.\d+)?)\.? /.exec(line) ?? [];
    const [, rule] = /^(\d+)\. /.exec(line) ?? [];
    if (heading !== undefined) section = heading;
    if (heading !== undefined) sections.add(heading);
    else if (rule !== undefined) sections.add(`${section}.${rule}`);
  }
  return sections;
}

const NUMBER = String.raw`§\d+(?:\.\d+)*(?: rules? \d+(?: and \d+)?)?`;
const LIST = `${NUMBER}(?:(?:, | to | and |, and )${NUMBER})*`;

/** Citations of other documents: `RFC 9110 §15.2`. */
const OTHERS = new RegExp(
  String.raw`(?:RFC \d+|ISO(?:/IEC)? [\d-]+\)?|Exif [\d.]+|MS-ERREF) ${LIST}`,
  'g',
);

/** The sections of the API that a source cites: `5`, `8.1`, `8.3.2`. */
function citationsIn(source: string): string[] {
  // Joins the lines of a comment.
  const text = source.replaceAll(/\s*\n\s*(?:\*|\/\/|--)?\s*/g, ' ').replaceAll(OTHERS, '');
  return [...text.matchAll(new RegExp(NUMBER, 'g'))].flatMap(([citation]) => {
    const [section = '', ...rules] = citation.match(/\d+(?:\.\d+)*/g) ?? [];
    return rules.length === 0 ? [section] : rules.map((rule) => `${section}.${rule}`);
  });
}

describe('docs/service-api.md', () => {
  const sections = sectionsOf(readFileSync('docs/service-api.md', 'utf8'));
  const sources = globSync('{src,test,bench,tools,docs}/**/*.{ts,svelte,md}').filter(
    (file) => file !== 'test/unit/service-api.test.ts',
  );

  it('has each section and rule that is cited', () => {
    const missing = sources.flatMap((file) =>
      citationsIn(readFileSync(file, 'utf8'))
        .filter((cited) => !sections.has(cited))
        .map((cited) => `${file}: §${cited}`),
    );
    expect(missing).toEqual([]);
  });

  it('is cited by the code', () => {
    const cited = sources
      .filter((file) => file.startsWith('src'))
      .flatMap((file) => citationsIn(readFileSync(file, 'utf8')));
    expect(cited.length).toBeGreaterThan(80);
    expect(new Set(cited)).toContain('8.3.2');
  });
});

it.each([
  ['/** Limits (service-api.md §8.1, §8.5). */', ['8.1', '8.5']],
  ['// §8.3\n * rules 2 and 3', ['8.3.2', '8.3.3']],
  ['/** §5 rule 8 */', ['5.8']],
  ['/** RFC 9110 §13 and §14, as §4 says. */', ['4']],
  ['/** RFC 9649 §2.5 to §2.7 */ // (MS-ERREF §2.3)', []],
])('finds in %j the citations %j', (source, citations) => {
  expect(citationsIn(source)).toEqual(citations);
});
