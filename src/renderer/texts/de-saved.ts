import type { enSaved } from './en-saved.ts';

const files = (count: number): string => (count === 1 ? '1 Datei' : `${count} Dateien`);

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
  layouts: { grid: 'Bilder', list: 'Liste' },
  gone: 'Fehlt oder beschädigt',
  noneGone: 'Jede Datei ist da',
  noneGoneSentence: 'Nach Dateien wird ab und zu gesehen; „Alle prüfen“ liest jede von ihnen.',
  menuOf: (title) => `Was mit ${title} geschieht`,
  checkAll: 'Alle prüfen',
  checking: 'Prüft Dateien',
  checked: (checked, total) => `${checked} von ${total} Dateien`,
  stopChecking: 'Aufhören',
  whole: (count, recovered) =>
    recovered === 0
      ? `${files(count)} geprüft, alle wie gespeichert`
      : `${files(count)} geprüft, alle ganz; ${recovered} hatten gefehlt`,
  faulty: (count, checked) => `${count} von ${files(checked)} nicht wie gespeichert`,
  found: {
    missing: (title) =>
      `${title} ist nicht, wo es gespeichert war. Es erneut zu holen kostet nichts.`,
    damaged: (title) => `${title} ist beschädigt. Es erneut zu holen kostet nichts.`,
    unreadable: (title) => `${title} war nicht zu lesen; vielleicht fehlt das Laufwerk.`,
  },
};
