/** Opens clips and sounds. Their bytes are hostile: only a process that renders may do this. */
import { AudioData, AudioDecoder, EncodedAudioChunk } from '@napi-rs/webcodecs';
import {
  ADTS,
  FilePathSource,
  Input,
  type InputAudioTrack,
  type InputVideoTrack,
  MATROSKA,
  MP3,
  MP4,
  OGG,
  QTFF,
  WAVE,
  WEBM,
} from 'mediabunny';
import { MediaUnreadableError } from './media-error.ts';

// The reader of containers expects a browser's decoders.
Object.assign(globalThis, { AudioData, AudioDecoder, EncodedAudioChunk });

/** An open file. Disposing of it closes the file. */
export interface OpenMedia extends Disposable {
  readonly pictures: InputVideoTrack | null;
  readonly sound: InputAudioTrack | null;
}

/** @throws {MediaUnreadableError} for anything but a complete file of a known container */
export async function openMedia(file: string): Promise<OpenMedia> {
  const input = new Input({
    source: new FilePathSource(file),
    formats: [MP4, QTFF, WEBM, MATROSKA, MP3, WAVE, OGG, ADTS],
  });
  try {
    const pictures = await input.getPrimaryVideoTrack();
    const sound = await soundOf(input);
    if (pictures === null && sound === null) {
      throw new MediaUnreadableError('is incomplete, or contains neither pictures nor sound');
    }
    return { pictures, sound, [Symbol.dispose]: () => input[Symbol.dispose]() };
  } catch (error) {
    input[Symbol.dispose]();
    if (error instanceof MediaUnreadableError) throw error;
    throw new MediaUnreadableError('is damaged, or of a format that cannot be read', error);
  }
}

/** Phones record a second track that only some players know. */
async function soundOf(input: Input): Promise<InputAudioTrack | null> {
  const primary = await input.getPrimaryAudioTrack();
  if (primary === null || (await primary.canDecode())) return primary;
  for (const track of await input.getAudioTracks()) if (await track.canDecode()) return track;
  return primary;
}
