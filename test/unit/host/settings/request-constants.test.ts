import { expect, test } from 'vitest';
import { builtInProfile } from '../../../../src/engine/profiles/services.ts';
import { requestConstants } from '../../../../src/host/settings/request-constants.ts';

test('constants of objects that replace each other are at one place', () => {
  expect(requestConstants(builtInProfile('heygen'))).toEqual([
    'background.type: "color"',
    'background.type: "image"',
    'output_format: "mp4"',
    'type: "avatar"',
  ]);
});
