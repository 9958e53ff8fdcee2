/** The page’s connection to Spool, and other processes that run the queue. */
export const connectionTexts = {
  problems: {
    lost: { en: 'Spool could not be reached', de: 'Spool war nicht erreichbar' },
    lostMeans: {
      en: 'Spool may not have received this. Check once it is connected, then try again if necessary.',
      de: 'Vielleicht kam das nicht bei Spool an. Sehen Sie nach, sobald die Verbindung steht, und versuchen Sie es dann bei Bedarf erneut.',
    },
    recovered: {
      en: 'Spool ended unexpectedly last time',
      de: 'Spool wurde zuletzt unerwartet beendet',
    },
    results: {
      en: (batch: string) => `Table of results of ${batch}`,
      de: (batch: string) => `Ergebnistabelle von ${batch}`,
    },
    recoveredMeans: {
      en: 'Nothing is lost. The queue continues where it was. See Help, Show logs for details.',
      de: 'Es ist nichts verloren: Die Warteschlange macht dort weiter, wo sie war. Was geschehen ist, steht im Protokoll (Hilfe, Protokolle zeigen).',
    },
    dismiss: { en: 'Dismiss', de: 'Ausblenden' },
    viewUnavailable: {
      en: 'This view could not be loaded',
      de: 'Diese Ansicht konnte nicht geladen werden',
    },
    viewUnavailableMeans: {
      en: 'Spool may have been updated. Reload the page to continue.',
      de: 'Spool wurde vielleicht aktualisiert. Laden Sie die Seite neu.',
    },
    reload: { en: 'Reload', de: 'Neu laden' },
  },

  offline: {
    unknown: {
      happened: { en: 'Not connected to Spool', de: 'Keine Verbindung zu Spool' },
      means: {
        en: 'What you see may be out of date. Rendering continues without this window, which reconnects automatically.',
        de: 'Was Sie sehen, ist vielleicht veraltet. Die Arbeit geht ohne dieses Fenster weiter; es verbindet sich automatisch wieder.',
      },
    },
    'not-running': {
      happened: { en: 'Spool is not running', de: 'Spool läuft nicht' },
      means: {
        en: 'What you see may be out of date. Start Spool again, and this page continues there; if it does not, open the link that Spool prints.',
        de: 'Was Sie sehen, ist vielleicht veraltet. Starten Sie Spool neu, dann geht es auf dieser Seite weiter. Falls nicht, öffnen Sie den Link, den Spool ausgibt.',
      },
    },
    moved: {
      happened: { en: 'Spool was restarted', de: 'Spool wurde neu gestartet' },
      means: {
        en: 'Continue in the new Spool when you no longer need what you have entered here.',
        de: 'Wechseln Sie zum neuen Spool, sobald Sie Ihre Eingaben hier nicht mehr brauchen.',
      },
    },
    unverified: {
      happened: {
        en: 'Another program answers at Spool’s address',
        de: 'Unter der Adresse von Spool antwortet ein anderes Programm',
      },
      means: {
        en: 'This page sends nothing to it. Close the page, start Spool again and open the link that it prints. If Spool comes back at this address, the page continues.',
        de: 'Diese Seite sendet ihm nichts. Schließen Sie sie, starten Sie Spool neu und öffnen Sie den Link, den es ausgibt. Ist Spool unter dieser Adresse wieder erreichbar, geht es hier weiter.',
      },
    },
    tryNow: { en: 'Try now', de: 'Jetzt versuchen' },
    continueThere: { en: 'Continue', de: 'Weiter' },
  },

  worker: {
    elsewhere: {
      en: (pid: number) => `Another Spool is running this queue (process ${pid})`,
      de: (pid: number) => `Ein anderes Spool arbeitet an dieser Warteschlange (Prozess ${pid})`,
    },
    elsewhereMeans: {
      en: 'Most likely a command in a terminal. You can watch and control it from here. When it ends, this window takes over.',
      de: 'Wahrscheinlich ein Befehl im Terminal. Sie können zusehen und von hier aus eingreifen; wenn es endet, geht es hier weiter.',
    },
    silent: {
      en: (pid: number) => `The Spool running this queue does not respond (process ${pid})`,
      de: (pid: number) =>
        `Das Spool, das an dieser Warteschlange arbeitet, antwortet nicht (Prozess ${pid})`,
    },
    silentMeans: {
      en: 'What you see may be out of date. If it was stopped in a terminal with Ctrl-Z, enter “fg” there to continue it; if it hangs, end it. Either way, this window recovers automatically and nothing is lost.',
      de: 'Was Sie sehen, ist vielleicht veraltet. Wenn es im Terminal mit Strg+Z angehalten wurde, geht es dort mit „fg“ weiter; wenn es hängt, beenden Sie es. So oder so geht es hier automatisch weiter, und nichts geht verloren.',
    },
    ended: {
      en: 'The Spool running this queue has ended',
      de: 'Das andere Spool hat sich beendet',
    },
    endedMeans: {
      en: 'This window takes over in a moment, from the same point.',
      de: 'Gleich geht es hier an derselben Stelle weiter.',
    },
    triesAgain: {
      en: 'This window opens the queue as soon as it can.',
      de: 'Die Warteschlange öffnet sich hier, sobald das möglich ist.',
    },
  },
};
