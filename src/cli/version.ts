import { readFileSync } from 'node:fs';
import path from 'node:path';

/** This Spool's version, and what it runs on: `0.1.0 (Node 24.11.0, linux x64)`. */
export function spoolVersion(): string {
  const { platform, arch, versions } = process;
  const electron = versions.electron === undefined ? '' : `Electron ${versions.electron}, `;
  return `${packageVersion()} (${electron}Node ${versions.node}, ${platform} ${arch})`;
}

/** The version of this Spool, from its package.json. */
export function packageVersion(): string {
  const file = path.join(import.meta.dirname, '..', '..', 'package.json');
  const { version } = JSON.parse(readFileSync(file, 'utf8')) as { readonly version: string };
  return version;
}
