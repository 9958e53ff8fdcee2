/** For `npm run check -- --changed`: which files have changed, and which checks they need. */
import { execFileSync } from 'node:child_process';
import type { Step } from './checks.ts';

/**
 * Files that differ from where this branch left `main` (without a `main`, from the last commit),
 * and untracked files. Deleted files are left out.
 */
export function changedFiles(folder = '.'): string[] {
  const base = git(folder, 'merge-base', 'HEAD', 'main')[0] ?? 'HEAD';
  const changed = git(folder, 'diff', '--name-only', '--diff-filter=d', '-z', base);
  const untracked = git(folder, 'ls-files', '--others', '--exclude-standard', '-z');
  return [...new Set([...changed, ...untracked])].toSorted();
}

/** The items that a Git command prints; none if it fails, as without a `main`. */
function git(folder: string, ...args: string[]): string[] {
  try {
    const printed = execFileSync('git', args, {
      cwd: folder,
      encoding: 'utf8' as const,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return printed.split(/[\0\n]/).filter(Boolean);
  } catch {
    return [];
  }
}

const tool = (name: string): string => `node_modules/${name}`;

/**
 * The checks of single files, the longest first. It leaves to `npm run check` what needs the whole
 * repository: types in components and in layers that use a changed file, unused code, import
 * cycles.
 */
export function stepsFor(files: readonly string[]): Step[] {
  const code = files.filter((file) => file.endsWith('.ts'));
  const sources = files.filter((file) => /^(?:src|test|bench)\/.*\.(?:ts|svelte)$/.test(file));
  const components = files.filter((file) => /^src\/renderer\/.*\.svelte(?:\.ts)?$/.test(file));
  const markup = files.filter((file) => file.endsWith('.svelte'));
  const formatted = files.filter((file) => !file.endsWith('.svelte'));
  const projects = [...new Set(files.flatMap((file) => projectOf(file) ?? []))];
  const has = (list: readonly string[], step: Step): Step[] => (list.length > 0 ? [step] : []);
  return [
    ...has(components, {
      name: 'lint of components',
      args: [tool('eslint/bin/eslint.js'), ...components],
    }),
    ...has(projects, {
      name: 'types',
      args: [tool('@typescript/native/bin/tsc'), '-b', '--singleThreaded', ...projects],
    }),
    ...has(code, { name: 'lint', args: [tool('oxlint/bin/oxlint'), '--quiet', ...code] }),
    ...has(sources, {
      name: 'layers',
      args: [
        tool('dependency-cruiser/bin/dependency-cruiser.mjs'),
        '--config',
        '.dependency-cruiser.js',
        '--output-type',
        'err',
        '--max-depth',
        '1',
        ...sources,
      ],
    }),
    ...has(markup, {
      name: 'format of components',
      args: [tool('prettier/bin/prettier.cjs'), '--check', '--log-level', 'warn', ...markup],
    }),
    ...has(formatted, {
      name: 'format',
      // Of files that it does not format, such as pictures, it says that none matched.
      args: [tool('oxfmt/bin/oxfmt'), '--check', '--no-error-on-unmatched-pattern', ...formatted],
    }),
    ...(files.includes('package-lock.json')
      ? [{ name: 'lockfile', args: ['tools/check-lockfile.ts'] }]
      : []),
  ];
}

/** The folder whose `tsconfig.json` covers a file. */
function projectOf(file: string): string | undefined {
  if (!/\.ts$|tsconfig\.json$/.test(file)) return undefined;
  const [, project] = /^(src\/[^/]+|test|bench|build|tools)\//.exec(file) ?? [];
  if (project !== undefined) return project;
  return /^[^/]+\.ts$/.test(file) ? 'tools' : undefined;
}
