/** Fields of a request body, with an error message for each, as the end of a sentence. */
import { z } from 'zod';
import { headerOfDataUrl, imageIssue } from './image-limits.ts';

export function words(limit: number) {
  return z
    .string('must be text')
    .trim()
    .min(1, 'must not be empty')
    .max(limit, `must be at most ${limit} characters long`);
}

export function oneOf<const T extends readonly (string | number)[]>(choices: T) {
  return z.literal(choices, `must be one of ${choices.join(', ')}`);
}

export function only<T extends z.core.$ZodLooseShape>(shape: T) {
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? `has no field called ${issue.keys.map((key) => `"${key}"`).join(', ')}`
        : 'must be an object',
  });
}

export const colour = z
  .string('must be a colour such as #ffb020')
  .regex(/^#[0-9a-fA-F]{6}$/, 'must be a colour such as #ffb020');

export const number = (low: number, high: number) =>
  z
    .number(`must be a number from ${low} to ${high}`)
    .min(low, `must be at least ${low}`)
    .max(high, `must be at most ${high}`);

export const wholeNumber = (low: number, high: number) =>
  number(low, high).int(`must be a whole number from ${low} to ${high}`);

const DATA_URL = /^data:image\/(?:png|jpeg|webp);base64,[A-Za-z0-9+/]+={0,2}$/;
const IMAGE_ID = /^[A-Za-z0-9_-]{1,64}$/;

/** A PNG, JPEG or WebP as a data URL, or the id of an uploaded image. */
export const imageSchema = z
  .string('must be a data URL or an image id')
  .refine(
    (value) => DATA_URL.test(value) || IMAGE_ID.test(value),
    'must be a PNG, JPEG or WebP as a base64 data URL, or the id of an uploaded image',
  )
  .superRefine((value, context) => {
    if (!DATA_URL.test(value)) return;
    const message = imageIssue(headerOfDataUrl(value));
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  });
