import { english, german } from '../../contract/format-in.ts';

/** The queue, its empty states and the timeline. */
export const queueTexts = {
  /** The table's column "when". */
  when: {
    saved: { en: (when: string) => `saved ${when}`, de: (when: string) => `fertig ${when}` },
    needsYou: { en: 'needs attention', de: 'wartet auf Sie' },
    onHold: { en: 'on hold', de: 'zurückgestellt' },
    estimateReason: {
      en: 'Estimated from how long earlier videos took.',
      de: 'Geschätzt nach der Dauer früherer Videos.',
    },
    sendReason: {
      en: 'As soon as the service takes another video.',
      de: 'Sobald der Dienst das nächste Video annimmt.',
    },
    reservedNow: { en: 'now', de: 'jetzt' },
  },

  queue: {
    columns: {
      mark: { en: 'State symbol', de: 'Statussymbol' },
      picture: { en: 'Picture', de: 'Bild' },
      title: { en: 'Title', de: 'Titel' },
      batch: { en: 'Batch', de: 'Stapel' },
      state: { en: 'State', de: 'Status' },
      when: { en: 'When', de: 'Wann' },
      file: { en: 'File', de: 'Datei' },
      length: { en: 'Length', de: 'Länge' },
      size: { en: 'Size', de: 'Größe' },
    },
    columnsMenu: { en: 'Columns', de: 'Spalten' },
    inSections: { en: 'In sections', de: 'In Abschnitten' },
    sortByQueue: { en: 'In the order of sending', de: 'In der Reihenfolge des Versands' },
    sortBy: {
      en: (column: string) => `Sort by: ${column}`,
      de: (column: string) => `Sortieren nach: ${column}`,
    },
    resetWidths: { en: 'Default widths', de: 'Standardbreiten' },
    videosOfRow: {
      en: (count: number, variants: string) => `${count} videos: ${variants}`,
      de: (count: number, variants: string) => `${count} Videos: ${variants}`,
    },
    showVideosOfRow: {
      en: 'Show each video of this row',
      de: 'Die Videos dieser Zeile einzeln anzeigen',
    },
    sections: {
      now: { en: 'Now', de: 'Jetzt' },
      attention: { en: 'Needs attention', de: 'Wartet auf Sie' },
      next: { en: 'Next', de: 'Als Nächstes' },
      later: { en: 'Later', de: 'Später' },
      laterUntil: {
        en: (when: string) => `Waiting until ${when}`,
        de: (when: string) => `Wartet bis ${when}`,
      },
      finished: { en: 'Finished', de: 'Fertig' },
      saved: {
        en: (count: string) => `${count} saved`,
        de: (count: string) => `${count} gespeichert`,
      },
      cancelled: {
        en: (count: string) => `${count} cancelled`,
        de: (count: string) => `${count} abgebrochen`,
      },
      clear: { en: 'Clear', de: 'Aufräumen' },
    },
    /** The card of a batch that has ended. */
    end: {
      title: {
        en: (name: string) => `${name} is finished`,
        de: (name: string) => `${name} ist fertig`,
      },
      saved: {
        en: (count: string) => `${count} saved`,
        de: (count: string) => `${count} gespeichert`,
      },
      free: { en: 'free', de: 'kostenlos' },
      ofQuota: {
        en: (count: string) => `${count} of your quota`,
        de: (count: string) => `${count} von Ihrem Kontingent`,
      },
      about: {
        en: (amount: string) => `about ${amount}`,
        de: (amount: string) => `etwa ${amount}`,
      },
      units: {
        video: {
          en: (count: string) => (count === '1' ? '1 video' : `${count} videos`),
          de: (count: string) => (count === '1' ? '1 Video' : `${count} Videos`),
        },
        second: {
          en: (count: string) => `${count} ${count === '1' ? 'second' : 'seconds'} of video`,
          de: (count: string) => `${count} ${count === '1' ? 'Sekunde' : 'Sekunden'} Video`,
        },
        credit: {
          en: (count: string) => (count === '1' ? '1 credit' : `${count} credits`),
          de: (count: string) => (count === '1' ? '1 Credit' : `${count} Credits`),
        },
        money: { en: (count: string) => count, de: (count: string) => count },
      },
      playAll: { en: 'Play all', de: 'Alle abspielen' },
      folder: { en: 'Show folder', de: 'Ordner zeigen' },
      export: { en: 'Export', de: 'Exportieren' },
      dismiss: { en: 'Dismiss', de: 'Ausblenden' },
    },
    search: { en: 'Search titles', de: 'Titel suchen' },
    allBatches: { en: 'All videos', de: 'Alle Videos' },
    chooseBatch: { en: 'Select a batch', de: 'Stapel wählen' },
    savedOf: {
      en: (saved: string, total: string) => `${saved} of ${total} saved`,
      de: (saved: string, total: string) => `${saved} von ${total} gespeichert`,
    },
    doneBy: { en: (when: string) => `done ${when}`, de: (when: string) => `fertig ${when}` },
    allDone: { en: 'all done', de: 'alles fertig' },
    filters: {
      all: { en: 'All', de: 'Alle' },
      open: { en: 'Open', de: 'Offen' },
      attention: { en: 'Needs attention', de: 'Wartet auf Sie' },
      saved: { en: 'Saved', de: 'Gespeichert' },
      archived: { en: 'Archived', de: 'Archiviert' },
    },
    show: { en: 'Show', de: 'Anzeigen' },
    noMatch: {
      en: (search: string) => `No title contains “${search}”`,
      de: (search: string) => `Kein Titel enthält „${search}“`,
    },
    noMatchSentence: {
      en: 'Search covers the titles of the rows shown here.',
      de: 'Gesucht wird in den Titeln der hier gezeigten Zeilen.',
    },
    searchArchive: { en: 'Search the archive', de: 'Archiv durchsuchen' },
    clearSearch: { en: 'Clear search', de: 'Suche löschen' },
    nothingHere: {
      all: { en: 'Nothing here', de: 'Hier ist nichts' },
      open: { en: 'Everything is finished', de: 'Alles ist fertig' },
      attention: { en: 'Nothing needs attention', de: 'Nichts wartet auf Sie' },
      saved: { en: 'Nothing saved yet', de: 'Noch nichts gespeichert' },
      archived: { en: 'Nothing archived yet', de: 'Noch nichts archiviert' },
    },
    nothingHereSentence: {
      en: 'Other rows of this batch are under a different filter.',
      de: 'Andere Zeilen dieses Stapels finden Sie unter einem anderen Filter.',
    },
    showAll: { en: 'Show all', de: 'Alle zeigen' },
    unreadable: { en: 'The rows could not be read', de: 'Die Zeilen konnten nicht geladen werden' },
    unreadableSentence: {
      en: 'They appear again once Spool is connected.',
      de: 'Die Liste füllt sich wieder, sobald die Verbindung steht.',
    },
    tryAgain: { en: 'Try again', de: 'Erneut versuchen' },
    table: { en: 'Videos in the queue', de: 'Videos in der Warteschlange' },
    reading: { en: 'Loading…', de: 'Wird geladen …' },
    selected: {
      en: (count: string) => `${count} selected`,
      de: (count: string) => `${count} ausgewählt`,
    },
    clearSelection: { en: 'Clear selection', de: 'Auswahl aufheben' },
    anyState: { en: 'All states', de: 'Alle Status' },
    chooseState: { en: 'Select a state', de: 'Status wählen' },
    undecided: {
      en: (count: number) =>
        count === 1 ? '1 video is uncertain' : english`${count} videos are uncertain`,
      de: (count: number) =>
        count === 1 ? '1 Video ist ungewiss' : german`${count} Videos sind ungewiss`,
    },
    undecidedSentence: {
      en: 'Spool won’t resend anything until you decide.',
      de: 'Spool sendet nichts erneut, bis Sie entscheiden.',
    },
    notSaved: {
      en: (count: number) =>
        count === 1 ? '1 video has no file' : english`${count} videos have no file`,
      de: (count: number) =>
        count === 1 ? '1 Video hat keine Datei' : german`${count} Videos haben keine Datei`,
    },
    times: {
      en: (count: number, reason: string) => english`${count} × ${reason}`,
      de: (count: number, reason: string) => german`${count} × ${reason}`,
    },
    decide: { en: 'Decide', de: 'Entscheiden' },
    progress: {
      en: (saved: string, total: string) => `${saved} of ${total} videos are saved`,
      de: (saved: string, total: string) => `${saved} von ${total} Videos sind gespeichert`,
    },
    attention: {
      en: (count: number) => (count === 1 ? '1 needs attention' : english`${count} need attention`),
      de: (count: number) => german`${count} ${count === 1 ? 'wartet' : 'warten'} auf Sie`,
    },
    stopsHere: { en: 'pauses here', de: 'pausiert hier' },
    sooner: { en: 'high priority', de: 'vorgezogen' },
    later: { en: 'low priority', de: 'nachrangig' },
  },

  uncertain: {
    title: { en: 'Was it accepted?', de: 'Wurde es angenommen?' },
    sentence: {
      en: 'The connection was lost before the service answered. Spool won’t resend the request until you decide, so that no video is rendered twice.',
      de: 'Die Verbindung endete vor der Antwort des Dienstes. Spool sendet die Anfrage nicht erneut, bis Sie entscheiden, damit kein Video doppelt gerendert wird.',
    },
    accepted: { en: 'It was accepted', de: 'Es wurde angenommen' },
    acceptedSentence: {
      en: 'Enter its identifier from the service’s list of videos. Spool then downloads it.',
      de: 'Geben Sie die Kennung aus der Videoliste des Dienstes ein. Spool lädt das Video dann herunter.',
    },
    remoteId: { en: 'Video identifier', de: 'Kennung des Videos' },
    resend: { en: 'Resend', de: 'Erneut senden' },
    resendSentence: {
      en: 'Only if the service has no such video. Otherwise it is rendered twice.',
      de: 'Nur wenn der Dienst kein solches Video hat. Sonst wird es doppelt gerendert.',
    },
    abandon: { en: 'Abandon', de: 'Aufgeben' },
    abandonSentence: {
      en: 'Stop following it. A service that counts videos counts this one.',
      de: 'Nicht weiter verfolgen. Ein Dienst, der Videos zählt, zählt dieses mit.',
    },
    confirm: { en: 'Confirm', de: 'Bestätigen' },
  },

  empty: {
    title: { en: 'Drop a spreadsheet here', de: 'Ziehen Sie eine Tabelle hierher' },
    sentence: {
      en: 'Each row becomes one video. Spool checks every row and shows when each will be saved, before anything is sent or spent.',
      de: 'Jede Zeile wird ein Video. Spool prüft alle Zeilen und zeigt, wann jedes Video gespeichert sein wird, bevor etwas gesendet oder verbraucht wird.',
    },
    button: { en: 'Add videos', de: 'Videos hinzufügen' },
    welcome: { en: 'Choose where to render', de: 'Festlegen, wo gerendert wird' },
    savedTitle: { en: 'Finished videos appear here', de: 'Fertige Videos erscheinen hier' },
    savedSentence: {
      en: 'Once the first one is saved, you can play it on this page.',
      de: 'Sobald das erste gespeichert ist, können Sie es auf dieser Seite abspielen.',
    },
    savedButton: { en: 'Go to the queue', de: 'Zur Warteschlange' },
    savedArchivedTitle: {
      en: 'The saved videos are in the archive',
      de: 'Die gespeicherten Videos sind im Archiv',
    },
    savedArchivedSentence: {
      en: 'Their files are still in their folders.',
      de: 'Die Dateien liegen weiterhin in ihren Ordnern.',
    },
    savedArchivedButton: { en: 'Show the archive', de: 'Archiv anzeigen' },
    timelineTitle: { en: 'Nothing is planned', de: 'Noch ist nichts geplant' },
    timelineSentence: {
      en: 'Add videos to see each one from its request to its file.',
      de: 'Fügen Sie Videos hinzu, um jedes von der Anfrage bis zur Datei zu sehen.',
    },
  },

  timeline: {
    table: { en: 'Plan, one line per video', de: 'Der Plan, eine Zeile je Video' },
    title: { en: 'Title', de: 'Titel' },
    plan: { en: 'Plan', de: 'Plan' },
    now: { en: 'now', de: 'jetzt' },
    renders: { en: 'render', de: 'Rendern' },
    fetches: { en: 'download', de: 'Download' },
    line: {
      en: (sends: string, saved: string) => `request ${sends}, saved about ${saved}`,
      de: (sends: string, saved: string) => `Anfrage ${sends}, gespeichert etwa ${saved}`,
    },
    resets: {
      generate: { en: 'requests available again', de: 'Anfragen wieder frei' },
      quota: { en: 'quota resets', de: 'Kontingent erneuert' },
    },
    span: { en: 'Span', de: 'Zeitraum' },
    spans: {
      fit: { en: 'Fit', de: 'Passend' },
      minutes: { en: '10 min', de: '10 Min.' },
      hours: { en: '3 h', de: '3 Std.' },
      day: { en: '1 day', de: '1 Tag' },
      week: { en: '1 week', de: '1 Woche' },
      month: { en: '1 month', de: '1 Monat' },
    },
  },
};
