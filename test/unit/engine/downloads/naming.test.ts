import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_NAME_BYTES, safeName } from '../../../../src/engine/downloads/file-name.ts';
import {
  DEFAULT_TEMPLATE,
  NameEscapesError,
  nameFromTemplate,
  pathBelow,
  settleNames,
  unknownPlaceholders,
  usesColumns,
} from '../../../../src/engine/downloads/naming.ts';
import { anyText } from '../../../rigs/any-text.ts';

// abuse.md 7
describe('a file name made of any text', () => {
  it.each([
    ['CON', '_CON.mp4'],
    ['nul', '_nul.mp4'],
    ['COM1.report', '_COM1.report.mp4'],
    ['Lpt³', '_Lpt³.mp4'],
    ['LAUNCH~1', '_LAUNCH~1.mp4'],
    ['a ~ b', 'a ~ b.mp4'],
    ['conversation', 'conversation.mp4'],
    ['trailing dot.', 'trailing dot.mp4'],
    ['trailing space ', 'trailing space.mp4'],
    ['...', '_.mp4'],
    ['', '_.mp4'],
    ['file:stream', 'file_stream.mp4'],
    ['../../etc/passwd', '_.._etc_passwd.mp4'],
    ['C:\\Windows\\x', 'C__Windows_x.mp4'],
    ['a\u202egpj.exe', 'agpj.exe.mp4'],
    ['tab\there\r\n', 'tabhere.mp4'],
    ['null\0byte', 'nullbyte.mp4'],
    ['Cafe\u0301', 'Café.mp4'],
    ['.hidden', 'hidden.mp4'],
    ['what? "yes" <no> | *', 'what_ _yes_ _no_ _ _.mp4'],
  ])('%j becomes %j', (text, name) => {
    expect(safeName(text, '.mp4')).toBe(name);
  });

  it('is cut between graphemes, never inside one, and keeps its extension', () => {
    const family = '👨‍👩‍👧‍👦';
    const name = safeName(family.repeat(60), '.mp4');
    expect(Buffer.byteLength(name)).toBeLessThanOrEqual(MAX_NAME_BYTES);
    expect(name.slice(0, -4).replaceAll(family, '')).toBe('');
    expect(name.endsWith('.mp4')).toBe(true);
  });

  it('is a legal name on every system, whatever the text', () => {
    fc.assert(
      fc.property(anyText({ maxLength: 400 }), (text) => {
        const name = safeName(text, '.mp4');
        expect(name).not.toMatch(/[<>:"/\\|?*\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
        expect(name).not.toMatch(/^[.\s]|[.\s]$/u);
        expect(Buffer.byteLength(name)).toBeLessThanOrEqual(MAX_NAME_BYTES);
        expect(name.isWellFormed()).toBe(true);
        expect(safeName(name.slice(0, -4), '.mp4')).toBe(name);
      }),
      { numRuns: 500 },
    );
  });
});

describe('a name from a template', () => {
  it('fills in every column, and makes folders only from the template’s slashes', () => {
    const values = { batch: 'May', index: '007', title: 'a/b\\c', Language: 'de' };
    expect(nameFromTemplate(DEFAULT_TEMPLATE, values)).toBe('May/007 a_b_c.mp4');
    expect(nameFromTemplate('{language}\\{ TITLE }', values)).toBe('de/a_b_c.mp4');
  });

  it('leaves out placeholders without a value, in folders too', () => {
    expect(nameFromTemplate(DEFAULT_TEMPLATE, { index: 1, title: 'x' })).toBe('1 x.mp4');
    expect(nameFromTemplate('{nothing}.mp4', {})).toBe('_.mp4');
  });

  it('does not replace placeholders inside a value', () => {
    expect(nameFromTemplate('{title}', { title: '{key}', key: 'secret' })).toBe('{key}.mp4');
  });

  // abuse.md 6
  it('stays inside its folder, whatever the template and the values', () => {
    const text = fc.oneof(
      fc.constantFrom('..', '.', '/', '\\', 'C:', '../..', '/etc', '{title}', ''),
      anyText({ maxLength: 20 }),
    );
    fc.assert(
      fc.property(fc.array(text, { maxLength: 6 }), text, (template, title) => {
        const name = nameFromTemplate(template.join('/'), { title });
        const target = pathBelow('/videos/out', name);
        expect(target.startsWith('/videos/out/')).toBe(true);
      }),
    );
  });

  // abuse.md 6
  it('is refused when it leads out of the folder', () => {
    expect(() => pathBelow('/videos', '../x.mp4')).toThrow(NameEscapesError);
    expect(() => pathBelow('/videos', '/etc/x.mp4')).toThrow(NameEscapesError);
    expect(() => pathBelow('/videos', '.')).toThrow(NameEscapesError);
    expect(pathBelow('/videos', '..x.mp4')).toBe('/videos/..x.mp4');
  });

  it('reports placeholders that no column fills', () => {
    expect(unknownPlaceholders('{batch}/{titel} {Titel}{x}.mp4', ['Batch', 'X'])).toEqual([
      'titel',
      'Titel',
    ]);
  });
});

describe('jobs with the same file name', () => {
  const wanted = [
    { id: 'a', name: 'b/Film.mp4' },
    { id: 'b', name: 'b/film.mp4' },
    { id: 'c', name: 'b/film (2).mp4' },
  ];

  it('are numbered, without regard to case', () => {
    expect(settleNames(wanted, 'number')).toEqual([
      { id: 'a', kind: 'named', name: 'b/Film.mp4' },
      { id: 'b', kind: 'named', name: 'b/film (2).mp4' },
      { id: 'c', kind: 'named', name: 'b/film (2) (2).mp4' },
    ]);
  });

  it('are numbered in one pass, however many there are', () => {
    // Counting up from 2 for each of them would take a minute.
    const many = Array.from({ length: 10_000 }, (_, id) => ({
      id: String(id),
      name: 'b/Film.mp4',
    }));
    const names = settleNames(many, 'number', { onDisk: ['b/film (3).mp4'] }).map(
      ({ name }) => name,
    );
    expect(new Set(names).size).toBe(10_000);
    expect(names.slice(0, 3)).toEqual(['b/Film.mp4', 'b/Film (2).mp4', 'b/Film (4).mp4']);
    expect(names.at(-1)).toBe('b/Film (10001).mp4');
  });

  it('are skipped after the first when the batch skips', () => {
    expect(settleNames(wanted, 'skip', { onDisk: ['b/FILM (2).mp4'] })).toEqual([
      { id: 'a', kind: 'named', name: 'b/Film.mp4' },
      { id: 'b', kind: 'skipped', name: 'b/film.mp4' },
      { id: 'c', kind: 'skipped', name: 'b/film (2).mp4' },
    ]);
  });

  it('never replace each other, only files that belong to no job', () => {
    expect(settleNames(wanted.slice(0, 2), 'replace', { onDisk: ['b/Film.mp4'] })).toEqual([
      { id: 'a', kind: 'named', name: 'b/Film.mp4' },
      { id: 'b', kind: 'named', name: 'b/film (2).mp4' },
    ]);
    expect(settleNames(wanted.slice(0, 1), 'replace', { ofJobs: ['b/Film.mp4'] })).toEqual([
      { id: 'a', kind: 'named', name: 'b/Film (2).mp4' },
    ]);
  });

  it('are numbered around existing files', () => {
    const [first] = settleNames(wanted.slice(0, 1), 'number', {
      onDisk: ['b/film.mp4', 'b/film (2).mp4'],
    });
    expect(first?.name).toBe('b/Film (3).mp4');
  });

  it.each([
    ['letters of another case, also in folders', 'MAI/Film.mp4', 'mai/film.mp4'],
    ['accents that are composed or not', 'é/Café.mp4', 'e\u0301/Cafe\u0301.mp4'],
    ['letters that change their length with their case', 'İ.mp4', 'i\u0307.mp4'],
    ['the two Greek sigmas', 'ΟΔΟΣ 1.mp4', 'οδοσ 1.mp4'],
    ['Korean in syllables or in letters', '한.mp4', '한'.normalize('NFD') + '.mp4'],
  ])('are numbered although they differ in %s', (_, one, other) => {
    const names = settleNames(
      [
        { id: 'a', name: one },
        { id: 'b', name: other },
      ],
      'number',
    ).map(({ name }) => name);
    expect(names).toEqual([one, other.replace('.mp4', ' (2).mp4')]);
    expect(settleNames([{ id: 'b', name: other }], 'skip', { onDisk: [one] })[0]?.kind).toBe(
      'skipped',
    );
  });

  it.each(['number', 'skip', 'replace'] as const)(
    'do not take the name of a folder, in any order (%s)',
    (onCollision) => {
      const file = { id: 'file', name: 'Mai.mp4' };
      const below = { id: 'below', name: 'mai.mp4/film.mp4' };
      for (const wanted of [
        [file, below],
        [below, file],
      ]) {
        const names = settleNames(wanted, onCollision);
        expect(Object.fromEntries(names.map(({ id, kind, name }) => [id, [kind, name]]))).toEqual({
          file: ['named', 'Mai (2).mp4'],
          below: ['named', 'mai.mp4/film.mp4'],
        });
      }
    },
  );
});

it.each([
  ['{batch}/{index} {title}.mp4', ['title', 'notes'], false],
  ['{index} { NOTES }.mp4', ['title', 'notes'], true],
  ['{index} {title}.mp4', ['title', 'Title '], true],
  ['{unknown}.mp4', ['title'], false],
] as const)('knows whether %s uses a column of %j: %s', (template, columns, isUsed) => {
  expect(usesColumns(template, columns)).toBe(isUsed);
});
