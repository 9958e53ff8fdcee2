import { MESSAGES, type MessageName } from '../../contract/messages.ts';
import { enActivity } from './en-activity.ts';
import { enAdd } from './en-add.ts';
import { enProfile } from './en-profile.ts';
import { enServices } from './en-services.ts';
import { enSettings } from './en-settings.ts';
import { enWelcome } from './en-welcome.ts';
import { messagesOfPage } from './en.ts';

/** What only views say, in English. Nothing that the page shows first may need it. */
export const enViews = {
  welcome: enWelcome,
  activity: enActivity,
  add: enAdd,
  settings: enSettings,
  profile: enProfile,
  services: enServices,
};

/** What views of a language say. A language that leaves something out does not compile. */
export type ViewTexts = typeof enViews;

/** Every message of engine and host, with this page's formats of numbers. */
export const enSentences: Readonly<Record<MessageName, string>> = {
  ...MESSAGES,
  ...messagesOfPage,
};
