import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { soundFormatOf } from '../../../../src/local-service/rendering/media/sound-format.ts';

function encoded(...args: string[]): Buffer {
  const source = ['-f', 'lavfi', '-i', 'sine=d=1'];
  return execFileSync('ffmpeg', ['-v', 'error', ...source, ...args, 'pipe:1'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

describe('the format of a sound', () => {
  it.each([
    ['mp3', ['-f', 'mp3']],
    ['mp3', ['-f', 'mp3', '-id3v2_version', '0', '-write_xing', '0']],
    ['aac', ['-f', 'adts']],
    ['mp4', ['-f', 'mp4', '-movflags', 'frag_keyframe+empty_moov']],
    ['wav', ['-f', 'wav']],
    ['ogg', ['-f', 'ogg', '-c:a', 'libopus']],
    ['webm', ['-f', 'webm', '-c:a', 'libopus']],
  ])('%s is read from its first bytes: %j', (format, args) => {
    expect(soundFormatOf(encoded(...args))).toBe(format);
  });

  it.each([
    '',
    'RIFF\0\0\0\0WEBPVP8 ',
    '\0\0\0\x20ftypavif',
    '\0\0\0\x20ftypheic',
    '\xff\xd8\xff\xe0',
    '<svg>',
  ])('is unknown of anything else: %j', (text) => {
    expect(soundFormatOf(Buffer.from(text, 'latin1'))).toBeUndefined();
  });
});
