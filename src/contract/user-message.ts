import { filled } from './fill-template.ts';
import type { MessagePart, UserMessage } from './message-schema.ts';
import { MESSAGES, type MessageName } from './messages.ts';
import { sizesIn } from './sizes.ts';

export type { UserMessage } from './message-schema.ts';

/** The placeholders of a template, by name, without their kind. */
type GapsOf<Template extends string> = Template extends `${string}{${infer Gap}}${infer Rest}`
  ? (Gap extends `${infer Name}:${string}` ? Name : Gap) | GapsOf<Rest>
  : never;

type ValuesOf<Name extends MessageName> = Readonly<
  Record<GapsOf<(typeof MESSAGES)[Name]['en']>, string | number>
>;

/** Makes a message. It requires a value for each placeholder, and accepts no others. */
export function userMessage<Name extends MessageName>(
  sentence: Name,
  ...[values]: [GapsOf<(typeof MESSAGES)[Name]['en']>] extends [never] ? [] : [ValuesOf<Name>]
): UserMessage {
  const given: MessagePart['values'] = { ...values };
  return {
    message: filled(MESSAGES[sentence].en, given, sizesIn('en-GB')),
    says: [{ sentence, values: given }],
  };
}

/** One message after another. */
export function joinMessages(...parts: readonly UserMessage[]): UserMessage {
  return {
    message: parts.map((part) => part.message).join(' '),
    says: parts.flatMap((part) => part.says),
  };
}

/** The message of a failure. */
export function messageOf({ message, says }: UserMessage): UserMessage {
  return { message, says };
}

/** The message of a schema's own check: the last argument of `refine`, or a custom issue. */
export function issueOf(message: UserMessage): {
  readonly error: string;
  readonly params: UserMessage;
} {
  return { error: message.message, params: messageOf(message) };
}
