/** Texts about a table that another program saved while it is being added. */
import { english, german } from '../../contract/format-in.ts';

export const addVersionTexts = {
  unusable: {
    en: 'The file was saved and cannot be read now',
    de: 'Die Datei wurde gespeichert und ist jetzt nicht lesbar',
  },
  unusableMeans: {
    en: 'The rows below are those of the version before it. Your corrections stay.',
    de: 'Die Zeilen unten stammen aus der Version davor. Ihre Korrekturen bleiben erhalten.',
  },
  lost: {
    en: (count: number) =>
      count === 1
        ? '1 choice was dropped because its row or column has changed'
        : english`${count} choices were dropped because their rows or columns have changed`,
    de: (count: number) =>
      count === 1
        ? '1 Angabe entfällt, weil sich ihre Zeile oder Spalte geändert hat'
        : german`${count} Angaben entfallen, weil sich ihre Zeilen oder Spalten geändert haben`,
  },
  row: {
    en: (row: number, name: string, file: string | null) =>
      `${file === null ? '' : `${file}, `}row ${row}${name === '' ? '' : ` (${name})`}`,
    de: (row: number, name: string, file: string | null) =>
      `${file === null ? '' : `${file}, `}Zeile ${row}${name === '' ? '' : ` (${name})`}`,
  },
  lostEdit: {
    en: (place: string, column: string, text: string) =>
      `${place}, ${column}: ${text === '' ? 'emptied' : `“${text}”`}`,
    de: (place: string, column: string, text: string) =>
      `${place}, ${column}: ${text === '' ? 'geleert' : `„${text}“`}`,
  },
  lostColumn: {
    en: (field: string, column: string) => `${field} from the column ${column}`,
    de: (field: string, column: string) => `${field} aus der Spalte ${column}`,
  },
  choices: {
    'left-out': { en: 'left out', de: 'ausgelassen' },
    duplicate: { en: 'choice for a duplicate', de: 'Auswahl für ein Duplikat' },
    header: { en: 'header', de: 'Kopfzeile' },
    skipped: { en: 'no video', de: 'kein Video' },
    kept: { en: 'makes a video', de: 'wird ein Video' },
  },
  more: {
    en: (count: number) => english`and ${count} more`,
    de: (count: number) => german`und ${count} weitere`,
  },
  seen: { en: 'OK', de: 'OK' },
};
