/**
 * The folder for rendering, inside the folder of finished videos: `videos` may be a symbolic link
 * to another disk, and storing a file is then still a rename. No blob key can have this name.
 */
export const WORK_FOLDER = '.rendering';
