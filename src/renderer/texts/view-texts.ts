import { activityTexts } from './activity.ts';
import { addTexts } from './add.ts';
import { profileTexts } from './profile.ts';
import { serviceTexts } from './services.ts';
import { settingsTexts } from './settings.ts';
import { welcomeTexts } from './welcome.ts';

/** The texts of the views. The page shows its first content without them. */
export const viewTexts = {
  welcome: welcomeTexts,
  activity: activityTexts,
  add: addTexts,
  settings: settingsTexts,
  profile: profileTexts,
  services: serviceTexts,
};
