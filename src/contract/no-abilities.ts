import type { Abilities } from './computer.ts';

/** What a computer can do of which nothing is known: nothing. Apart from schemas, for the page. */
export const NO_ABILITIES: Abilities = {
  open: false,
  show: false,
  chooseFolder: false,
  dragOut: false,
  notify: false,
  update: false,
};
