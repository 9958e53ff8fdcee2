import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { temporaryFolder } from './temporary-folder.ts';

/** Encodes one second of a plain colour that a browser can play. Returns the file's path. */
export function encodeVideo(width: number, height: number): string {
  const file = path.join(temporaryFolder(), 'video.webm');
  const source = `color=c=orange:s=${width}x${height}:d=1:r=5`;
  const options = ['-loglevel', 'error', '-f', 'lavfi', '-i', source, '-c:v', 'libvpx'];
  execFileSync('ffmpeg', [...options, file]);
  return file;
}
