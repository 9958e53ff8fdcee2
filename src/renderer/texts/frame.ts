/** Times, navigation, the status bar and the dialog of the API key. */
export const frameTexts = {
  times: {
    locale: { en: 'en-GB', de: 'de-DE' },
    now: { en: 'just now', de: 'gerade eben' },
    soon: { en: 'in a moment', de: 'in Kürze' },
    inMinutes: {
      en: (minutes: number) => `in ${minutes} min`,
      // `endSentence` adds no full stop after the abbreviation.
      de: (minutes: number) => `in ${minutes} Min.`,
    },
    inAboutMinutes: {
      en: (minutes: number) => `in about ${minutes} min`,
      de: (minutes: number) => `in etwa ${minutes} Min.`,
    },
    inMinutesBetween: {
      en: (from: number, to: number) => `in ${from} to ${to} min`,
      de: (from: number, to: number) => `in ${from} bis ${to} Min.`,
    },
    about: { en: (moment: string) => `about ${moment}`, de: (moment: string) => `etwa ${moment}` },
    between: {
      en: (from: string, to: string) => `between ${from} and ${to}`,
      de: (from: string, to: string) => `zwischen ${from} und ${to} Uhr`,
    },
    minutesAgo: {
      en: (minutes: number) => `${minutes} min ago`,
      de: (minutes: number) => `vor ${minutes} Min.`,
    },
    minutes: {
      en: (minutes: number) => `${minutes} min`,
      de: (minutes: number) => `${minutes} Min.`,
    },
    hours: {
      en: (hours: number) => `${hours} h`,
      de: (hours: number) => `${hours} Std.`,
    },
    seconds: { en: (seconds: number) => `${seconds} s`, de: (seconds: number) => `${seconds} s` },
    at: {
      clock: { en: (clock: string) => `at ${clock}`, de: (clock: string) => `um ${clock}` },
      weekday: {
        en: (weekday: string, clock: string) => `on ${weekday} at ${clock}`,
        de: (weekday: string, clock: string) => `am ${weekday} um ${clock}`,
      },
      date: { en: (date: string) => `on ${date}`, de: (date: string) => `am ${date}` },
    },
    atAbout: {
      clock: {
        en: (clock: string) => `at about ${clock}`,
        de: (clock: string) => `gegen ${clock}`,
      },
      weekday: {
        en: (weekday: string, clock: string) => `on ${weekday} at about ${clock}`,
        de: (weekday: string, clock: string) => `am ${weekday} gegen ${clock}`,
      },
      date: { en: (date: string) => `about ${date}`, de: (date: string) => `etwa am ${date}` },
    },
  },

  views: {
    queue: { en: 'Queue', de: 'Warteschlange' },
    timeline: { en: 'Timeline', de: 'Zeitplan' },
    saved: { en: 'Saved', de: 'Gespeichert' },
    activity: { en: 'Activity', de: 'Aktivität' },
    limits: { en: 'Limits', de: 'Limits' },
    settings: { en: 'Settings', de: 'Einstellungen' },
    add: { en: 'Add videos', de: 'Videos hinzufügen' },
    welcome: { en: 'Welcome', de: 'Willkommen' },
  },

  frame: {
    navigation: { en: 'Views', de: 'Ansichten' },
    services: { en: 'Services', de: 'Dienste' },
    thisComputer: { en: 'This computer', de: 'Dieser Computer' },
    /** In “Pause …”. */
    pausedComputer: { en: 'rendering on this computer', de: 'Rendern auf diesem Computer' },

    /** For services with the same name. */
    serviceAt: {
      en: (name: string, host: string) => `${name} (${host})`,
      de: (name: string, host: string) => `${name} (${host})`,
    },
    waitingCount: {
      en: (count: string) => `${count} waiting`,
      de: (count: string) => `${count} wartend`,
    },
    inProgress: {
      en: (count: string) => `${count} in progress`,
      de: (count: string) => `${count} in Arbeit`,
    },
    savedCount: {
      en: (count: string) => `${count} saved`,
      de: (count: string) => `${count} gespeichert`,
    },
    noVideos: { en: 'No videos', de: 'Keine Videos' },
    limits: { en: 'Limits', de: 'Limits' },
    details: { en: 'Details', de: 'Details' },
    close: { en: 'Close', de: 'Schließen' },
    cancel: { en: 'Cancel', de: 'Abbrechen' },
    starting: { en: 'Starting', de: 'Spool startet' },
    startingSentence: {
      en: 'Connecting to the queue.',
      de: 'Die Verbindung zur Warteschlange wird hergestellt.',
    },
    dropNow: { en: 'Drop to check', de: 'Zum Prüfen loslassen' },
    pasteName: { en: 'Pasted rows', de: 'Eingefügte Zeilen' },
  },

  status: {
    /** @param service its name where other services are active too */
    pause: {
      en: (service: string | null) => (service === null ? 'Pause' : `Pause ${service}`),
      de: (service: string | null) => (service === null ? 'Pause' : `${service} pausieren`),
    },
    resume: {
      en: (service: string | null) => (service === null ? 'Resume' : `Resume ${service}`),
      de: (service: string | null) => (service === null ? 'Weiter' : `${service} fortsetzen`),
    },
    paused: { en: 'Paused', de: 'Pausiert' },
    /** On this computer: its renderer has the next two videos already. */
    pausedHere: {
      sending: {
        en: 'The videos that are next in line are still rendered and saved.',
        de: 'Die nächsten Videos werden noch gerendert und gespeichert.',
      },
      everything: {
        en: 'Videos that are being rendered are finished, and saved later.',
        de: 'Laufende Videos werden fertig gerendert, aber erst später gespeichert.',
      },
    },
    pausedSentence: {
      sending: {
        en: 'Nothing more is sent. Videos already sent are still downloaded.',
        de: 'Es wird nichts mehr gesendet; Gesendetes wird noch heruntergeladen.',
      },
      everything: {
        en: 'Nothing is sent, checked or downloaded.',
        de: 'Es wird nichts gesendet, abgefragt oder heruntergeladen.',
      },
    },
    pauseWhat: { en: 'What to pause', de: 'Was pausiert wird' },
    resumeWhat: { en: 'What to resume', de: 'Was fortgesetzt wird' },
    pauses: {
      sending: {
        en: (service: string | null) => (service === null ? 'Pause sending' : `Pause ${service}`),
        de: (service: string | null) =>
          service === null ? 'Senden pausieren' : `${service} pausieren`,
      },
      everything: {
        en: (service: string | null) =>
          service === null ? 'Pause everything' : `Pause ${service} completely`,
        de: (service: string | null) =>
          service === null ? 'Alles pausieren' : `${service} ganz pausieren`,
      },
    },
    blocked: { en: 'Blocked', de: 'Blockiert' },
    idle: { en: 'Nothing to do', de: 'Nichts zu tun' },
    submitting: {
      en: (count: string) => `${count} sending`,
      de: (count: string) => `${count} im Versand`,
    },
    rendering: {
      en: (count: string) => `${count} rendering`,
      de: (count: string) => `${count} beim Rendern`,
    },
    downloading: {
      en: (count: string) => `${count} downloading`,
      de: (count: string) => `${count} im Download`,
    },
    waiting: {
      en: (count: string) => `${count} waiting`,
      de: (count: string) => `${count} wartend`,
    },
    held: {
      en: (count: string) => `${count} on hold`,
      de: (count: string) => `${count} zurückgestellt`,
    },
    done: { en: (when: string) => `done ${when}`, de: (when: string) => `fertig ${when}` },
    nextSend: {
      en: (when: string) => `next send ${when}`,
      de: (when: string) => `nächste Anfrage ${when}`,
    },
  },

  blocked: {
    untrusted: {
      en: 'The service’s certificate is not trusted',
      de: 'Dem Zertifikat des Dienstes wird nicht vertraut',
    },
    addCertificate: { en: 'Add a certificate', de: 'Zertifikat hinzufügen' },
    keyNotKept: {
      en: 'A key is kept only until Spool closes. See the settings for the reason.',
      de: 'Ein Schlüssel bleibt nur, bis Spool beendet wird; warum, steht in den Einstellungen.',
    },
    goesOn: {
      en: (when: string) => `Resumes automatically ${when}.`,
      de: (when: string) => `Es geht ${when} automatisch weiter.`,
    },
    tryNow: { en: 'Try now', de: 'Jetzt versuchen' },
  },

  updates: {
    downloading: {
      en: (version: string) => `Version ${version} is being downloaded.`,
      de: (version: string) => `Version ${version} wird geladen.`,
    },
    ready: {
      en: (version: string) => `Version ${version} is ready.`,
      de: (version: string) => `Version ${version} ist bereit.`,
    },
    readyMeans: {
      en: 'It is installed when you quit.',
      de: 'Sie wird installiert, wenn Sie Spool beenden.',
    },
    waits: {
      en: 'It waits for the current batch to finish.',
      de: 'Sie wartet, bis der laufende Stapel fertig ist.',
    },
    restart: { en: 'Restart now', de: 'Jetzt neu starten' },
    later: { en: 'Later', de: 'Später' },
  },

  key: {
    title: { en: 'API key', de: 'API-Schlüssel' },

    /** @param service its name; `null` for the one on this computer */
    sentence: {
      en: (service: string | null) =>
        `From ${service ?? 'the studio of this computer'}: Settings, Developer API, Generate API key. It is shown there once.`,
      de: (service: string | null) =>
        `${service === null ? 'Im Studio dieses Computers' : `Bei ${service}`}: Settings, Developer API, Generate API Key. Er wird dort nur einmal gezeigt.`,
    },
    label: { en: 'Key', de: 'Schlüssel' },
    placeholder: { en: 'svc_live_…', de: 'svc_live_…' },
    show: { en: 'Show key', de: 'Eingabe anzeigen' },
    save: { en: 'Use this key', de: 'Diesen Schlüssel verwenden' },
    accepted: { en: 'The service accepts the key', de: 'Der Dienst nimmt den Schlüssel an' },
    untested: { en: 'The service did not answer', de: 'Der Dienst hat nicht geantwortet' },
    untestedMeans: {
      en: 'The next request tests the key.',
      de: 'Die nächste Anfrage prüft den Schlüssel.',
    },
    unchanged: {
      en: 'The service did not answer. The present key stays in use. Try again later.',
      de: 'Der Dienst hat nicht geantwortet. Der bisherige Schlüssel gilt weiter. Versuchen Sie es später noch einmal.',
    },
    untilClosed: {
      en: 'The key is kept until Spool closes',
      de: 'Der Schlüssel bleibt nur, bis Spool beendet wird',
    },
    refused: { en: 'The service refuses this key', de: 'Der Dienst lehnt diesen Schlüssel ab' },
    ownLabel: { en: 'Label (optional)', de: 'Bezeichnung (optional)' },
    labelIsKey: {
      en: 'That is a key. A label is shown on screen; a key never is.',
      de: 'Das ist ein Schlüssel. Eine Bezeichnung wird angezeigt, ein Schlüssel nie.',
    },
  },
};
