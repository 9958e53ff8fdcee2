import { inLanguage } from '../../contract/in-language.ts';
import { MESSAGES } from '../../contract/messages.ts';
import type { ViewTexts } from './en-views.ts';
import type { Texts } from './en.ts';
import { pageMessages } from './page-messages.ts';
import { pageTexts } from './page-texts.ts';
import { viewTexts } from './view-texts.ts';

/** All German texts: one script, loaded when German is selected. */
export const de: Texts = {
  ...inLanguage(pageTexts, 'de'),
  sentences: { ...inLanguage(MESSAGES, 'de'), ...inLanguage(pageMessages, 'de') },
};

export const deViews: ViewTexts = inLanguage(viewTexts, 'de');
