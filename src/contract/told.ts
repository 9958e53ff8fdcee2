import type { Said, Told } from './said.ts';
import { filled, SENTENCES, type SentenceName } from './sentences.ts';

export type { Told } from './said.ts';

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
