/** Numbers of things in sentences. */
import { english, german } from './format-in.ts';

export const englishVideos = (count: number): string =>
  count === 1 ? '1 video' : english`${count} videos`;
export const germanVideos = (count: number): string =>
  count === 1 ? '1 Video' : german`${count} Videos`;
export const englishRows = (count: number): string =>
  count === 1 ? '1 row' : english`${count} rows`;
export const germanRows = (count: number): string =>
  count === 1 ? '1 Zeile' : german`${count} Zeilen`;
export const englishFiles = (count: number): string =>
  count === 1 ? '1 file' : english`${count} files`;
export const germanFiles = (count: number): string =>
  count === 1 ? '1 Datei' : german`${count} Dateien`;
