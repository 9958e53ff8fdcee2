import type { Abilities } from './computer.ts';

/** The abilities of an unknown computer: none. Without schemas, for the page. */
export const NO_ABILITIES: Abilities = {
  open: false,
  show: false,
  chooseFolder: false,
  chooseFile: false,
  dragOut: false,
  notify: false,
  update: false,
  takeFiles: false,
  trash: false,
};
