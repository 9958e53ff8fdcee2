/** Turns the table of allowed imports in ARCHITECTURE.md into rules of dependency-cruiser. */
import { readFileSync } from 'node:fs';

/** The section of ARCHITECTURE.md that contains the table. */
const HEADING = '## What may import what';

/** One row of the table. */
export interface Part {
  /**
   * What belongs to it, below `src`: a layer or folder (`engine/jobs`), the files directly in a folder
   * (`engine/*`) or one file. A file belongs to the row with the most specific of these.
   */
  readonly paths: readonly string[];
  /**
   * What its files may import besides each other, in the same notation. `engine`: the whole layer.
   */
  readonly mayImport: readonly string[];
}

/** A rule of dependency-cruiser. */
export interface Rule {
  readonly name: string;
  readonly comment: string;
  readonly severity: 'error';
  readonly from: { readonly path: string; readonly pathNot?: string[] };
  readonly to: { readonly path: string; readonly pathNot?: string[] };
}

/** Matches every file of the repository; packages and Node's modules are not restricted. */
const REPOSITORY = '^(src|test|bench|tools|build)/';

/** @throws {Error} When the table is missing, or when one of its lines cannot be read. */
export function readParts(document = readFileSync('ARCHITECTURE.md', 'utf8')): Part[] {
  const [, section] = document.split(`${HEADING}\n`);
  if (section === undefined) throw new Error(`ARCHITECTURE.md has no “${HEADING}”`);
  const [text = ''] = section.split('\n## ');
  const [, , ...lines] = text.split('\n').filter((line) => line.startsWith('|'));
  if (lines.length === 0) throw new Error(`“${HEADING}” has no table`);
  return lines.map(readPart);
}

function readPart(line: string): Part {
  const [, first = '', second = '', ...rest] = line.split('|').map((cell) => cell.trim());
  const paths = pathsIn(first);
  const mayImport = second === 'nothing' ? [] : pathsIn(second);
  if (!paths?.length || mayImport === null || rest.length !== 1) {
    throw new Error(`ARCHITECTURE.md: not a row of paths: ${line}`);
  }
  return { paths, mayImport };
}

/** Paths in backticks, separated by commas; `null` when the cell contains anything else. */
function pathsIn(cell: string): string[] | null {
  const paths = cell.split(', ').map((path) => /^`([a-z][\w./*-]*)`$/.exec(path)?.[1]);
  return paths.includes(undefined) ? null : (paths as string[]);
}

/** A rule for each path of the table: its files import what the table names, and nothing else. */
export function layerRules(parts: readonly Part[]): Rule[] {
  const paths = parts.flatMap((part) => part.paths);
  const rules = parts.flatMap(({ paths: own, mayImport }) =>
    own.map((path): Rule => {
      const allowed = [...filesOf(own, paths), ...filesOf(mayImport, paths)];
      return {
        name: `imports-of-${path}`,
        comment: `${path} may import ${mayImport.join(', ') || 'nothing'} (ARCHITECTURE.md).`,
        severity: 'error',
        from: { path: pattern(path), pathNot: moreSpecific(path, paths).map(pattern) },
        to: { path: REPOSITORY, pathNot: allowed },
      };
    }),
  );
  return [
    ...rules,
    {
      name: 'has-a-row',
      comment: 'Each file of src belongs to a row of the table in ARCHITECTURE.md.',
      severity: 'error',
      from: { path: '^src/', pathNot: paths.map(pattern) },
      to: { path: '' },
    },
  ];
}

/** The row that a file below `src` belongs to. */
export function partOf(file: string, parts: readonly Part[]): Part | undefined {
  const matching = parts
    .flatMap((part) => part.paths.map((path) => ({ part, path })))
    .filter(({ path }) => new RegExp(pattern(path)).test(`src/${file}`));
  const paths = matching.map(({ path }) => path);
  return matching.find(({ path }) => moreSpecific(path, paths).length === 0)?.part;
}

/** Patterns of the files that paths cover; `engine/*` leaves out files with their own rows. */
function filesOf(covered: readonly string[], all: readonly string[]): string[] {
  return covered.map((path) => {
    const others = path.endsWith('/*') ? moreSpecific(path, all) : [];
    const except = others.map((other) => `(?!${pattern(other).slice(1)})`).join('');
    return `^${except}${pattern(path).slice(1)}`;
  });
}

/** Paths of the table whose files would otherwise belong to `path`. */
function moreSpecific(path: string, all: readonly string[]): string[] {
  const folder = path.replace(/\*$/, '');
  const within = path.endsWith('/*')
    ? (other: string) => isFile(other) && other.lastIndexOf('/') === folder.length - 1
    : (other: string) => other.startsWith(`${folder}/`);
  return all.filter((other) => other !== path && other.startsWith(folder) && within(other));
}

function isFile(path: string): boolean {
  return /\.\w+$/.test(path);
}

function pattern(path: string): string {
  const literal = path.replaceAll('.', String.raw`\.`);
  if (isFile(path)) return `^src/${literal}$`;
  if (path.endsWith('/*')) return `^src/${literal.slice(0, -1)}[^/]+$`;
  return `^src/${literal}/`;
}
