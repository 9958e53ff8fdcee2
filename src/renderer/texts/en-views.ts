import { MESSAGES, type MessageName } from '../../contract/messages.ts';
import { enActivity } from './en-activity.ts';
import { enAdd } from './en-add.ts';
import { enProfile } from './en-profile.ts';
import { enServices } from './en-services.ts';
import { enSettings } from './en-settings.ts';
import { enWelcome } from './en-welcome.ts';
import { messagesOfPage } from './en.ts';

/** Texts of the views in English. The page shows its first content without them. */
export const enViews = {
  welcome: enWelcome,
  activity: enActivity,
  add: enAdd,
  settings: enSettings,
  profile: enProfile,
  services: enServices,
};

/** The texts of the views in any language. A language with a missing text does not compile. */
export type ViewTexts = typeof enViews;

/** Every message of engine and host, with those that the page words differently. */
export const enSentences: Readonly<Record<MessageName, string>> = {
  ...MESSAGES,
  ...messagesOfPage,
};
