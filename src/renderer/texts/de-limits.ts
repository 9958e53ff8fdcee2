import { endSentence } from './end-sentence.ts';
import { formatIn } from '../../contract/format-in.ts';
import type { enLimits } from './en-limits.ts';

const say = formatIn('de-DE');

export const deLimits: typeof enLimits = {
  generate: 'Neue Videos',
  status: 'Statusabfragen',
  download: 'Downloads',
  renders: 'Rendern',
  atATime: (underWay, limit) => say`${underWay} von ${limit} gleichzeitig`,
  slotFree: 'Ein weiteres kann gesendet werden',
  slotTaken: 'Das nächste wird gesendet, sobald eines davon fertig ist',
  quota: { month: 'Videos im Monat', day: 'Videos am Tag' },
  left: (remaining, limit) => say`${remaining} von ${limit} übrig`,
  inTime: (left) => `in ${left}`,
  resets: (when) => `Wieder frei ${when}`,
  used: (used, limit) => say`${used} von ${limit} verbraucht`,
  quotaSentence: (plan) => `Videos in diesem Monat, Tarif ${plan}`,
  capSentence: {
    month: 'Videos in diesem Monat, laut Dienstprofil',
    day: 'Videos heute, laut Dienstprofil',
  },
  usedLabel: 'Verbraucht',
  heldLabel: 'Reserviert',
  leftLabel: 'Übrig',
  resetLabel: 'Erneuerung',
  estimateReason:
    'Hier gezählt. Das Web-Studio nutzt dasselbe Kontingent; der Dienst hat vielleicht mehr gezählt.',
  capReason:
    'Hier gezählt. Was das Konto sonst verbraucht, zählt nicht mit; der Dienst hat vielleicht mehr gezählt.',
  refused: 'Laut Dienst verbraucht',
  triedDaily: 'Spool versucht es täglich erneut.',
  perHour: 'pro Stunde',
  perMinute: 'pro Minute',
  per: (seconds) => `in ${seconds} s`,
  explain: {
    generate:
      'Anfragen für neue Videos. Zeilen warten in der Warteschlange, bis der Dienst die nächste annimmt.',
    status: 'Abfragen, wie weit ein Video ist. Zwölf pro Minute sind für Ihre eigenen reserviert.',
    download: 'Anfragen für die Links, über die fertige Videos heruntergeladen werden.',
    renders: 'Videos, die der Dienst gleichzeitig für Sie rendert.',
  },
  others: (perHour) =>
    say`Andere nutzen etwa ${perHour} pro Stunde. Die angezeigten Zeiten berücksichtigen das.`,
  nextAt: (when) => `Die nächste ${when}`,
  nextNow: 'Sendebereit',
  key: 'API-Schlüssel',
  keyStates: {
    absent: 'Noch keiner',
    untested: 'Noch nicht geprüft',
    accepted: 'Gültig',
    refused: 'Vom Dienst abgelehnt',
  },
  keptIn: {
    keychain: 'im Schlüsselbund des Systems',
    memory: 'im Arbeitsspeicher, bis Spool beendet wird',
  },
  keyFor: (origin) => `Wird nur an ${origin} gesendet`,
  changeKey: 'Schlüssel ändern',
  enterKey: 'Schlüssel eingeben',
  checkKey: 'Schlüssel prüfen',
  renewKey: 'Schlüssel erneuern',
  keyRenewed: 'Dieser Computer hat einen neuen Schlüssel',
  forgetKey: 'Schlüssel löschen',
  forgetTitle: 'Den API-Schlüssel löschen?',
  forgetSentence:
    'Bis Sie wieder einen eingeben, wird nichts gesendet. Videos behalten ihren Platz.',
  correct: {
    month: 'In diesem Monat verbraucht, laut Dienst',
    day: 'Heute verbraucht, laut Dienst',
  },
  correctHint: 'Das Web-Studio und andere Computer nutzen dasselbe Kontingent.',
  capHint: 'Andere Computer nutzen dasselbe Kontingent.',
  correctButton: 'Berichtigen',
  corrected: 'Die Zahl ist berichtigt',
  correctFault: 'Eine ganze Zahl ab 0',
  rateTitle: 'Anfragelimits',
  quotaTitle: { month: 'Monatskontingent', day: 'Tageskontingent' },
  balanceTitle: 'Guthaben',
  balanceRead: 'Abgefragt',
  balanceReason:
    'Laut Dienst. Was er noch nicht abgerechnet hat, ist noch enthalten. Spool sendet auch bei niedrigem Guthaben weiter.',
  keyState: 'Status',
  keySentTo: 'Nur gesendet an',
  keyKept: 'Gespeichert',
  keySince: 'Eingegeben',
  keyLabel: 'Bezeichnung',
  keyLabelHint: 'Damit Sie ihn von anderen unterscheiden. Sie bleibt auf diesem Computer.',
  keyTrouble: 'Ein Schlüssel bleibt nur, bis Spool beendet wird',
  tryKeychain: 'Schlüsselbund erneut versuchen',
  keychainWorks: 'Der Schlüsselbund funktioniert',
  keychainStill: 'Der Schlüsselbund ist noch nicht verfügbar',
  keyRemedy:
    'Unter Debian und Ubuntu installiert dieser Befehl, was fehlt; melden Sie sich danach neu an:',
  keyUnanswered: 'Der Schlüssel ließ sich nicht prüfen',
  keyUnansweredMeans: 'Der Dienst hat nicht geantwortet. Die nächste Anfrage prüft ihn.',
  keyForgotten: 'Der Schlüssel ist gelöscht',
  of: (limit) => `von ${limit}`,
  correctedLast: (used, when) => endSentence(`Zuletzt auf ${used} berichtigt, ${when}`),

  chart: {
    title: 'Was von den Videos dieses Monats übrig ist, Tag für Tag',
    leftNow: (left) => `${left} übrig`,
    usedUp: (date) => `Bis zum ${date} ist nichts mehr übrig.`,
    runsOut: (when, waiting, date) =>
      endSentence(
        `Die Warteschlange braucht das letzte ${when}${waiting === null ? '' : `; ${waiting} ${waiting === '1' ? 'wartet' : 'warten'} auf den ${date}`}`,
      ),
    lasts: (takes, left, date) =>
      `Die Warteschlange braucht noch ${takes}; am ${date} sind ${left} übrig.`,
    rests: (left, date) => `Es ist nichts geplant: Am ${date} sind ${left} übrig.`,
    open: 'Die Warteschlange reicht über den hier gezeichneten Plan hinaus.',
    left: 'Übrig',
    planned: 'Wie geplant',
    even: 'Gleichmäßig verbraucht',
    perDay: 'Pro Tag verbraucht',
    dayUsed: (date, used) => `${date}: ${used} verbraucht`,
    dayHeld: (held) => `${held} reserviert`,
    corrected: (used, when) => `Auf ${used} berichtigt, ${when}`,
    refused: (when) => `Laut Dienst verbraucht, ${when}`,
    asTable: 'Als Tabelle',
    day: 'Tag',
    usedColumn: 'Verbraucht',
    heldColumn: 'Reserviert',
    unreadable: 'Der Verlauf dieses Monats konnte nicht geladen werden.',
  },
};
