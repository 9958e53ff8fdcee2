import { english, german } from '../../contract/format-in.ts';
import { englishRows, englishVideos, germanRows, germanVideos } from '../../contract/counted.ts';

/** When a checked batch will be saved, and what it costs. */
export const addForecastTexts = {
  costs: {
    en: (count: number) =>
      count === 1 ? 'Uses 1 video of your quota' : english`Uses ${count} videos of your quota`,
    de: (count: number) => german`Kostet ${count} von Ihrem Kontingent`,
  },
  costsNothing: { en: 'Uses no quota', de: 'Kostet nichts' },
  rejected: {
    en: 'The service would reject this request',
    de: 'Der Dienst würde diese Anfrage ablehnen',
  },
  renders: {
    en: (count: number) => (count === 0 ? 'Renders nothing' : `Renders ${englishVideos(count)}`),
    de: (count: number) => (count === 0 ? 'Rendert nichts' : `Rendert ${germanVideos(count)}`),
  },
  /** Of a table whose rows make several videos each. */
  ofRows: {
    en: (rows: number, videos: number) => `${englishRows(rows)}, ${englishVideos(videos)}`,
    de: (rows: number, videos: number) => `${germanRows(rows)}, ${germanVideos(videos)}`,
  },
  left: {
    month: {
      en: (left: string) => `${left} left this month`,
      de: (left: string) => `${left} in diesem Monat übrig`,
    },
    day: {
      en: (left: string) => `${left} left today`,
      de: (left: string) => `${left} heute übrig`,
    },
  },
  estimate: {
    en: (amount: string, count: number) => `About ${amount} for ${englishVideos(count)} (estimate)`,
    de: (amount: string, count: number) => `Etwa ${amount} für ${germanVideos(count)} (geschätzt)`,
  },
  costUnknown: {
    en: (count: number) => `Renders ${englishVideos(count)}; see the service’s price list`,
    de: (count: number) => `Rendert ${germanVideos(count)}; den Preis nennt der Dienst`,
  },
  costMissing: {
    en: (count: number) => `The cost of ${englishVideos(count)} is not known`,
    de: (count: number) => `Die Kosten für ${germanVideos(count)} sind nicht bekannt`,
  },
  balance: {
    en: (amount: string) => `Your balance was ${amount}`,
    de: (amount: string) => `Ihr Guthaben betrug ${amount}`,
  },
  overBalance: {
    en: (amount: string) => `More than your balance, which was ${amount}`,
    de: (amount: string) => `Mehr als Ihr Guthaben, das ${amount} betrug`,
  },
  balanceRead: { en: (when: string) => `(${when})`, de: (when: string) => `(${when})` },

  /** On this computer, which costs nothing. */
  videos: { en: englishVideos, de: germanVideos },
  done: { en: (when: string) => `done ${when}`, de: (when: string) => `fertig ${when}` },
  last: {
    en: (when: string) => `the last one ${when}`,
    de: (when: string) => `das letzte ${when}`,
  },

  /** @param service its name; `null` for this computer */
  to: {
    en: (service: string | null) =>
      service === null ? 'rendered on this computer' : `sent to ${service}`,
    de: (service: string | null) =>
      service === null ? 'auf diesem Computer gerendert' : `gesendet an ${service}`,
  },
  today: {
    en: (count: number) => english`${count} today`,
    de: (count: number) => german`${count} heute`,
  },
  later: {
    en: (count: number) => english`${count} later`,
    de: (count: number) => german`${count} später`,
  },
  afterReset: {
    en: (count: number, reset: string) => english`${count} after ${reset}`,
    de: (count: number, reset: string) => german`${count} nach dem ${reset}`,
  },
  skipped: {
    en: (count: number) => english`${count} skipped or already there`,
    de: (count: number) => german`${count} übersprungen oder schon da`,
  },
  inOtherBatches: {
    en: (count: number) => english`${count} in other batches, not added`,
    de: (count: number) => german`${count} in anderen Stapeln, nicht hinzugefügt`,
  },
  again: {
    en: (count: number) => english`${count} downloaded again, free`,
    de: (count: number) => german`${count} kostenlos erneut heruntergeladen`,
  },
  /** Of a single video that exists already. */
  changeToRender: {
    en: 'Change a field to render another one',
    de: 'Ändern Sie ein Feld, um ein weiteres zu rendern',
  },
  working: { en: 'Calculating…', de: 'Wird berechnet …' },
};
