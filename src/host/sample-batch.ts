import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { BatchSource } from '../contract/batch.ts';

/** The source and the build are both one folder below the repository. */
const SAMPLE_FILE = path.join(import.meta.dirname, '..', '..', 'examples', 'launch-week.csv');

/** A few short sample videos; `null` where the examples are not installed. */
export async function sampleBatch(): Promise<BatchSource | null> {
  try {
    return { name: path.basename(SAMPLE_FILE), content: await readFile(SAMPLE_FILE, 'utf8') };
  } catch {
    return null;
  }
}
