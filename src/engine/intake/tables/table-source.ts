/** The files of a batch as the reader of tables gets them: their bytes, or a pasted text. */
import type { BatchFile, BatchSource } from '../../../contract/batch.ts';
import type { ReadingChoices } from '../../../contract/table-reading.ts';

export interface TableFile {
  readonly name: string;
  readonly content: string | Uint8Array;
  /** Where it is, if that is known: files of several folders may have one name. */
  readonly folder?: string | undefined;
  /** What the user chose about reading this file. */
  readonly reading?: ReadingChoices | undefined;
}

export interface TableSource extends TableFile {
  /** Files whose rows follow, in order. */
  readonly further?: readonly TableFile[] | undefined;
}

/** Loads the bytes of every file into memory. */
export async function loadSource({ further, ...first }: BatchSource): Promise<TableSource> {
  const [loaded, others] = await Promise.all([
    loadFile(first),
    Promise.all((further ?? []).map(loadFile)),
  ]);
  return { ...loaded, further: others };
}

async function loadFile({ name, content, folder, reading }: BatchFile): Promise<TableFile> {
  if (typeof content === 'string') return { name, content, folder, reading };
  return { name, content: new Uint8Array(await content.arrayBuffer()), folder, reading };
}
