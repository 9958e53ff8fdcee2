/** The longest entered texts that calls accept, in characters. */
export const MAX_NAME_TEMPLATE = 500;
export const MAX_SEARCH = 200;
export const MAX_REMOTE_ID = 200;
export const MAX_CELL_TEXT = 100_000;
