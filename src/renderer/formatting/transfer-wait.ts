import type { TransferWait } from '../../contract/job.ts';
import type { Texts } from '../texts/en.ts';
import type { Sizes } from './sizes.ts';

/** Why a finished video is not being fetched, for a column (`short`) and as a sentence. */
export interface WaitWords {
  readonly short: (when: string | null) => string;
  readonly sentence: (when: string | null) => string;
}

/** The words take the moment of {@link TransferWait.until}, written out, where there is one. */
export function waitWords(
  { reason, missingBytes }: TransferWait,
  texts: Texts,
  sizes: Pick<Sizes, 'bytes'>,
): WaitWords {
  const words = texts.transferWaits;
  switch (reason) {
    case 'paused':
      return words.paused;
    case 'disk-full': {
      const room = missingBytes === null ? null : sizes.bytes(missingBytes);
      return { short: () => words.room.short(room), sentence: () => words.room.sentence(room) };
    }
    case 'folder-unusable':
      return words.folder;
    case 'link-limit':
      return words.links;
    case 'server-busy':
    case 'unreachable':
      return words.server;
  }
}
