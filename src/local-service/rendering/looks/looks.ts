import { GALLERY } from './gallery.ts';
import { LESSON } from './lesson.ts';
import type { Look } from './look.ts';
import type { LookName } from './look-names.ts';
import { MARKET } from './market.ts';
import { PICTURE } from './picture.ts';
import { STAGE } from './stage.ts';
import { VOICE } from './voice.ts';

/** Every look by its name. */
export const LOOKS: Readonly<Record<LookName, Look>> = {
  picture: PICTURE,
  market: MARKET,
  lesson: LESSON,
  stage: STAGE,
  voice: VOICE,
  gallery: GALLERY,
};
