import { formatIn } from '../../contract/format-in.ts';
import type { enSaved } from './en-saved.ts';

const say = formatIn('de-DE');

const files = (count: number): string => (count === 1 ? '1 Datei' : say`${count} Dateien`);

export const deSaved: typeof enSaved = {
  columns: {
    picture: 'Bild',
    title: 'Titel',
    file: 'Datei',
    length: 'Länge',
    size: 'Größe',
    saved: 'Gespeichert',
  },
  table: 'Gespeicherte Videos',
  layout: 'Anordnung',
  layouts: { grid: 'Raster', list: 'Liste' },
  gone: 'Fehlt oder beschädigt',
  noneGone: 'Keine fehlenden oder beschädigten Dateien',
  noneGoneSentence:
    'Spool prüft von Zeit zu Zeit, ob die Dateien vorhanden sind. „Alle prüfen“ liest jede vollständig.',
  menuOf: (title) => `Aktionen für ${title}`,
  checkAll: 'Alle prüfen',
  checking: 'Dateien werden geprüft',
  checked: (checked, total) => `${checked} von ${total} Dateien`,
  stopChecking: 'Abbrechen',
  whole: (count, recovered) =>
    recovered === 0
      ? `${files(count)} geprüft, alle unversehrt`
      : say`${files(count)} geprüft, alle unversehrt; ${recovered} ${recovered === 1 ? 'hatte' : 'hatten'} gefehlt`,
  faulty: (count, checked) =>
    say`${count} von ${files(checked)} ${count === 1 ? 'fehlt oder ist beschädigt' : 'fehlen oder sind beschädigt'}`,
  found: {
    missing: (title) => `${title} fehlt. Erneut herunterladen ist kostenlos.`,
    damaged: (title) => `${title} ist beschädigt. Erneut herunterladen ist kostenlos.`,
    unreadable: (title) =>
      `${title} ließ sich nicht lesen; vielleicht ist das Laufwerk nicht verbunden.`,
  },
  rename: {
    open: 'Umbenennen',
    title: (count) => `${files(count)} umbenennen`,
    sentence: 'Dateien bleiben im Ordner ihres Stapels, und keine nimmt den Platz einer anderen.',
    template: 'Namen',
    templateHint: 'Spalten stehen in geschweiften Klammern. Ein Schrägstrich legt einen Ordner an.',
    empty: 'Ein Name oder eine Spalte in geschweiften Klammern',
    unknown: (names) => `Keine Spalte heißt ${names}; dort bleibt der Name leer.`,
    insert: 'Spalte einfügen',
    preview: 'Alte und neue Namen',
    reading: 'Die Namen werden ermittelt …',
    counts: {
      renamed: (count) => (count === 1 ? '1 neuer Name' : say`${count} neue Namen`),
      numbered: (count) => say`${count} mit Nummer, da der Name vergeben ist`,
      unchanged: (count) => say`${count} wie bisher`,
      kept: (count) => say`${count} nicht umzubenennen`,
    },
    numbered: 'Name vergeben, nummeriert',
    unchanged: 'wie bisher',
    more: (count) => say`und ${count} weitere`,
    apply: (count) => (count === 0 ? 'Umbenennen' : `${files(count)} umbenennen`),
    busy: 'Wird umbenannt …',
    done: (count) => `${files(count)} umbenannt`,
    partly: (renamed, kept) =>
      say`${files(renamed)} umbenannt, ${kept} ${kept === 1 ? 'behält ihren' : 'behalten ihren'} Namen`,
    partlyMeans: 'Keine Datei ging verloren. Was im Weg war, steht bei jeder.',
    kept: 'Dateien, die ihren Namen behalten',
  },
};
