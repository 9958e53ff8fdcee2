/** The details of one video. */
export const detailTexts = {
  details: {
    request: { en: 'Request', de: 'Anfrage' },
    requestJson: { en: 'As JSON', de: 'Als JSON' },
    history: { en: 'History', de: 'Verlauf' },
    file: { en: 'File', de: 'Datei' },
    service: { en: 'Service', de: 'Dienst' },
    selected: {
      en: 'Several videos are selected. The buttons below the list change all of them.',
      de: 'Mehrere Videos sind ausgewählt. Die Schaltflächen unter der Liste ändern alle.',
    },
    row: { en: (row: number) => `row ${row}`, de: (row: number) => `Zeile ${row}` },
    identifier: { en: 'Identifier', de: 'Kennung' },
    word: { en: 'Service status', de: 'Status beim Dienst' },
    check: { en: 'Check this video', de: 'Prüfen Sie dieses Video' },
    costs: { en: 'Cost', de: 'Kosten' },
    cost: {
      en: (actual: string | null, estimated: string | null): string | null =>
        estimated === null
          ? actual
          : actual === null
            ? `${estimated} (estimated)`
            : `${actual} (estimated: ${estimated})`,
      de: (actual: string | null, estimated: string | null) =>
        estimated === null
          ? actual
          : actual === null
            ? `${estimated} (geschätzt)`
            : `${actual} (geschätzt: ${estimated})`,
    },
    unknownWord: { en: 'Spool doesn’t know this status.', de: 'Spool kennt diesen Status nicht.' },
    defineWord: { en: 'What does it mean?', de: 'Was bedeutet er?' },
    meanings: {
      queued: { en: 'Still waiting', de: 'Wartet noch' },
      working: { en: 'Rendering', de: 'Wird gerendert' },
      done: { en: 'Finished', de: 'Fertig' },
      failed: { en: 'Failed', de: 'Fehlgeschlagen' },
      rejected: { en: 'Refused', de: 'Abgelehnt' },
      cancelled: { en: 'Cancelled', de: 'Abgebrochen' },
    },
    lastAnswer: { en: 'Last response', de: 'Letzte Antwort' },
    path: { en: 'Path', de: 'Pfad' },
    size: { en: 'Size', de: 'Größe' },
    length: { en: 'Length', de: 'Länge' },
    hash: { en: 'SHA-256', de: 'SHA-256' },
    copied: { en: 'Copied', de: 'Kopiert' },
    notCopied: { en: 'The path could not be copied', de: 'Der Pfad konnte nicht kopiert werden' },
    notCopiedMeans: {
      en: 'The clipboard refused it. Select the path and copy it with the keyboard.',
      de: 'Die Zwischenablage hat ihn abgelehnt. Markieren Sie den Pfad und kopieren Sie ihn mit der Tastatur.',
    },
    copyPath: { en: 'Copy path', de: 'Pfad kopieren' },
    play: { en: (title: string) => `Play ${title}`, de: (title: string) => `${title} abspielen` },
    unreadable: {
      en: 'The details could not be read',
      de: 'Die Details konnten nicht geladen werden',
    },
  },
};
