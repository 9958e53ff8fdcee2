import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { REPOSITORY } from './spool-process.ts';

/** Replaces fpm, which makes packages and is not installed: it lays out the files. */
const FPM = `#!/bin/sh
[ "$1" = --version ] && exec echo 1.16.0
printf '%s\\n' "$@" > "$PACKAGE_ROOT/options"
for each in "$@"; do
  case "$before $each" in
    "--package "*) : > "$each" ;;
    *" /"*=/*)
      mkdir -p "$PACKAGE_ROOT$(dirname "\${each#*=}")"
      cp -r "\${each%%=*}" "$PACKAGE_ROOT\${each#*=}" ;;
  esac
  before=$each
done
`;

/** The content of a Debian package. */
export interface LinuxPackage {
  readonly options: readonly string[];
  has(file: string): boolean;
  /** Names of the files in a folder. */
  list(folder: string): readonly string[];
  text(file: string): string;
}

/**
 * Makes electron-builder create a Debian package of an app that is packaged already.
 *
 * @param app absolute path of its folder
 * @param work absolute path of an empty folder for this
 */
export function makeLinuxPackage(app: string, work: string): LinuxPackage {
  const programs = path.join(work, 'programs');
  const root = path.join(work, 'root');
  mkdirSync(programs, { recursive: true });
  mkdirSync(root);
  writeFileSync(path.join(programs, 'fpm'), FPM, { mode: 0o755 });
  const builder = fileURLToPath(import.meta.resolve('electron-builder/cli.js'));
  execFileSync(
    process.execPath,
    [
      builder,
      '--config',
      'build/electron-builder.yml',
      '--publish',
      'never',
      '--linux',
      'deb',
      '--prepackaged',
      app,
      `-c.directories.output=${work}`,
    ],
    {
      cwd: REPOSITORY,
      stdio: ['ignore', 'ignore', 'inherit'],
      env: {
        ...process.env,
        USE_SYSTEM_FPM: 'true',
        PACKAGE_ROOT: root,
        PATH: `${programs}${path.delimiter}${process.env.PATH}`,
      },
    },
  );
  return {
    options: readFileSync(path.join(root, 'options'), 'utf8').split('\n'),
    has: (file) => existsSync(path.join(root, file)),
    list: (folder) => readdirSync(path.join(root, folder)),
    text: (file) => readFileSync(path.join(root, file), 'utf8'),
  };
}
