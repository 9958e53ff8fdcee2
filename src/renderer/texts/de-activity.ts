import { formatIn } from '../../contract/format-in.ts';
import type { ViewTexts } from './en-views.ts';

const say = formatIn('de-DE');

/** What the page says of the past, in German. */
export const deActivity: ViewTexts['activity'] = {
  what: 'Was angezeigt wird',
  tables: { events: 'Ereignisse', quota: 'Kontingentnutzung' },
  columns: {
    when: 'Wann',
    mark: 'Status',
    what: 'Was',
    title: 'Titel',
    note: 'Warum',
    units: 'Kontingent',
    taken: 'Übermittelt',
    now: 'Jetzt',
    batch: 'Stapel',
    length: 'Länge',
    size: 'Größe',
  },
  eventsTable: 'Ereignisse, das neueste zuerst',
  unitsTable: 'Wofür jede Einheit des Kontingents verwendet wurde, die neueste zuerst',
  kind: 'Art',
  anyKind: 'Jede Art',
  someKinds: (count) => say`${count} Arten`,
  kinds: {
    added: 'Hinzugefügt',
    arranged: 'Zurückgestellt, freigegeben, neu eingereiht',
    withdrawn: 'Abgebrochen oder aufgegeben',
    sent: 'Angenommen, kostet Kontingent',
    rendering: 'In Arbeit',
    saved: 'Gespeichert',
    renamed: 'Umbenannt',
    missing: 'Datei fehlt oder ist beschädigt',
    failed: 'Fehlgeschlagen oder abgelehnt',
    uncertain: 'Ausgang unbekannt',
    'quota-corrected': 'Kontingent berichtigt',
    'quota-refused': 'Kontingent laut Dienst verbraucht',
  },
  correctedTo: {
    month: (used) => `${used} in diesem Monat verbraucht, von Hand berichtigt`,
    day: (used) => `${used} an diesem Tag verbraucht, von Hand berichtigt`,
  },
  batch: 'Stapel',
  anyBatch: 'Jeder Stapel',
  range: 'Zeitraum',
  ranges: {
    all: 'Gesamter Zeitraum',
    today: 'Heute',
    week: 'Letzte 7 Tage',
    month: 'Letzte 30 Tage',
    days: 'Eigener Zeitraum',
  },
  firstDay: 'Erster Tag',
  lastDay: 'Letzter Tag',
  units: { charged: 'verbraucht', held: 'reserviert', refunded: 'erstattet' },
  madeAgain: 'seither neu erstellt',
  export: 'Exportieren',
  exportAs: {
    csv: 'Als CSV, für Tabellenprogramme',
    json: 'Als JSON, zur Weiterverarbeitung',
  },
  exported: (name) => `${name} ist exportiert`,
  fileNames: { events: 'aktivitaet', quota: 'kontingent' },
  empty: 'Noch ist nichts geschehen',
  emptySentence:
    'Hier steht künftig jeder Schritt jedes Videos, und was er vom Kontingent verbraucht hat.',
  emptyQuota: 'Noch ist kein Kontingent verbraucht',
  emptyQuotaSentence:
    'Jede Einheit des Kontingents bekommt hier eine Zeile: für welches Video sie verwendet wurde, und wie es um dieses steht.',
  noMatch: 'Dazu gibt es keine Einträge',
  noMatchSentence: 'Kein Eintrag entspricht allen gewählten Filtern.',
  showAll: 'Alles anzeigen',
  unreadable: 'Die Aktivität konnte nicht geladen werden',
};
