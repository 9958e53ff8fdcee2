/** Reads the preload script's message about files that the user dropped or chose. */
import path from 'node:path';
import { z } from 'zod';
import { parseForeignJson } from '../contract/json-text.ts';
import { safeParse } from '../contract/safe-parse.ts';

/** More files than a user drops at a time, with as many characters as a path may have. */
const droppedSchema = z.array(z.string().min(1).max(4096)).max(10_000);

/** Absolute paths; empty for any other message. */
export function droppedPaths(message: unknown): readonly string[] {
  if (typeof message !== 'string') return [];
  const paths = safeParse(droppedSchema, parseForeignJson(message));
  return paths.success ? paths.data.filter((file) => path.isAbsolute(file)) : [];
}
