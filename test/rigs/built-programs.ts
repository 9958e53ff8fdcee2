import { readFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'vite';
import { BUNDLED_PACKAGES, PROGRAMS } from '../../build/bundles.ts';
import { sourcePaths } from '../../build/source-paths.ts';
import { serviceProgramInNode } from '../../src/host/service-program.ts';

const REPOSITORY = path.join(import.meta.dirname, '..', '..');

/** In the repository, because programs look for its `resources` beside their own folder. */
const FOLDER = path.join(REPOSITORY, '.programs');

/** Names the variable that says that the programs were built for this run. */
const ARE_BUILT = 'SPOOL_PROGRAMS_BUILT';

/**
 * The command line with most of its imports in a few files: from its sources, each start loads 500
 * files and takes 1.15 s of processor time instead of 0.65.
 */
export const BUILT_SPOOL = path.join(FOLDER, 'cli', 'main.js');

export const BUILT_SERVICE_FILE = path.join(FOLDER, 'local-service', 'main.js');

/** The local service, for tests that are not about its program. */
export const builtService = serviceProgramInNode(BUILT_SERVICE_FILE);

function externalPackages(): string[] {
  const manifest = readFileSync(path.join(REPOSITORY, 'package.json'), 'utf8');
  const { dependencies } = JSON.parse(manifest) as { dependencies: Record<string, string> };
  return Object.keys(dependencies).filter((name) => !BUNDLED_PACKAGES.includes(name));
}

/** For Vitest's `globalSetup`: bundles the programs once for all files that start them. */
export default async function buildPrograms(): Promise<void> {
  if (process.env[ARE_BUILT] !== undefined) return;
  process.env[ARE_BUILT] = 'true';
  await build({
    configFile: false,
    logLevel: 'error',
    root: REPOSITORY,
    plugins: [sourcePaths(path.join(REPOSITORY, 'src'))],
    // As electron-vite: what package.json does not name comes with the package that needs it.
    ssr: { noExternal: true, external: externalPackages() },
    build: {
      ssr: true,
      outDir: FOLDER,
      // Another run of tests may be starting these programs.
      emptyOutDir: false,
      minify: false,
      target: 'node24',
      rolldownOptions: {
        input: Object.fromEntries(
          ['cli/main', ...PROGRAMS].map((name) => [name, `src/${name}.ts`]),
        ),
        output: {
          format: 'es',
          entryFileNames: '[name].js',
          chunkFileNames: 'chunks/[name]-[hash].js',
        },
      },
    },
  });
}
