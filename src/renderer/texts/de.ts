import { GERMAN_MESSAGES } from '../../contract/german-messages.ts';
import { newsInGerman } from '../../contract/german-news-words.ts';
import { formatIn } from '../../contract/format-in.ts';
import { deActions } from './de-actions.ts';
import { deActivity } from './de-activity.ts';
import { deAdd } from './de-add.ts';
import { deFailures } from './de-failures.ts';
import { deJobs } from './de-jobs.ts';
import { deLimits } from './de-limits.ts';
import { deProfile } from './de-profile.ts';
import { deSaved } from './de-saved.ts';
import { deServices } from './de-services.ts';
import { deSettings } from './de-settings.ts';
import { deWelcome } from './de-welcome.ts';
import type { Texts } from './en.ts';
import type { ViewTexts } from './en-views.ts';

const say = formatIn('de-DE');

/**
 * The page's texts in German, which address the user as „Sie“. Each thing has one word, here, in
 * `german-messages.ts` and in the system's menus:
 *
 * - batch: Stapel · queue: Warteschlange · timeline: Zeitplan · row: Zeile · request: Anfrage
 * - held: zurückgestellt · paused: pausiert · cancel: abbrechen · abandon: aufgeben
 * - render: erstellen, rendern · download: herunterladen · save (a setting): speichern
 * - uncertain: ungewiss · failed: fehlgeschlagen · refused: abgelehnt · reserved: reserviert
 * - limit: Limit · quota: Kontingent · plan: Tarif · key: Schlüssel · keychain: Schlüsselbund
 * - computer: Computer · disk: Laufwerk · state: Status · identifier: Kennung · update: Update
 */
export const de: Texts = {
  locale: 'de-DE',
  language: 'de',
  news: newsInGerman,

  times: {
    locale: 'de-DE',
    now: 'gerade eben',
    soon: 'gleich',
    // `endSentence` adds no full stop after the abbreviation.
    inMinutes: (minutes) => `in ${minutes} Min.`,
    inAboutMinutes: (minutes) => `in etwa ${minutes} Min.`,
    about: (moment) => `etwa ${moment}`,
    minutesAgo: (minutes) => `vor ${minutes} Min.`,
    minutes: (minutes) => `${minutes} Min.`,
    seconds: (seconds) => `${seconds} s`,
    at: {
      clock: (clock) => `um ${clock}`,
      weekday: (weekday, clock) => `am ${weekday} um ${clock}`,
      date: (date) => `am ${date}`,
    },
    atAbout: {
      clock: (clock) => `gegen ${clock}`,
      weekday: (weekday, clock) => `am ${weekday} gegen ${clock}`,
      date: (date) => `etwa am ${date}`,
    },
  },

  views: {
    queue: 'Warteschlange',
    timeline: 'Zeitplan',
    saved: 'Gespeichert',
    activity: 'Aktivität',
    limits: 'Limits',
    settings: 'Einstellungen',
    add: 'Videos hinzufügen',
    welcome: 'Willkommen',
  },

  frame: {
    navigation: 'Ansichten',
    services: 'Dienste',
    thisComputer: 'Dieser Computer',
    serviceAt: (name, host) => `${name} (${host})`,
    waitingCount: (count) => `${count} wartend`,
    inProgress: (count) => `${count} in Arbeit`,
    savedCount: (count) => `${count} gespeichert`,
    noVideos: 'Keine Videos',
    limits: 'Limits',
    details: 'Details',
    close: 'Schließen',
    cancel: 'Abbrechen',
    starting: 'Spool startet',
    startingSentence: 'Die Verbindung zur Warteschlange wird hergestellt.',
    dropNow: 'Zum Prüfen loslassen',
    pasteName: 'Eingefügte Zeilen',
  },

  ...deJobs,
  ...deActions,
  failures: deFailures,
  sentences: GERMAN_MESSAGES,
  saved: deSaved,

  when: {
    saved: (when) => `fertig ${when}`,
    needsYou: 'wartet auf Sie',
    onHold: 'zurückgestellt',
    estimateReason: 'Geschätzt nach der Dauer früherer Videos.',
    sendReason: 'Sobald der Dienst das nächste Video annimmt.',
    reservedNow: 'jetzt',
  },

  queue: {
    columns: {
      title: 'Titel',
      batch: 'Stapel',
      state: 'Status',
      when: 'Wann',
      file: 'Datei',
      length: 'Länge',
      size: 'Größe',
    },
    search: 'Titel suchen',
    allBatches: 'Alle Videos',
    chooseBatch: 'Stapel wählen',
    savedOf: (saved, total) => `${saved} von ${total} gespeichert`,
    doneBy: (when) => `fertig ${when}`,
    allDone: 'alles fertig',
    filters: { all: 'Alle', open: 'Offen', attention: 'Wartet auf Sie', saved: 'Gespeichert' },
    show: 'Anzeigen',
    noMatch: (search) => `Kein Titel enthält „${search}“`,
    noMatchSentence: 'Gesucht wird nur in Titeln, und nur in den hier gezeigten Zeilen.',
    clearSearch: 'Suche löschen',
    nothingHere: {
      all: 'Hier ist nichts',
      open: 'Alles ist fertig',
      attention: 'Nichts wartet auf Sie',
      saved: 'Noch nichts gespeichert',
    },
    nothingHereSentence: 'Andere Zeilen dieses Stapels finden Sie unter einem anderen Filter.',
    showAll: 'Alle zeigen',
    unreadable: 'Die Zeilen konnten nicht geladen werden',
    unreadableSentence: 'Die Liste füllt sich wieder, sobald die Verbindung steht.',
    tryAgain: 'Erneut versuchen',
    table: 'Videos in der Warteschlange',
    reading: 'Wird geladen …',
    selected: (count) => `${count} ausgewählt`,
    clearSelection: 'Auswahl aufheben',
    anyState: 'Jeder Status',
    chooseState: 'Status wählen',
    undecided: (count) =>
      count === 1 ? '1 Video ist ungewiss' : say`${count} Videos sind ungewiss`,
    undecidedSentence: 'Spool sendet nichts erneut, bis Sie entscheiden.',
    decide: 'Entscheiden',
    progress: (saved, total) => `${saved} von ${total} Videos sind gespeichert`,
    attention: (count) => say`${count} ${count === 1 ? 'wartet' : 'warten'} auf Sie`,
    stopsHere: 'pausiert hier',
    sooner: 'vorgezogen',
    later: 'nachrangig',
  },

  uncertain: {
    title: 'Wurde es angenommen?',
    sentence:
      'Die Verbindung endete vor der Antwort des Dienstes. Es gilt als verbraucht, bis Sie entscheiden, damit nichts doppelt bezahlt wird.',
    accepted: 'Es wurde angenommen',
    acceptedSentence:
      'Geben Sie die Kennung aus der Videoliste des Dienstes ein. Spool lädt das Video dann herunter.',
    remoteId: 'Kennung des Videos',
    resend: 'Erneut senden',
    resendSentence: 'Nur, wenn der Dienst kein solches Video hat: Sonst zahlen Sie doppelt.',
    abandon: 'Aufgeben',
    abandonSentence: 'Nicht weiter verfolgen. Die Einheit zählt weiter als verbraucht.',
    confirm: 'Bestätigen',
  },

  details: {
    request: 'Anfrage',
    history: 'Verlauf',
    file: 'Datei',
    service: 'Dienst',
    row: (row) => `Zeile ${row}`,
    identifier: 'Kennung',
    word: 'Status beim Dienst',
    check: 'Prüfen Sie dieses Video',
    costs: 'Kosten',
    cost: (actual, estimated) =>
      estimated === null
        ? actual
        : actual === null
          ? `${estimated} (geschätzt)`
          : `${actual} (geschätzt: ${estimated})`,
    unknownWord: 'Spool kennt diesen Status nicht.',
    teach: 'Was bedeutet es?',
    meanings: {
      queued: 'Wartet noch',
      working: 'In Arbeit',
      done: 'Fertig',
      failed: 'Fehlgeschlagen',
      rejected: 'Abgelehnt',
      cancelled: 'Abgebrochen',
    },
    lastAnswer: 'Letzte Antwort',
    path: 'Pfad',
    size: 'Größe',
    length: 'Länge',
    hash: 'SHA-256',
    copied: 'Kopiert',
    notCopied: 'Der Pfad konnte nicht kopiert werden',
    notCopiedMeans:
      'Die Zwischenablage hat ihn abgelehnt. Markieren Sie den Pfad und kopieren Sie ihn mit der Tastatur.',
    copyPath: 'Pfad kopieren',
    play: (title) => `${title} abspielen`,
    unreadable: 'Die Details konnten nicht geladen werden',
  },

  problems: {
    lost: 'Spool war nicht erreichbar',
    lostMeans:
      'Vielleicht kam das nicht bei Spool an. Sehen Sie nach, sobald die Verbindung steht, und versuchen Sie es dann bei Bedarf erneut.',
    recovered: 'Spool wurde zuletzt unerwartet beendet',
    recoveredMeans:
      'Es ist nichts verloren: Die Warteschlange macht dort weiter, wo sie war. Was geschehen ist, steht im Protokoll (Hilfe, Protokolle zeigen).',
    dismiss: 'Ausblenden',
    viewUnavailable: 'Diese Ansicht konnte nicht geladen werden',
    viewUnavailableMeans: 'Spool wurde vielleicht aktualisiert. Laden Sie die Seite neu.',
    reload: 'Neu laden',
  },

  limits: deLimits,

  status: {
    pause: (service) => (service === null ? 'Pause' : `${service} pausieren`),
    resume: (service) => (service === null ? 'Weiter' : `${service} fortsetzen`),
    paused: 'Pausiert',
    pausedSentence: {
      sending: 'Es wird nichts mehr gesendet; Gesendetes wird noch heruntergeladen.',
      everything: 'Es wird nichts gesendet, abgefragt oder heruntergeladen.',
    },
    pauseWhat: 'Was pausiert wird',
    resumeWhat: 'Was fortgesetzt wird',
    pauses: {
      sending: (service) => (service === null ? 'Senden pausieren' : `${service} pausieren`),
      everything: (service) =>
        service === null ? 'Alles pausieren' : `Alles bei ${service} pausieren`,
    },
    blocked: 'Blockiert',
    idle: 'Nichts zu tun',
    submitting: (count) => `${count} beim Senden`,
    rendering: (count) => `${count} in Arbeit`,
    downloading: (count) => `${count} im Download`,
    waiting: (count) => `${count} wartend`,
    held: (count) => `${count} zurückgestellt`,
    done: (when) => `fertig ${when}`,
    nextSend: (when) => `nächste Anfrage ${when}`,
  },

  offline: {
    unknown: {
      happened: 'Keine Verbindung zu Spool',
      means:
        'Was Sie sehen, ist vielleicht veraltet. Die Arbeit geht ohne dieses Fenster weiter; es verbindet sich automatisch wieder.',
    },
    'not-running': {
      happened: 'Spool läuft nicht',
      means:
        'Was Sie sehen, ist vielleicht veraltet. Starten Sie Spool neu, dann geht es auf dieser Seite weiter. Falls nicht, öffnen Sie den Link, den Spool ausgibt.',
    },
    moved: {
      happened: 'Spool wurde neu gestartet',
      means: 'Wechseln Sie zum neuen Spool, sobald Sie Ihre Eingaben hier nicht mehr brauchen.',
    },
    unverified: {
      happened: 'Unter der Adresse von Spool antwortet ein anderes Programm',
      means:
        'Diese Seite sendet ihm nichts. Schließen Sie sie, starten Sie Spool neu und öffnen Sie den Link, den es ausgibt. Ist Spool unter dieser Adresse wieder erreichbar, geht es hier weiter.',
    },
    tryNow: 'Jetzt versuchen',
    continueThere: 'Weiter',
  },

  worker: {
    elsewhere: (pid) => `Ein anderes Spool arbeitet an dieser Warteschlange (Prozess ${pid})`,
    elsewhereMeans:
      'Wahrscheinlich ein Befehl im Terminal. Sie können zusehen und von hier aus eingreifen; wenn es endet, geht es hier weiter.',
    silent: (pid) =>
      `Das Spool, das an dieser Warteschlange arbeitet, antwortet nicht (Prozess ${pid})`,
    silentMeans:
      'Was Sie sehen, ist vielleicht veraltet. Wenn es im Terminal mit Strg+Z angehalten wurde, geht es dort mit „fg“ weiter; wenn es hängt, beenden Sie es. So oder so geht es hier automatisch weiter, und nichts geht verloren.',
    ended: 'Das andere Spool hat sich beendet',
    endedMeans: 'Gleich geht es hier an derselben Stelle weiter.',
    triesAgain: 'Die Warteschlange öffnet sich hier, sobald das möglich ist.',
  },

  blocked: {
    untrusted: 'Dem Zertifikat des Dienstes wird nicht vertraut',
    addCertificate: 'Zertifikat hinzufügen',
    keyNotKept:
      'Ein Schlüssel bleibt nur, bis Spool beendet wird; warum, steht in den Einstellungen.',
    goesOn: (when) => `Es geht ${when} automatisch weiter.`,
    tryNow: 'Jetzt versuchen',
  },

  empty: {
    title: 'Ziehen Sie eine Tabelle hierher',
    sentence:
      'Jede Zeile wird ein Video. Spool prüft alle Zeilen und zeigt, wann jedes Video gespeichert sein wird, bevor etwas gesendet oder verbraucht wird.',
    button: 'Videos hinzufügen',
    savedTitle: 'Fertige Videos landen hier',
    savedSentence: 'Sobald das erste gespeichert ist, können Sie es auf dieser Seite abspielen.',
    savedButton: 'Zur Warteschlange',
    timelineTitle: 'Noch ist nichts geplant',
    timelineSentence: 'Fügen Sie Videos hinzu, um jedes von der Anfrage bis zur Datei zu sehen.',
  },

  timeline: {
    table: 'Der Plan, eine Zeile je Video',
    title: 'Titel',
    plan: 'Plan',
    now: 'jetzt',
    renders: 'Rendern',
    fetches: 'Download',
    line: (sends, saved) => `Anfrage ${sends}, gespeichert etwa ${saved}`,
    resets: { generate: 'Anfragen wieder frei', quota: 'Kontingent erneuert' },
    span: 'Zeitraum',
    spans: { hours: '3 Stunden', day: '1 Tag', week: '1 Woche' },
  },

  updates: {
    downloading: (version) => `Version ${version} wird geladen.`,
    ready: (version) => `Version ${version} ist bereit.`,
    readyMeans: 'Sie wird installiert, wenn Sie Spool beenden.',
    waits: 'Sie wartet, bis der laufende Stapel fertig ist.',
    restart: 'Jetzt neu starten',
    later: 'Später',
  },

  key: {
    title: 'API-Schlüssel',
    sentence: (service) =>
      `${service === null ? 'Im Studio dieses Computers' : `Bei ${service}`}: Settings, Developer API, Generate API Key. Er wird dort nur einmal gezeigt.`,
    label: 'Schlüssel',
    placeholder: 'svc_live_…',
    show: 'Eingabe anzeigen',
    save: 'Diesen Schlüssel verwenden',
    accepted: 'Der Dienst nimmt den Schlüssel an',
    untested: 'Der Dienst hat nicht geantwortet',
    untestedMeans: 'Die nächste Anfrage prüft den Schlüssel.',
    unchanged:
      'Der Dienst hat nicht geantwortet. Der bisherige Schlüssel gilt weiter. Versuchen Sie es später noch einmal.',
    untilClosed: 'Der Schlüssel bleibt nur, bis Spool beendet wird',
    refused: 'Der Dienst lehnt diesen Schlüssel ab',
    ownLabel: 'Bezeichnung (optional)',
    labelIsKey: 'Das ist ein Schlüssel. Eine Bezeichnung wird angezeigt, ein Schlüssel nie.',
  },
};

/** Texts of the views. All German texts are one script, loaded when German is selected. */
export const deViews: ViewTexts = {
  welcome: deWelcome,
  activity: deActivity,
  add: deAdd,
  settings: deSettings,
  profile: deProfile,
  services: deServices,
};
