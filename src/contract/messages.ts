import { jobMessages } from './messages/jobs.ts';
import { commandMessages } from './messages/commands.ts';
import { downloadMessages } from './messages/downloads.ts';
import { serviceMessages } from './messages/service.ts';
import { pictureMessages } from './messages/pictures.ts';
import { brandMessages } from './messages/brands.ts';
import { captionMessages } from './messages/captions.ts';
import { fontMessages } from './messages/fonts.ts';
import { intakeMessages } from './messages/intake.ts';
import { processMessages } from './messages/processes.ts';
import { keyMessages } from './messages/keys.ts';
import { valueMessages } from './messages/values.ts';
import { settingMessages } from './messages/settings.ts';
import { pageMessages } from './messages/pages.ts';

/**
 * Every message of engine and host to the user, in all languages, by a name that never changes once
 * released. The command line and logs show the English text. Placeholders are in braces; one that
 * ends in `:bytes` contains a number of bytes.
 *
 * Names must outlive their texts: databases store names with the values of their placeholders.
 */
export const MESSAGES = {
  ...jobMessages,
  ...downloadMessages,
  ...commandMessages,
  ...serviceMessages,
  ...intakeMessages,
  ...pictureMessages,
  ...captionMessages,
  ...brandMessages,
  ...fontMessages,
  ...processMessages,
  ...keyMessages,
  ...valueMessages,
  ...settingMessages,
  ...pageMessages,
} as const;

export type MessageName = keyof typeof MESSAGES;
