import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';

const packageSchema = z.object({ version: z.string() });

/** The version of this Spool, from its package.json. */
export function spoolVersion(): string {
  const file = path.join(import.meta.dirname, '..', '..', 'package.json');
  return packageSchema.parse(JSON.parse(readFileSync(file, 'utf8'))).version;
}
