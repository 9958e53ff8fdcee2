import { GERMAN_SENTENCES } from '../../contract/german-sentences.ts';
import { deActions } from './de-actions.ts';
import { deAdd } from './de-add.ts';
import { deActivity } from './de-activity.ts';
import { deFailures } from './de-failures.ts';
import { deJobs } from './de-jobs.ts';
import { deLimits } from './de-limits.ts';
import { deProfile } from './de-profile.ts';
import { deSaved } from './de-saved.ts';
import { deSettings } from './de-settings.ts';
import { deWelcome } from './de-welcome.ts';
import type { Texts } from './en.ts';

/** Every word the page says, in German. */
export const de: Texts = {
  locale: 'de-DE',
  languageName: 'Deutsch',

  times: {
    locale: 'de-DE',
    now: 'gerade eben',
    soon: 'gleich',
    inMinutes: (minutes) => `in ${minutes} min`,
    inAboutMinutes: (minutes) => `in etwa ${minutes} min`,
    about: (moment) => `etwa ${moment}`,
    minutesAgo: (minutes) => `vor ${minutes} min`,
    minutes: (minutes) => `${minutes} min`,
    seconds: (seconds) => `${seconds} s`,
  },

  views: {
    queue: 'Warteschlange',
    timeline: 'Zeitplan',
    saved: 'Gespeichert',
    activity: 'Aktivität',
    limits: 'Grenzen',
    settings: 'Einstellungen',
    add: 'Videos hinzufügen',
    welcome: 'Erste Schritte',
  },

  frame: {
    navigation: 'Ansichten',
    limits: 'Grenzen',
    details: 'Einzelheiten',
    close: 'Schließen',
    cancel: 'Abbrechen',
    starting: 'Startet',
    startingSentence: 'Sucht nach dem Dienst, der die Arbeit macht.',
  },

  ...deJobs,
  ...deActions,
  failures: deFailures,
  sentences: GERMAN_SENTENCES,
  saved: deSaved,
  welcome: deWelcome,
  activity: deActivity,
  add: deAdd,

  when: {
    sends: (when) => `sendet ${when}`,
    saved: (when) => `fertig ${when}`,
    notThisCycle: 'nicht diesen Monat',
    needsYou: 'braucht Sie',
    onHold: 'angehalten',
    estimateReason: 'Geschätzt nach der Dauer früherer Videos.',
    sendReason: 'Sobald die Stundengrenze des Dienstes es zulässt.',
    reservedNow: 'jetzt',
  },

  queue: {
    columns: {
      title: 'Titel',
      batch: 'Stapel',
      state: 'Zustand',
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
    notAllThisCycle: 'nicht alle passen in diesen Monat',
    allDone: 'alles fertig',
    filters: { all: 'Alle', open: 'Offen', attention: 'Braucht Sie', saved: 'Gespeichert' },
    show: 'Zeigen',
    noMatch: (search) => `Kein Titel enthält „${search}“`,
    noMatchSentence: 'Die Suche sieht nur Titel an, und nur die hier gezeigten Zeilen.',
    clearSearch: 'Suche löschen',
    nothingHere: {
      all: 'Hier ist nichts',
      open: 'Alles ist fertig',
      attention: 'Nichts braucht Sie',
      saved: 'Noch nichts gespeichert',
    },
    nothingHereSentence: 'Andere Zeilen dieses Stapels stehen unter einem anderen Filter.',
    showAll: 'Alle zeigen',
    unreadable: 'Die Zeilen waren nicht zu lesen',
    unreadableSentence: 'Die Liste füllt sich wieder, sobald eine Antwort kommt.',
    tryAgain: 'Noch einmal',
    table: 'Videos in der Warteschlange',
    reading: 'Liest …',
    selected: (count) => `${count} gewählt`,
    clearSelection: 'Auswahl aufheben',
    anyState: 'Jeder Zustand',
    chooseState: 'Zustand wählen',
    undecided: (count) => (count === 1 ? '1 Video ist ungewiss' : `${count} Videos sind ungewiss`),
    undecidedSentence:
      'Der Dienst hat vielleicht angenommen. Bis Sie entscheiden, wird nichts erneut gesendet.',
    decide: 'Entscheiden',
    progress: (saved, total) => `${saved} von ${total} Videos sind gespeichert`,
    attention: (count) => `${count} brauchen Sie`,
    stopsHere: 'pausiert hier',
    sooner: 'geht früher',
    later: 'geht später',
  },

  uncertain: {
    title: 'Wurde es angenommen?',
    sentence:
      'Die Verbindung endete vor der Antwort des Dienstes. Es gilt als verbraucht, bis Sie entscheiden, damit nichts doppelt bezahlt wird.',
    made: 'Es wurde erstellt',
    madeSentence: 'Nennen Sie die Kennung aus der Liste des Dienstes; von dort wird es geholt.',
    remoteId: 'Kennung des Videos',
    sendAgain: 'Noch einmal senden',
    sendAgainSentence: 'Nur wenn der Dienst kein solches Video hat: sonst zahlen Sie doppelt.',
    letGo: 'Aufgeben',
    letGoSentence: 'Hier aufhören. Die Einheit bleibt als verbraucht gezählt.',
    confirm: 'Bestätigen',
  },

  details: {
    request: 'Anfrage',
    history: 'Verlauf',
    file: 'Datei',
    service: 'Dienst',
    row: (row) => `Zeile ${row}`,
    identifier: 'Kennung',
    word: 'Sein Wort',
    unknownWord: 'Kein bekanntes Wort. Der Dienst wird gefragt, bis es klar ist.',
    teach: 'Was bedeutet es?',
    meanings: {
      queued: 'Wartet noch',
      working: 'In Arbeit',
      done: 'Fertig',
      failed: 'Gescheitert',
      rejected: 'Abgelehnt',
      cancelled: 'Abgesagt',
    },
    lastAnswer: 'Letzte Antwort',
    path: 'Pfad',
    size: 'Größe',
    length: 'Länge',
    hash: 'SHA-256',
    copied: 'Kopiert',
    copyPath: 'Pfad kopieren',
    play: (title) => `${title} abspielen`,
    unreadable: 'Die Einzelheiten waren nicht zu lesen',
  },

  problems: {
    lost: 'Das kam nicht an',
    lostMeans: 'Nichts wurde geändert. Noch einmal, sobald die Verbindung steht.',
    recovered: 'Spool endete zuletzt unerwartet',
    recoveredMeans:
      'Nichts ist verloren: Die Warteschlange geht weiter, wo sie war. Was geschah, zeigt Hilfe, Protokolle zeigen.',
    dismiss: 'Ausblenden',
  },

  limits: deLimits,

  status: {
    pause: 'Pause',
    resume: 'Weiter',
    paused: 'Pausiert',
    pausedSentence: {
      sending: 'Nichts mehr wird gesendet; Gesendetes wird noch geholt.',
      everything: 'Nichts wird gesendet, beobachtet oder geholt.',
    },
    pauseWhat: 'Was pausieren',
    pauseSending: 'Senden pausieren',
    pauseEverything: 'Alles pausieren',
    blocked: 'Blockiert',
    idle: 'Nichts zu tun',
    submitting: (count) => `sendet ${count}`,
    rendering: (count) => `in Arbeit ${count}`,
    downloading: (count) => `lädt ${count}`,
    waiting: (count) => `wartet ${count}`,
    nextSend: (when) => `nächste Anfrage ${when}`,
  },

  offline: {
    happened: 'Keine Verbindung zum Dienst auf diesem Computer',
    means:
      'Was Sie sehen, kann alt sein. Die Arbeit geht ohne dieses Fenster weiter; es verbindet sich von selbst.',
    tryNow: 'Jetzt versuchen',
  },

  worker: {
    elsewhere: (pid) => `Ein anderes Spool arbeitet an dieser Warteschlange (Prozess ${pid})`,
    elsewhereMeans:
      'Wohl ein Befehl im Terminal. Sie sehen ihm zu und können es von hier aus lenken; endet es, geht es hier weiter.',
    ended: 'Das Spool, das an dieser Warteschlange arbeitete, hat sich beendet',
    endedMeans: 'Gleich geht es hier weiter, wo es stand.',
    triesAgain: 'Hier öffnet sich die Warteschlange, sobald es geht.',
  },

  blocked: {
    keyNotKept:
      'Ein Schlüssel bleibt nur, bis Spool beendet wird; warum, steht in den Einstellungen.',
    goesOn: (when) => `Geht ${when} von selbst weiter.`,
    tryNow: 'Jetzt versuchen',
  },

  empty: {
    title: 'Legen Sie eine Tabelle hier ab',
    sentence:
      'Eine Zeile ist ein Video. Spool prüft jede Zeile und zeigt, wann jedes gespeichert sein wird, bevor etwas gesendet oder verbraucht ist.',
    button: 'Videos hinzufügen',
    savedTitle: 'Fertige Videos landen hier',
    savedSentence: 'Sobald das erste gespeichert ist, lässt es sich auf dieser Seite abspielen.',
    savedButton: 'Zur Warteschlange',
    timelineTitle: 'Nichts ist geplant',
    timelineSentence:
      'Fügen Sie Videos hinzu, und ihr Weg von der Anfrage zur Datei steht hier im Bild.',
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
    span: 'Spanne',
    spans: { hours: '3 Stunden', day: '1 Tag', week: '1 Woche' },
  },

  updates: {
    downloading: (version) => `Fassung ${version} wird geholt.`,
    ready: (version) => `Fassung ${version} ist bereit.`,
    readyMeans: 'Sie wird eingespielt, wenn Sie beenden.',
    waits: 'Sie wartet auf den Stapel, der unterwegs ist.',
    restart: 'Jetzt neu starten',
    later: 'Später',
  },

  key: {
    title: 'API-Schlüssel',
    sentence: (service) =>
      `Von ${service}: Settings, Developer API, Generate API Key. Er wird dort einmal gezeigt.`,
    label: 'Schlüssel',
    placeholder: 'svc_live_…',
    show: 'Zeigen, was ich tippe',
    save: 'Diesen Schlüssel nutzen',
    accepted: 'Der Dienst nimmt den Schlüssel an',
    kept: 'Der Schlüssel ist hinterlegt und wird mit der nächsten Anfrage versucht',
    untilClosed: 'Der Schlüssel bleibt, bis Spool geschlossen wird',
    refused: 'Der Dienst lehnt diesen Schlüssel ab',
    ownLabel: 'Bezeichnung (freiwillig)',
    labelIsKey: 'Das ist ein Schlüssel. Eine Bezeichnung wird gezeigt, ein Schlüssel nie.',
  },

  settings: deSettings,
  profile: deProfile,
};
