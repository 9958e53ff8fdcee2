import { english, german } from '../../contract/format-in.ts';
import { englishRows, germanRows } from '../../contract/counted.ts';

/** Texts about errors of rows and their correction. */
export const addRepairTexts = {
  bar: { en: 'Errors in rows', de: 'Fehler in Zeilen' },
  needYou: {
    en: (count: number) =>
      count === 1 ? '1 row needs attention' : `${englishRows(count)} need attention`,
    de: (count: number) =>
      count === 1 ? '1 Zeile ist fehlerhaft' : `${germanRows(count)} sind fehlerhaft`,
  },
  leftOut: {
    en: (count: number) => `${englishRows(count)} left out`,
    de: (count: number) => `${germanRows(count)} ausgelassen`,
  },
  next: {
    en: (count: number) => (count === 1 ? 'Show error' : english`Next of ${count} errors`),
    de: (count: number) => (count === 1 ? 'Fehler zeigen' : german`Nächster von ${count} Fehlern`),
  },
  onlyThese: { en: 'Show only these', de: 'Nur diese zeigen' },
  allRows: { en: 'Show all rows', de: 'Alle Zeilen zeigen' },
  leaveOut: {
    en: (count: number) => (count === 1 ? 'Leave it out' : 'Leave them out'),
    de: () => 'Auslassen',
  },
  leaveRowOut: { en: 'Leave this row out', de: 'Diese Zeile auslassen' },
  takeBackIn: {
    en: (count: number) => (count === 1 ? 'Include it again' : 'Include them again'),
    de: () => 'Wieder aufnehmen',
  },
  takeRowBackIn: { en: 'Include this row again', de: 'Diese Zeile wieder aufnehmen' },
  saveRows: {
    en: (count: number, isWorkbook: boolean) =>
      `Save ${count === 1 ? 'it' : 'them'} as ${isWorkbook ? 'a workbook' : 'CSV'}`,
    de: (_count: number, isWorkbook: boolean) =>
      isWorkbook ? 'Als Arbeitsmappe speichern' : 'Als CSV speichern',
  },
  saveCopy: { en: 'Save a corrected copy', de: 'Korrigierte Kopie speichern' },
  saved: {
    en: (name: string) => `${name} was saved`,
    de: (name: string) => `${name} wurde gespeichert`,
  },
  undo: { en: 'Undo', de: 'Rückgängig' },
  alike: { en: 'Errors by kind', de: 'Fehler nach Art' },
  use: {
    en: (value: string) => `Use “${value}”`,
    de: (value: string) => `„${value}“ verwenden`,
  },
  useInRows: {
    en: (value: string, count: number) => `Use “${value}” in ${englishRows(count)}`,
    de: (value: string, count: number) => `„${value}“ in ${germanRows(count)} verwenden`,
  },
  alsoIn: {
    en: (cell: string, count: number) =>
      cell === ''
        ? `Also in ${englishRows(count)} where it is empty`
        : `Also in ${englishRows(count)} with “${cell}”`,
    de: (cell: string, count: number) =>
      cell === ''
        ? `Auch in ${germanRows(count)}, wo sie leer ist`
        : `Auch in ${germanRows(count)} mit „${cell}“`,
  },
  edit: { en: 'Correct this row', de: 'Diese Zeile korrigieren' },
  otherFields: { en: 'Other fields', de: 'Weitere Felder' },
  characters: {
    en: (count: number, max: number) => english`${count} of ${max} characters`,
    de: (count: number, max: number) => german`${count} von ${max} Zeichen`,
  },
  buttonOf: {
    en: (count: number, of: number, service: string | null) =>
      `${english`Add ${count} of ${of}`}${service === null ? '' : ` to ${service}`}`,
    de: (count: number, of: number, service: string | null) =>
      `${german`${count} von ${of}`}${service === null ? '' : ` zu ${service}`} hinzufügen`,
  },
};
