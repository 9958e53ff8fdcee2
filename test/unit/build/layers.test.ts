import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeAll, describe, expect, it, test } from 'vitest';
import { z } from 'zod';
import { partOf, readParts } from '../../../tools/layers.ts';
import { REPOSITORY } from '../../rigs/spool-process.ts';
import { removeFolder } from '../../rigs/temporary-folder.ts';

const parts = readParts();

/** The violations that `.dependency-cruiser.js` reports in a tree of files: texts by path. */
function violationsIn(files: ReadonlyMap<string, string>): Violation[] {
  const folder = mkdtempSync(path.join(tmpdir(), 'spool-layers-'));
  try {
    for (const name of ['ARCHITECTURE.md', 'tsconfig.base.json']) {
      copyFileSync(path.join(REPOSITORY, name), path.join(folder, name));
    }
    for (const [name, text] of files) {
      mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
      writeFileSync(path.join(folder, name), text);
    }
    return runChecker(folder);
  } finally {
    removeFolder(folder);
  }
}

const reportSchema = z.object({
  summary: z.object({
    violations: z.array(
      z.object({ from: z.string(), to: z.string(), rule: z.object({ name: z.string() }) }),
    ),
  }),
});

interface Violation {
  readonly from: string;
  readonly to: string;
  readonly rule: string;
}

function runChecker(folder: string): Violation[] {
  const program = path.join(
    REPOSITORY,
    'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs',
  );
  const config = path.join(REPOSITORY, '.dependency-cruiser.js');
  const report = execFileSync(
    process.execPath,
    [program, 'src', 'test', '--config', config, '--output-type', 'json'],
    { cwd: folder, encoding: 'utf8', maxBuffer: 256 * 1024 * 1024 },
  );
  return reportSchema
    .parse(JSON.parse(report))
    .summary.violations.map(({ from, to, rule }) => ({ from, to, rule: rule.name }));
}

/** Installed packages, so that nothing outside the folder is read. */
const PACKAGES = new Map([
  [
    'package.json',
    JSON.stringify({
      type: 'module',
      dependencies: { shipped: '1.0.0', electron: '1.0.0' },
      devDependencies: { 'only-here': '1.0.0', '@tsconfig/strictest': '1.0.0' },
    }),
  ],
  ['node_modules/@tsconfig/strictest/package.json', '{"name":"@tsconfig/strictest"}'],
  ['node_modules/@tsconfig/strictest/tsconfig.json', '{}'],
  ...['shipped', 'only-here', 'electron'].flatMap((name): [string, string][] => [
    [`node_modules/${name}/package.json`, JSON.stringify({ name, main: 'index.js' })],
    [`node_modules/${name}/index.js`, 'export default 1;\n'],
  ]),
]);

function importOf(from: string, to: string): string {
  const relative = path.relative(path.dirname(from), to);
  return `import ${JSON.stringify(relative.startsWith('.') ? relative : `./${relative}`)};\n`;
}

/** One file for each path that the table mentions, below `src`. */
const samples = [
  ...new Set(
    parts
      .flatMap(({ paths, mayImport }) => [...paths, ...mayImport])
      .map((name) => (name.endsWith('.ts') ? name : path.join(name.replace('*', ''), 'sample.ts'))),
  ),
];

/** Each rule, with an import that breaks it: in the file `from`, of `to`. */
const breaks = [
  ['no-cycles', 'src/cli/cycle.ts', './back.ts'],
  ['no-orphan-imports', 'src/cli/orphan.ts', './missing.ts'],
  ['no-orphan-imports', 'test/orphan.ts', 'not-installed'],
  ['shipped-code-uses-shipped-packages', 'src/engine/jobs/development.ts', 'only-here'],
  ['pure-without-node', 'src/engine/pacing/impure.ts', 'node:fs'],
  ['pure-without-node', 'src/engine/jobs/lifecycle.ts', 'node:fs'],
  ['pure-without-node', 'src/contract/impure.ts', 'node:fs'],
  ['no-electron-outside-main', 'src/engine/jobs/windows.ts', 'electron'],
  ['no-electron-outside-main', 'src/host/windows.ts', 'electron'],
  ['imports-of-cli', 'src/cli/of-tests.ts', '../../test/orphan.ts'],
  ['imports-of-engine/pacing', 'src/engine/pacing/of-jobs.ts', '../jobs/lifecycle.ts'],
  ['has-a-row', 'src/new-layer/module.ts', 'shipped'],
] as const;

let violations: Violation[] = [];
/** `from > to` of every import between samples that was refused. */
const refused = new Set<string>();

beforeAll(() => {
  violations = violationsIn(
    new Map([
      ...PACKAGES,
      ...samples.map((from): [string, string] => [
        `src/${from}`,
        samples.map((to) => (from === to ? '' : importOf(from, to))).join(''),
      ]),
      ...breaks.map(([, from, to]): [string, string] => [from, `import '${to}';\n`]),
      ['src/cli/back.ts', "import './cycle.ts';\n"],
    ]),
  );
  for (const { from, to, rule } of violations) {
    if (rule.startsWith('imports-of-')) refused.add(`${from} > ${to}`);
  }
  // The checker is a separate process, which can take more than ten seconds on a busy computer.
}, 180_000);

test.each(breaks)('the rule %s refuses that %s imports %s', (rule, from) => {
  // A cycle is reported for one of its files.
  const broken = violations.filter((violation) => [violation.from, violation.to].includes(from));
  expect(broken.map((violation) => violation.rule)).toContain(rule);
});

describe('the table of ARCHITECTURE.md', () => {
  const allows = (from: string, to: string): boolean => {
    const own = partOf(from, parts);
    const other = partOf(to, parts);
    const names = own?.mayImport ?? [];
    return (
      own === other ||
      names.includes(to) ||
      names.some((name) => to.startsWith(`${name}/`)) ||
      (other?.paths ?? []).some((name) => name.endsWith('/*') && names.includes(name)) ||
      (own?.paths ?? []).some((name) => to.startsWith(`${name}/`))
    );
  };

  it.each(samples)('holds for what %s imports', (from) => {
    const others = samples.filter((to) => to !== from);
    expect(others.filter((to) => !refused.has(`src/${from} > src/${to}`))).toEqual(
      others.filter((to) => allows(from, to)),
    );
  });

  // A second list, which reveals a table that allows too much.
  it.each([
    ['contract', ['engine', 'host', 'cli', 'main', 'preload', 'renderer', 'local-service']],
    ['preload', ['engine', 'host', 'cli', 'main', 'renderer/state', 'local-service']],
    ['renderer/views', ['engine', 'host', 'cli', 'main', 'preload', 'local-service']],
    ['renderer/connection', ['renderer/state', 'renderer/views', 'engine', 'host']],
    ['engine', ['engine/jobs', 'engine/flow', 'host', 'cli', 'main', 'renderer/state']],
    ['engine/jobs', ['engine/pacing', 'engine/flow', 'engine/service', 'engine/downloads', 'host']],
    ['engine/pacing', ['engine', 'engine/jobs', 'engine/flow', 'engine/service', 'host']],
    ['engine/intake', ['engine/flow', 'engine/jobs', 'engine/service', 'engine/downloads']],
    ['engine/service', ['engine/flow', 'engine/jobs', 'engine/intake', 'engine/downloads']],
    ['engine/downloads', ['engine/flow', 'engine/jobs', 'engine/service', 'engine/keys']],
    ['engine/keys', ['engine/flow', 'engine/jobs', 'engine/service', 'engine/downloads']],
    ['engine/flow', ['engine/commands', 'engine/view', 'engine/intake']],
    ['host', ['cli', 'main', 'preload', 'renderer/state', 'local-service']],
    ['host/posters', ['host', 'engine/jobs', 'engine/keys', 'engine/flow']],
    ['cli', ['main', 'preload', 'renderer/state', 'local-service']],
    ['main', ['cli', 'preload', 'renderer/state', 'local-service', 'engine/jobs', 'engine/flow']],
    ['local-service', ['contract', 'engine', 'host', 'cli', 'main', 'renderer/state']],
    ['local-service/rendering', ['local-service/accounts', 'local-service/studio', 'contract']],
  ])('lets %s import none of %j', (from, targets) => {
    const allowed = targets.filter(
      (to) => !refused.has(`src/${from}/sample.ts > src/${to}/sample.ts`),
    );
    expect(allowed).toEqual([]);
  });

  it('names only what exists, and has a row for each file', () => {
    const files = globSync('src/**/*.{ts,svelte,js}').map((file) => path.relative('src', file));
    expect(files.filter((file) => partOf(file, parts) === undefined)).toEqual([]);
    const used = new Set(files.map((file) => partOf(file, parts)));
    expect(parts.filter((part) => !used.has(part))).toEqual([]);
    const named = parts.flatMap(({ paths, mayImport }) => [...paths, ...mayImport]);
    expect(globSync(named.map((name) => `src/${name.replace('/*', '')}`))).toHaveLength(
      new Set(named.map((name) => name.replace('/*', ''))).size,
    );
  });

  it.each([
    ['', 'has no “## What may import what”'],
    ['## What may import what\n\nNothing.\n', 'has no table'],
    [
      '## What may import what\n\n| a | b |\n|---|---|\n| engine | nothing |\n',
      'not a row of paths',
    ],
    [
      '## What may import what\n\n| a | b |\n|---|---|\n| `engine` | host |\n',
      'not a row of paths',
    ],
  ])('is refused when it cannot be read: %j', (document, reason) => {
    expect(() => readParts(document)).toThrow(reason);
  });
});

test('one row is traced through at most 25 files that exist', () => {
  const [, section = ''] = readFileSync('ARCHITECTURE.md', 'utf8').split('## One row, traced\n');
  const [text = ''] = section.split('\n## ');
  const rows = text.split('\n').filter((line) => line.startsWith('|') && line.includes('.ts`'));
  const files = rows.flatMap((row) =>
    [...row.matchAll(/`([\w/-]+\.ts)`/g)].map(([, name]) => name),
  );
  expect(files.length).toBeGreaterThan(15);
  expect(files.length).toBeLessThanOrEqual(25);
  expect(files.filter((file) => !existsSync(`src/engine/${file}`))).toEqual([]);
});
