/**
 * Where videos are rendered, in the folder of finished ones: `videos` may be a symbolic link to
 * another disk, and a file is stored by a rename. No blob has such a name.
 */
export const WORK_FOLDER = '.rendering';
