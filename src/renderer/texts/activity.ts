import type { ActivityKind, QuotaUnit } from '../../contract/activity.ts';
import { english, german } from '../../contract/format-in.ts';
import type { Translation } from '../../contract/in-language.ts';

/** Texts of the activity view. */
export const activityTexts = {
  what: { en: 'Show', de: 'Was angezeigt wird' },
  tables: {
    events: { en: 'Events', de: 'Ereignisse' },
    quota: { en: 'Quota use', de: 'Kontingentnutzung' },
    costs: { en: 'Cost', de: 'Kosten' },
  },
  costs: {
    by: { en: 'Sum by', de: 'Summe je' },
    groups: {
      week: { en: 'Week', de: 'Woche' },
      month: { en: 'Month', de: 'Monat' },
      batch: { en: 'Batch', de: 'Stapel' },
      service: { en: 'Service', de: 'Dienst' },
    },
    table: { en: 'Cost', de: 'Kosten' },
    videos: { en: 'Videos', de: 'Videos' },
    amount: { en: 'Cost', de: 'Kosten' },
    weekOf: { en: (day: string) => `from ${day}`, de: (day: string) => `ab ${day}` },
    total: { en: 'Total', de: 'Gesamt' },
    free: { en: 'free', de: 'kostenlos' },
    about: { en: (amount: string) => `about ${amount}`, de: (amount: string) => `etwa ${amount}` },
    ofQuota: {
      en: (count: number) => (count === 1 ? '1 of the quota' : english`${count} of the quota`),
      de: (count: number) => german`${count} vom Kontingent`,
    },
    empty: {
      en: 'Nothing was spent in this period',
      de: 'In diesem Zeitraum wurde nichts verbraucht',
    },
    emptySentence: {
      en: 'Every video that a service accepts is counted here, by week, month, batch and service.',
      de: 'Jedes Video, das ein Dienst annimmt, zählt hier: je Woche, Monat, Stapel und Dienst.',
    },
    chart: {
      en: (group: string) => `Videos by ${group.toLowerCase()}`,
      de: (group: string) => `Videos je ${group}`,
    },
  },
  columns: {
    when: { en: 'When', de: 'Wann' },
    mark: { en: 'State', de: 'Status' },
    what: { en: 'What', de: 'Was' },
    title: { en: 'Title', de: 'Titel' },
    note: { en: 'Why', de: 'Warum' },
    units: { en: 'Quota', de: 'Kontingent' },
    taken: { en: 'Submitted', de: 'Übermittelt' },
    now: { en: 'Now', de: 'Jetzt' },
    batch: { en: 'Batch', de: 'Stapel' },
    length: { en: 'Length', de: 'Länge' },
    size: { en: 'Size', de: 'Größe' },
  },
  eventsTable: { en: 'Events, newest first', de: 'Ereignisse, das neueste zuerst' },
  unitsTable: {
    en: 'What each unit of quota was used for, newest first',
    de: 'Wofür jede Einheit des Kontingents verwendet wurde, die neueste zuerst',
  },
  kind: { en: 'Kind', de: 'Art' },
  anyKind: { en: 'All kinds', de: 'Alle Arten' },
  someKinds: {
    en: (count: number) => english`${count} kinds`,
    de: (count: number) => german`${count} Arten`,
  },
  kinds: {
    added: { en: 'Added', de: 'Hinzugefügt' },
    arranged: {
      en: 'Held, released, queued again',
      de: 'Zurückgestellt, freigegeben, neu eingereiht',
    },
    cancelled: { en: 'Cancelled or abandoned', de: 'Abgebrochen oder aufgegeben' },
    sent: { en: 'Accepted', de: 'Angenommen' },
    rendering: { en: 'Rendering', de: 'Rendern begonnen' },
    saved: { en: 'Saved', de: 'Gespeichert' },
    renamed: { en: 'Renamed', de: 'Umbenannt' },
    missing: { en: 'File missing or damaged', de: 'Datei fehlt oder ist beschädigt' },
    failed: { en: 'Failed or refused', de: 'Fehlgeschlagen oder abgelehnt' },
    uncertain: { en: 'Outcome unknown', de: 'Ausgang unbekannt' },
    'quota-corrected': { en: 'Quota corrected', de: 'Kontingent berichtigt' },
    'quota-refused': {
      en: 'Quota used up, according to the service',
      de: 'Kontingent laut Dienst verbraucht',
    },
  } satisfies Record<ActivityKind, Translation>,
  correctedTo: {
    month: {
      en: (used: string) => `Corrected to ${used} used this month`,
      de: (used: string) => `${used} in diesem Monat verbraucht, von Hand berichtigt`,
    },
    day: {
      en: (used: string) => `Corrected to ${used} used today`,
      de: (used: string) => `${used} an diesem Tag verbraucht, von Hand berichtigt`,
    },
  },
  batch: { en: 'Batch', de: 'Stapel' },
  anyBatch: { en: 'All batches', de: 'Alle Stapel' },
  range: { en: 'Time', de: 'Zeitraum' },
  ranges: {
    all: { en: 'Any time', de: 'Gesamter Zeitraum' },
    today: { en: 'Today', de: 'Heute' },
    week: { en: 'Last 7 days', de: 'Letzte 7 Tage' },
    month: { en: 'Last 30 days', de: 'Letzte 30 Tage' },
    days: { en: 'Custom range', de: 'Eigener Zeitraum' },
  },
  firstDay: { en: 'First day', de: 'Erster Tag' },
  lastDay: { en: 'Last day', de: 'Letzter Tag' },
  units: {
    charged: { en: 'spent', de: 'verbraucht' },
    held: { en: 'reserved', de: 'reserviert' },
    refunded: { en: 'returned', de: 'erstattet' },
  } satisfies Record<QuotaUnit['quota'], Translation>,
  madeAgain: { en: 'rendered again since', de: 'seither neu gerendert' },
  export: { en: 'Export', de: 'Exportieren' },
  exportAs: {
    csv: { en: 'As CSV, for spreadsheets', de: 'Als CSV, für Tabellenprogramme' },
    json: { en: 'As JSON, for programs', de: 'Als JSON, zur Weiterverarbeitung' },
  },
  exported: {
    en: (name: string) => `${name} exported`,
    de: (name: string) => `${name} ist exportiert`,
  },
  fileNames: {
    events: { en: 'activity', de: 'aktivitaet' },
    quota: { en: 'quota', de: 'kontingent' },
    costs: { en: 'cost', de: 'kosten' },
  },
  empty: { en: 'Nothing has happened yet', de: 'Noch keine Ereignisse' },
  emptySentence: {
    en: 'Every step of every video is listed here.',
    de: 'Hier steht jeder Schritt jedes Videos.',
  },
  emptyQuota: { en: 'No quota was used yet', de: 'Noch kein Kontingent verbraucht' },
  emptyQuotaSentence: {
    en: 'Each unit of quota gets a line here, with the video it was used for and its state.',
    de: 'Jede Einheit des Kontingents bekommt hier eine Zeile mit dem Video, für das sie verwendet wurde, und dessen Status.',
  },
  noMatch: { en: 'No matching events', de: 'Keine passenden Ereignisse' },
  noMatchSentence: {
    en: 'Nothing matches all of these filters.',
    de: 'Kein Ereignis entspricht allen gewählten Filtern.',
  },
  showAll: { en: 'Show everything', de: 'Alles anzeigen' },
  unreadable: {
    en: 'The activity could not be read',
    de: 'Die Aktivität konnte nicht geladen werden',
  },
};
