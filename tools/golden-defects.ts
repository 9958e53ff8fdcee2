/**
 * `npm run golden:defects`: applies the renderer's deliberate defects one by one to a copy of the
 * repository, runs the renderer's tests there until one fails, and prints which did. It takes most of an
 * hour. Words after `--` select the defects whose names contain them.
 */
import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  CAPTION_DEFECTS,
  type Defect,
  FONT_DEFECTS,
  LIMIT_DEFECTS,
  MEDIA_DEFECTS,
  PICTURE_DEFECTS,
  SOUND_DEFECTS,
  TIMING_DEFECTS,
} from '../test/rigs/golden/defects.ts';

const ROOT = path.join(import.meta.dirname, '..');
const COPIED = [
  'build',
  'src',
  'test',
  'tools',
  'resources',
  'package.json',
  'vitest.config.ts',
  'tsconfig.json',
  'tsconfig.base.json',
];
const INTEGRATION = 'test/integration/local-service';
const UNIT = 'test/unit/local-service/rendering';

/** The tests that run for each kind of defect. */
const KINDS: readonly (readonly [defects: readonly Defect[], tests: readonly string[]])[] = [
  [
    PICTURE_DEFECTS,
    [
      ...[
        'golden-pictures',
        'drawn-pictures',
        'draw-list',
        'frame-renderer',
        'safe-area',
        'looks',
        'layout-check',
        'picture-look',
        'preview',
      ].map((name) => `${INTEGRATION}/rendering/${name}.test.ts`),
      ...['palette', 'frame-buffer', 'timeline'].map((name) => `${UNIT}/${name}.test.ts`),
    ],
  ],
  [
    SOUND_DEFECTS,
    [
      `${INTEGRATION}/rendering/loudness.test.ts`,
      `${UNIT}/soundtrack.test.ts`,
      `${UNIT}/loudness.test.ts`,
      `${UNIT}/loop-mixer.test.ts`,
    ],
  ],
  [
    MEDIA_DEFECTS,
    [
      `${INTEGRATION}/rendering/own-sounds.test.ts`,
      `${INTEGRATION}/rendering/decode-sound.test.ts`,
      `${UNIT}/soundtrack.test.ts`,
    ],
  ],
  [FONT_DEFECTS, [`${INTEGRATION}/rendering/own-font.test.ts`]],
  [
    CAPTION_DEFECTS,
    [
      `${INTEGRATION}/rendering/captions.test.ts`,
      `${INTEGRATION}/rendering/golden-pictures.test.ts`,
      `${INTEGRATION}/rendering/drawn-pictures.test.ts`,
      `${UNIT}/caption-times.test.ts`,
      `${UNIT}/timeline.test.ts`,
    ],
  ],
  [TIMING_DEFECTS, [`${INTEGRATION}/rendering/timing.test.ts`]],
  [
    LIMIT_DEFECTS,
    [
      `${INTEGRATION}/images.test.ts`,
      `${INTEGRATION}/rendering/render-pool.test.ts`,
      `${UNIT}/storyboard.test.ts`,
    ],
  ],
];

interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly assertionResults: readonly { readonly status: string }[];
  }[];
}

const copy = mkdtempSync(path.join(tmpdir(), 'spool-defects-'));
process.on('exit', () => {
  rmSync(copy, { recursive: true, force: true });
});
for (const name of COPIED)
  cpSync(path.join(ROOT, name), path.join(copy, name), { recursive: true });
symlinkSync(path.join(ROOT, 'node_modules'), path.join(copy, 'node_modules'));

const chosen = process.argv.slice(2);
let missed = 0;
console.log('| defect | noticed by |');
for (const [defects, tests] of KINDS) {
  const wanted = defects.filter(
    ({ name }) => chosen.length === 0 || chosen.some((word) => name.includes(word)),
  );
  if (wanted.length === 0) continue;
  const noticed = await failedOf(tests);
  if (noticed.length > 0) throw new Error(`Without a defect there fails: ${noticed.join(', ')}`);
  for (const defect of wanted) {
    const noticed = await tryDefect(defect, tests);
    if (noticed.length === 0) missed += 1;
    console.log(`| ${defect.name} | ${noticed.join(', ') || '**nothing**'} |`);
  }
}
process.exitCode = missed === 0 ? 0 : 1;

/** Which test files fail with the defect. */
async function tryDefect(
  { file, find, replace }: Defect,
  tests: readonly string[],
): Promise<string[]> {
  const target = path.join(copy, 'src/local-service/rendering', file);
  const source = readFileSync(target, 'utf8');
  if (source.split(find).length !== 2) throw new Error(`${file} does not have once: ${find}`);
  writeFileSync(
    target,
    source.replace(find, () => replace),
  );
  try {
    return await failedOf(tests);
  } finally {
    writeFileSync(target, source);
  }
}

async function failedOf(tests: readonly string[]): Promise<string[]> {
  const { testResults } = await runTests(tests);
  if (testResults.length === 0) throw new Error(`No test ran: ${tests.join(', ')}`);
  return testResults
    .filter(({ assertionResults }) => assertionResults.some(({ status }) => status === 'failed'))
    .map(({ name }) => path.basename(name, '.test.ts'));
}

async function runTests(tests: readonly string[]): Promise<Report> {
  const output = path.join(copy, 'report.json');
  const vitest = path.join(copy, 'node_modules/vitest/vitest.mjs');
  const projects = ['integration', 'rendering', 'unit'].flatMap((name) => ['--project', name]);
  const report = ['--bail', '1', '--reporter', 'json', '--outputFile', output];
  const child = spawn(process.execPath, [vitest, 'run', ...projects, ...report, ...tests], {
    cwd: copy,
    stdio: 'ignore',
  });
  await new Promise((resolve) => child.on('exit', resolve));
  return JSON.parse(readFileSync(output, 'utf8')) as Report;
}
