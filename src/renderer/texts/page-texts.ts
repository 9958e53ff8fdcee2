import { newsInEnglish, newsInGerman } from '../../contract/news-words.ts';
import { actionTexts } from './actions.ts';
import { connectionTexts } from './connection.ts';
import { detailTexts } from './details.ts';
import { failureTexts } from './failures.ts';
import { frameTexts } from './frame.ts';
import { jobTexts } from './jobs.ts';
import { limitTexts } from './limits.ts';
import { queueTexts } from './queue.ts';
import { savedTexts } from './saved.ts';

/**
 * The texts that the page shows first, and around every view. `view-texts.ts` has the texts of the
 * views, which the page loads later.
 *
 * German addresses the user as „Sie“. Each thing has one word, in all catalogues and in the system's
 * menus:
 *
 * - batch: Stapel · queue: Warteschlange · timeline: Zeitplan · row: Zeile · request: Anfrage
 * - held: zurückgestellt · paused: pausiert · cancel: abbrechen · abandon: aufgeben
 * - render: rendern · download: herunterladen · save (a setting): speichern
 * - uncertain: ungewiss · failed: fehlgeschlagen · refused: abgelehnt · reserved: reserviert
 * - limit: Limit · quota: Kontingent · plan: Tarif · key: Schlüssel · keychain: Schlüsselbund
 * - computer: Computer · disk: Laufwerk · state: Status · identifier: Kennung · update: Update
 */
export const pageTexts = {
  locale: { en: 'en-GB', de: 'de-DE' },
  language: { en: 'en', de: 'de' },
  news: { en: newsInEnglish, de: newsInGerman },
  ...frameTexts,
  ...queueTexts,
  ...detailTexts,
  ...connectionTexts,
  ...jobTexts,
  ...actionTexts,
  failures: failureTexts,
  saved: savedTexts,
  limits: limitTexts,
};
