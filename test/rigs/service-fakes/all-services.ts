import { creatomate } from './creatomate.ts';
import { fal } from './fal.ts';
import { heygen } from './heygen.ts';
import { json2video } from './json2video.ts';
import { luma } from './luma.ts';
import { replicate } from './replicate.ts';
import { runway } from './runway.ts';
import type { ServiceFacts } from './service-facts.ts';
import { shotstackSandbox } from './shotstack-sandbox.ts';
import { shotstack } from './shotstack.ts';

/** Every service with a built-in profile (`src/engine/profiles/services`). */
export const allServices: readonly ServiceFacts[] = [
  runway,
  luma,
  creatomate,
  shotstack,
  shotstackSandbox,
  json2video,
  heygen,
  replicate,
  fal,
];
