/** What a user chooses about a batch. No schema library is imported, so that a command starts quickly. */

/** What to do when a video's file name is taken by another file. */
export const COLLISIONS = ['number', 'skip', 'replace'] as const;

/**
 * What to do with rows whose request equals an earlier job's, or an earlier row's of the file.
 * `reuse` downloads what was rendered, leaves alone what a batch already contains and renders the
 * rest, of equal rows of the file one; `render` renders them all again, except those that wait or are
 * rendered in this batch; `skip` adds none of them.
 */
export const DUPLICATES = ['reuse', 'render', 'skip'] as const;

/** A row's number in the batch, as the name of a property. */
export const ROW_KEY = /^[1-9]\d{0,8}$/;
