import { z } from 'zod';
import { filled, SENTENCES, type SentenceName } from './sentences.ts';

/** A sentence by its name, and what stands in its gaps. A newer Spool may know names we do not. */
export const saidSchema = z.object({
  sentence: z.string().max(100),
  values: z.record(z.string(), z.union([z.string(), z.number()])),
});

export type Said = z.infer<typeof saidSchema>;

/** Something told to a person: in English, and as sentences that a page says in its language. */
export const toldSchema = z.object({
  message: z.string(),
  /** The sentences that `message` is made of; left out where no language but English has them. */
  says: z.array(saidSchema).optional(),
});

export type Told = z.infer<typeof toldSchema>;

/** The gaps of a template, by name; their kind is left out. */
type GapsOf<Template extends string> = Template extends `${string}{${infer Gap}}${infer Rest}`
  ? (Gap extends `${infer Name}:${string}` ? Name : Gap) | GapsOf<Rest>
  : never;

type ValuesOf<Name extends SentenceName> = Readonly<
  Record<GapsOf<(typeof SENTENCES)[Name]>, string | number>
>;

/** Says a sentence. It takes a value for each of its gaps, and no others. */
export function tell<Name extends SentenceName>(
  sentence: Name,
  ...[values]: [GapsOf<(typeof SENTENCES)[Name]>] extends [never] ? [] : [ValuesOf<Name>]
): Told {
  const given: Said['values'] = { ...values };
  return {
    message: filled(SENTENCES[sentence], given, englishSize),
    says: [{ sentence, values: given }],
  };
}

/** One thing after another. Where one of them is English alone, all of it is. */
export function tellAll(...parts: readonly Told[]): Told {
  const message = parts.map((part) => part.message).join(' ');
  const says = parts.flatMap((part) => part.says ?? []);
  return parts.every((part) => part.says !== undefined) ? { message, says } : { message };
}

/** The part of a failure that says what happened. */
export function toldBy({ message, says }: Told): Told {
  return says === undefined ? { message } : { message, says };
}

/** Such as “1.2 GB”. Rounded up: less room than this is not enough. */
function englishSize(bytes: number): string {
  const [unit, size] = bytes >= 1e9 ? (['GB', 1e9] as const) : (['MB', 1e6] as const);
  return `${(Math.ceil((bytes / size) * 10) / 10).toFixed(1)} ${unit}`;
}
