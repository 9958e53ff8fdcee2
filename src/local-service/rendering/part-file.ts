import { open, rename } from 'node:fs/promises';

/** The name under which a file is written until it is complete. */
export function partOf(path: string): string {
  return `${path}.part`;
}

/**
 * Gives a written part file its name, after its bytes have reached the disk: `path` never holds
 * half a file, even if the machine loses power. Returns its size in bytes.
 */
export async function completePart(path: string): Promise<number> {
  const part = partOf(path);
  const file = await open(part, 'r+');
  try {
    await file.sync();
    const { size } = await file.stat();
    await rename(part, path);
    return size;
  } finally {
    await file.close();
  }
}
