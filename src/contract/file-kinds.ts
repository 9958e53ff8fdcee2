/** The kinds of files that a cell can name, and the extensions that they usually have. */

export const FILE_KINDS = ['picture', 'clip', 'sound', 'captions', 'font'] as const;

export type FileKind = (typeof FILE_KINDS)[number];

/** For the system's dialog, which shows other files only when asked. What a file is, its content says. */
export const FILE_EXTENSIONS: Readonly<Record<FileKind, readonly string[]>> = {
  picture: ['png', 'jpg', 'jpeg', 'webp', 'avif', 'svg'],
  clip: ['mp4', 'm4v', 'mov', 'webm'],
  sound: ['mp3', 'm4a', 'aac', 'wav', 'ogg', 'opus', 'webm', 'mp4'],
  captions: ['srt', 'vtt'],
  font: ['ttf', 'otf', 'woff2'],
};
