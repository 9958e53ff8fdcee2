import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  CAPTION_DEFECTS,
  FONT_DEFECTS,
  LIMIT_DEFECTS,
  MEDIA_DEFECTS,
  PICTURE_DEFECTS,
  SOUND_DEFECTS,
  TIMING_DEFECTS,
} from '../../../rigs/golden/defects.ts';

const RENDERING = path.resolve(import.meta.dirname, '../../../../src/local-service/rendering');

// `npm run golden:defects` makes each of these changes, and would make none after a rename.
describe('the defects that golden tests must notice', () => {
  it.each([
    ...PICTURE_DEFECTS,
    ...SOUND_DEFECTS,
    ...TIMING_DEFECTS,
    ...MEDIA_DEFECTS,
    ...CAPTION_DEFECTS,
    ...FONT_DEFECTS,
    ...LIMIT_DEFECTS,
  ])('replace text that occurs exactly once in its file: $name', ({ file, find }) => {
    const text = readFileSync(path.join(RENDERING, file), 'utf8');
    expect(text.split(find)).toHaveLength(2);
  });
});
