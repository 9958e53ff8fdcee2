/**
 * A file that is being fetched lies beside its target as `<target>.part`, with what is known of
 * it in `<target>.part.json`. The record is beside the file, and not in the database, so that a
 * part can be resumed by any host that finds it, and so that both are lost or kept together. It
 * never holds the link.
 */
export const PART_SUFFIX = '.part';
export const RECORD_SUFFIX = '.part.json';
/** A record while it is being written. */
export const UNFINISHED_SUFFIX = '.part.json.new';

/** Bytes that a part adds to a file name; names are cut to leave room for it. */
export const MAX_SUFFIX_BYTES = UNFINISHED_SUFFIX.length;
