import type { FileIssue, PlannedRename } from '../../contract/files.ts';
import { english, german } from '../../contract/format-in.ts';
import type { Translation } from '../../contract/in-language.ts';
import { englishFiles, germanFiles } from '../../contract/counted.ts';

/** Texts of the view of saved files. */
export const savedTexts = {
  columns: {
    picture: { en: 'Picture', de: 'Bild' },
    title: { en: 'Title', de: 'Titel' },
    file: { en: 'File', de: 'Datei' },
    length: { en: 'Length', de: 'Länge' },
    size: { en: 'Size', de: 'Größe' },
    saved: { en: 'Saved', de: 'Gespeichert' },
  },
  table: { en: 'Saved videos', de: 'Gespeicherte Videos' },
  copied: { en: 'Text copied', de: 'Text kopiert' },
  notCopied: { en: 'The text could not be copied', de: 'Der Text konnte nicht kopiert werden' },
  order: { en: 'Order', de: 'Reihenfolge' },
  byBatch: { en: 'Newest first, by batch', de: 'Neueste zuerst, nach Stapel' },
  orders: {
    when: { en: 'Newest first', de: 'Neueste zuerst' },
    title: { en: 'By title', de: 'Nach Titel' },
    length: { en: 'Longest first', de: 'Längste zuerst' },
    size: { en: 'Largest first', de: 'Größte zuerst' },
  },
  videos: {
    en: (count: string) => (count === '1' ? '1 video' : `${count} videos`),
    de: (count: string) => (count === '1' ? '1 Video' : `${count} Videos`),
  },
  previous: { en: 'Previous', de: 'Vorheriges' },
  next: { en: 'Next', de: 'Nächstes' },
  layout: { en: 'Layout', de: 'Anordnung' },
  layouts: {
    grid: { en: 'Grid', de: 'Raster' },
    list: { en: 'List', de: 'Liste' },
  },
  gone: { en: 'Missing or damaged', de: 'Fehlend oder beschädigt' },
  noneGone: { en: 'No missing or damaged files', de: 'Keine fehlenden oder beschädigten Dateien' },
  noneGoneSentence: {
    en: 'Spool checks from time to time that the files exist. “Verify all” reads each one completely.',
    de: 'Spool prüft von Zeit zu Zeit, ob die Dateien vorhanden sind. „Alle prüfen“ liest jede vollständig.',
  },
  menuOf: {
    en: (title: string) => `Actions for ${title}`,
    de: (title: string) => `Aktionen für ${title}`,
  },
  checkAll: { en: 'Verify all', de: 'Alle prüfen' },
  checking: { en: 'Verifying files', de: 'Dateien werden geprüft' },
  checked: {
    en: (checked: string, total: string) => `${checked} of ${total} files`,
    de: (checked: string, total: string) => `${checked} von ${total} Dateien`,
  },
  stopChecking: { en: 'Stop', de: 'Abbrechen' },
  whole: {
    en: (count: number, recovered: number) =>
      recovered === 0
        ? `${englishFiles(count)} verified, all intact`
        : english`${englishFiles(count)} verified, all intact; ${recovered} had been missing`,
    de: (count: number, recovered: number) =>
      recovered === 0
        ? `${germanFiles(count)} geprüft, alle unversehrt`
        : german`${germanFiles(count)} geprüft, alle unversehrt; ${recovered} ${recovered === 1 ? 'hatte' : 'hatten'} gefehlt`,
  },
  invalid: {
    en: (count: number, checked: number) =>
      english`${count} of ${englishFiles(checked)} ${count === 1 ? 'is' : 'are'} missing or damaged`,
    de: (count: number, checked: number) =>
      german`${count} von ${germanFiles(checked)} ${count === 1 ? 'fehlt oder ist beschädigt' : 'fehlen oder sind beschädigt'}`,
  },
  found: {
    missing: {
      en: (title: string) => `${title} is missing. Downloading it again is free.`,
      de: (title: string) => `${title} fehlt. Erneut herunterladen ist kostenlos.`,
    },
    damaged: {
      en: (title: string) => `${title} is damaged. Downloading it again is free.`,
      de: (title: string) => `${title} ist beschädigt. Erneut herunterladen ist kostenlos.`,
    },
    unreadable: {
      en: (title: string) => `${title} could not be read. Its drive may be disconnected.`,
      de: (title: string) =>
        `${title} ließ sich nicht lesen; vielleicht ist das Laufwerk nicht verbunden.`,
    },
  } satisfies Record<FileIssue['found'], Translation<(title: string) => string>>,
  rename: {
    open: { en: 'Rename', de: 'Umbenennen' },
    title: {
      en: (count: number) => `Rename ${englishFiles(count)}`,
      de: (count: number) => `${germanFiles(count)} umbenennen`,
    },
    sentence: {
      en: 'Files stay in the folder of their batch. None replaces another.',
      de: 'Dateien bleiben im Ordner ihres Stapels. Keine ersetzt eine andere.',
    },
    template: { en: 'Names', de: 'Namen' },
    templateHint: {
      en: 'Write columns in braces. A slash creates a folder.',
      de: 'Spalten stehen in geschweiften Klammern. Ein Schrägstrich legt einen Ordner an.',
    },
    empty: {
      en: 'A name, or a column in braces',
      de: 'Ein Name oder eine Spalte in geschweiften Klammern',
    },
    unknown: {
      en: (names: string) => `There is no column called ${names}. It is left empty.`,
      de: (names: string) => `Keine Spalte heißt ${names}; dort bleibt der Name leer.`,
    },
    insert: { en: 'Insert a column', de: 'Spalte einfügen' },
    preview: { en: 'Old and new names', de: 'Alte und neue Namen' },
    reading: { en: 'Preparing names…', de: 'Namen werden ermittelt …' },
    counts: {
      renamed: {
        en: (count: number) => (count === 1 ? '1 new name' : english`${count} new names`),
        de: (count: number) => (count === 1 ? '1 neuer Name' : german`${count} neue Namen`),
      },
      numbered: {
        en: (count: number) => english`${count} with a number, because the name is in use`,
        de: (count: number) => german`${count} mit Nummer, da der Name vergeben ist`,
      },
      unchanged: {
        en: (count: number) => english`${count} unchanged`,
        de: (count: number) => german`${count} wie bisher`,
      },
      kept: {
        en: (count: number) => english`${count} cannot be renamed`,
        de: (count: number) =>
          german`${count} ${count === 1 ? 'lässt' : 'lassen'} sich nicht umbenennen`,
      },
    } satisfies Record<PlannedRename['outcome'], Translation<(count: number) => string>>,
    numbered: { en: 'name in use, number added', de: 'Name vergeben, nummeriert' },
    unchanged: { en: 'unchanged', de: 'wie bisher' },
    more: {
      en: (count: number) => english`and ${count} more`,
      de: (count: number) => german`und ${count} weitere`,
    },
    apply: {
      en: (count: number) => (count === 0 ? 'Rename' : `Rename ${englishFiles(count)}`),
      de: (count: number) => (count === 0 ? 'Umbenennen' : `${germanFiles(count)} umbenennen`),
    },
    busy: { en: 'Renaming…', de: 'Wird umbenannt …' },
    done: {
      en: (count: number) => `${englishFiles(count)} renamed`,
      de: (count: number) => `${germanFiles(count)} umbenannt`,
    },
    partly: {
      en: (renamed: number, kept: number) =>
        english`${englishFiles(renamed)} renamed, ${kept} ${kept === 1 ? 'keeps its name' : 'keep their names'}`,
      de: (renamed: number, kept: number) =>
        german`${germanFiles(renamed)} umbenannt, ${kept} ${kept === 1 ? 'behält ihren' : 'behalten ihren'} Namen`,
    },
    partlyMeans: {
      en: 'No file was lost. The reason is shown for each.',
      de: 'Keine Datei ging verloren. Bei jeder steht der Grund.',
    },
    kept: { en: 'Files that keep their names', de: 'Dateien, die ihren Namen behalten' },
  },
};
