import { endSentence } from '../../contract/end-sentence.ts';
import { english, german } from '../../contract/format-in.ts';

/** Texts about limits, the quota and the key. */
export const limitTexts = {
  generate: { en: 'New videos', de: 'Neue Videos' },
  status: { en: 'Status checks', de: 'Statusabfragen' },
  download: { en: 'Downloads', de: 'Downloads' },
  renders: { en: 'Rendering', de: 'Rendern' },
  atATime: {
    en: (underWay: number, limit: number) => english`${underWay} of ${limit} at a time`,
    de: (underWay: number, limit: number) => german`${underWay} von ${limit} gleichzeitig`,
  },
  slotFree: { en: 'Another one can be sent now', de: 'Ein weiteres kann gesendet werden' },
  slotTaken: {
    en: 'The next one is sent when one of them ends',
    de: 'Das nächste wird gesendet, sobald eines davon fertig ist',
  },
  quota: {
    month: { en: 'Videos this month', de: 'Videos im Monat' },
    day: { en: 'Videos today', de: 'Videos am Tag' },
  },
  left: {
    en: (remaining: number, limit: number) => english`${remaining} of ${limit} left`,
    de: (remaining: number, limit: number) => german`${remaining} von ${limit} übrig`,
  },
  inTime: { en: (left: string) => `in ${left}`, de: (left: string) => `in ${left}` },
  resets: { en: (when: string) => `Resets ${when}`, de: (when: string) => `Wieder frei ${when}` },
  used: {
    en: (used: number, limit: number) => english`${used} of ${limit} used`,
    de: (used: number, limit: number) => german`${used} von ${limit} verbraucht`,
  },

  /** In place of limits, where only the computer limits what is rendered. */
  here: { en: 'This computer', de: 'Dieser Computer' },
  idle: { en: 'ready', de: 'bereit' },
  rendering: {
    en: (count: string) => `rendering ${count}`,
    de: (count: string) => `rendert ${count}`,
  },
  aVideo: {
    en: (length: string) => `about ${length} a video`,
    de: (length: string) => `ca. ${length} pro Video`,
  },
  noLimit: { en: 'no limit', de: 'ohne Limit' },
  lessPower: {
    'on-battery': { en: 'less power on battery', de: 'spart Energie im Akkubetrieb' },
    always: { en: 'less power', de: 'spart Energie' },
  },
  practice: {
    en: (plan: string) => `Practice account · ${plan}`,
    de: (plan: string) => `Übungskonto · ${plan}`,
  },
  quotaSentence: {
    en: (plan: string) => `Videos this month on the ${plan} plan`,
    de: (plan: string) => `Videos in diesem Monat, Tarif ${plan}`,
  },
  capSentence: {
    month: {
      en: 'Videos this month, by the service profile',
      de: 'Videos in diesem Monat, laut Dienstprofil',
    },
    day: { en: 'Videos today, by the service profile', de: 'Videos heute, laut Dienstprofil' },
  },
  usedLabel: { en: 'Used', de: 'Verbraucht' },
  heldLabel: { en: 'Reserved', de: 'Reserviert' },
  leftLabel: { en: 'Left', de: 'Übrig' },
  resetLabel: { en: 'Resets', de: 'Erneuerung' },
  estimateReason: {
    en: 'Counted here. The web studio shares this quota, so the service may have counted more.',
    de: 'Hier gezählt. Das Web-Studio nutzt dasselbe Kontingent; der Dienst hat vielleicht mehr gezählt.',
  },
  capReason: {
    en: 'Counted here. What else uses the account is not, so the service may count more.',
    de: 'Hier gezählt. Was das Konto sonst verbraucht, zählt nicht mit; der Dienst hat vielleicht mehr gezählt.',
  },
  refused: { en: 'The service says it is used up', de: 'Laut Dienst verbraucht' },
  triedDaily: { en: 'Spool tries again every day.', de: 'Spool versucht es täglich erneut.' },
  perHour: { en: 'an hour', de: 'pro Stunde' },
  perMinute: { en: 'a minute', de: 'pro Minute' },
  per: { en: (seconds: number) => `in ${seconds} s`, de: (seconds: number) => `in ${seconds} s` },
  explain: {
    generate: {
      en: 'Requests for new videos. Rows wait in the queue until the service takes another one.',
      de: 'Anfragen für neue Videos. Zeilen warten in der Warteschlange, bis der Dienst die nächste annimmt.',
    },
    status: {
      en: 'Requests for a video’s progress. Twelve a minute are reserved for your own actions.',
      de: 'Abfragen, wie weit ein Video ist. Zwölf pro Minute sind für Ihre eigenen Aktionen reserviert.',
    },
    download: {
      en: 'Requests for the download links of finished videos.',
      de: 'Anfragen für die Links, über die fertige Videos heruntergeladen werden.',
    },
    renders: {
      en: 'Videos that the service renders for you at the same time.',
      de: 'Videos, die der Dienst gleichzeitig für Sie rendert.',
    },
  },

  /** Others who use the same account. */
  others: {
    en: (perHour: number) =>
      english`Others use about ${perHour} an hour. Times shown allow for that.`,
    de: (perHour: number) =>
      german`Andere nutzen etwa ${perHour} pro Stunde. Die angezeigten Zeiten berücksichtigen das.`,
  },
  nextAt: { en: (when: string) => `Next one ${when}`, de: (when: string) => `Die nächste ${when}` },
  nextNow: { en: 'Ready to send', de: 'Sendebereit' },
  key: { en: 'API key', de: 'API-Schlüssel' },
  keyStates: {
    absent: { en: 'No key yet', de: 'Noch keiner' },
    untested: { en: 'Not tested yet', de: 'Noch nicht geprüft' },
    accepted: { en: 'Works', de: 'Gültig' },
    refused: { en: 'Refused by the service', de: 'Vom Dienst abgelehnt' },
  },
  keptIn: {
    keychain: { en: 'the system’s keychain', de: 'im Schlüsselbund des Systems' },
    memory: { en: 'memory, until Spool closes', de: 'im Arbeitsspeicher, bis Spool beendet wird' },
  },
  keyFor: {
    en: (origin: string) => `Only sent to ${origin}`,
    de: (origin: string) => `Wird nur an ${origin} gesendet`,
  },
  changeKey: { en: 'Change key', de: 'Schlüssel ändern' },
  enterKey: { en: 'Enter key', de: 'Schlüssel eingeben' },
  checkKey: { en: 'Test key', de: 'Schlüssel prüfen' },
  renewKey: { en: 'Renew key', de: 'Schlüssel erneuern' },
  keyRenewed: {
    en: 'This computer has a new key',
    de: 'Dieser Computer hat einen neuen Schlüssel',
  },
  forgetKey: { en: 'Delete key', de: 'Schlüssel löschen' },
  forgetTitle: { en: 'Delete the API key?', de: 'Den API-Schlüssel löschen?' },
  forgetSentence: {
    en: 'Nothing is sent until you enter a key again. Videos keep their places.',
    de: 'Bis Sie wieder einen eingeben, wird nichts gesendet. Videos behalten ihren Platz.',
  },
  correct: {
    month: {
      en: 'Used this month, by the service’s count',
      de: 'In diesem Monat verbraucht, laut Dienst',
    },
    day: { en: 'Used today, by the service’s count', de: 'Heute verbraucht, laut Dienst' },
  },
  correctHint: {
    en: 'The web studio and other machines use the same quota.',
    de: 'Das Web-Studio und andere Computer nutzen dasselbe Kontingent.',
  },
  capHint: {
    en: 'Other machines use the same quota.',
    de: 'Andere Computer nutzen dasselbe Kontingent.',
  },
  correctButton: { en: 'Correct', de: 'Berichtigen' },
  corrected: { en: 'Count corrected', de: 'Zahl berichtigt' },
  correctError: { en: 'A whole number, 0 or more', de: 'Eine ganze Zahl ab 0' },
  rateTitle: { en: 'Rate limits', de: 'Anfragelimits' },
  quotaTitle: {
    month: { en: 'Monthly quota', de: 'Monatskontingent' },
    day: { en: 'Daily quota', de: 'Tageskontingent' },
  },
  balanceTitle: { en: 'Balance', de: 'Guthaben' },
  balanceRead: { en: 'Read', de: 'Abgefragt' },
  balanceReason: {
    en: 'As the service reported it. What it has not charged yet is still included. Spool doesn’t stop sending when it is low.',
    de: 'Laut Dienst. Was er noch nicht abgerechnet hat, ist noch enthalten. Spool sendet auch bei niedrigem Guthaben weiter.',
  },
  keyState: { en: 'State', de: 'Status' },
  keySentTo: { en: 'Only sent to', de: 'Nur gesendet an' },
  keyKept: { en: 'Kept in', de: 'Gespeichert' },
  keySince: { en: 'Entered', de: 'Eingegeben' },
  keyLabel: { en: 'Label', de: 'Bezeichnung' },
  keyLabelHint: {
    en: 'Distinguishes it from other keys. Stays on this computer.',
    de: 'Damit Sie ihn von anderen unterscheiden. Sie bleibt auf diesem Computer.',
  },
  keyTrouble: {
    en: 'The key is kept only until Spool closes',
    de: 'Ein Schlüssel bleibt nur, bis Spool beendet wird',
  },
  tryKeychain: { en: 'Try the keychain again', de: 'Schlüsselbund erneut versuchen' },
  keychainWorks: { en: 'The keychain works', de: 'Der Schlüsselbund funktioniert' },
  keychainStill: {
    en: 'The keychain cannot be used yet',
    de: 'Der Schlüsselbund ist noch nicht verfügbar',
  },
  keyRemedy: {
    en: 'On Debian and Ubuntu, this installs what is missing. Log out and in again afterwards:',
    de: 'Unter Debian und Ubuntu installiert dieser Befehl, was fehlt; melden Sie sich danach neu an:',
  },
  keyUnanswered: { en: 'The key could not be tested', de: 'Der Schlüssel ließ sich nicht prüfen' },
  keyUnansweredMeans: {
    en: 'The service did not answer. The next request tests it.',
    de: 'Der Dienst hat nicht geantwortet. Die nächste Anfrage prüft ihn.',
  },
  keyForgotten: { en: 'Key forgotten', de: 'Der Schlüssel ist gelöscht' },
  of: { en: (limit: string) => `of ${limit}`, de: (limit: string) => `von ${limit}` },
  correctedLast: {
    en: (used: string, when: string) => `Last corrected to ${used}, ${when}.`,
    de: (used: string, when: string) => endSentence(`Zuletzt auf ${used} berichtigt, ${when}`),
  },

  chart: {
    title: {
      en: 'Videos left this month, day by day',
      de: 'Was von den Videos dieses Monats übrig ist, Tag für Tag',
    },
    leftNow: { en: (left: string) => `${left} left`, de: (left: string) => `${left} übrig` },
    usedUp: {
      en: (date: string) => `Nothing is left until ${date}.`,
      de: (date: string) => `Bis zum ${date} ist nichts mehr übrig.`,
    },
    runsOut: {
      en: (when: string, waiting: string | null, date: string) =>
        `The queue uses the last one ${when}${waiting === null ? '' : `; ${waiting} wait until ${date}`}.`,
      de: (when: string, waiting: string | null, date: string) =>
        endSentence(
          `Die Warteschlange braucht das letzte ${when}${waiting === null ? '' : `; ${waiting} ${waiting === '1' ? 'wartet' : 'warten'} bis zum ${date}`}`,
        ),
    },
    lasts: {
      en: (takes: string, left: string, date: string) =>
        `The queue uses ${takes} more; ${left} will be left on ${date}.`,
      de: (takes: string, left: string, date: string) =>
        `Die Warteschlange braucht noch ${takes}; am ${date} sind ${left} übrig.`,
    },
    rests: {
      en: (left: string, date: string) => `Nothing is planned; ${left} will be left on ${date}.`,
      de: (left: string, date: string) => `Es ist nichts geplant: Am ${date} sind ${left} übrig.`,
    },
    open: {
      en: 'The queue is longer than this chart shows.',
      de: 'Die Warteschlange reicht über den hier gezeichneten Plan hinaus.',
    },
    left: { en: 'Left', de: 'Übrig' },
    planned: { en: 'As planned', de: 'Wie geplant' },
    even: { en: 'Used evenly', de: 'Gleichmäßig verbraucht' },
    perDay: { en: 'Used each day', de: 'Pro Tag verbraucht' },
    dayUsed: {
      en: (date: string, used: string) => `${date}: ${used} used`,
      de: (date: string, used: string) => `${date}: ${used} verbraucht`,
    },
    dayHeld: {
      en: (held: string) => `${held} reserved`,
      de: (held: string) => `${held} reserviert`,
    },
    corrected: {
      en: (used: string, when: string) => `Corrected to ${used}, ${when}`,
      de: (used: string, when: string) => `Auf ${used} berichtigt, ${when}`,
    },
    refused: {
      en: (when: string) => `Used up according to the service, ${when}`,
      de: (when: string) => `Laut Dienst verbraucht, ${when}`,
    },
    asTable: { en: 'As a table', de: 'Als Tabelle' },
    day: { en: 'Day', de: 'Tag' },
    usedColumn: { en: 'Used', de: 'Verbraucht' },
    heldColumn: { en: 'Reserved', de: 'Reserviert' },
    unreadable: {
      en: 'The daily figures could not be read.',
      de: 'Der Verlauf dieses Monats konnte nicht geladen werden.',
    },
  },
};
