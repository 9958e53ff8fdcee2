import type { enActions } from './en-actions.ts';

const videos = (count: number): string => (count === 1 ? '1 Video' : `${count} Videos`);

export const deActions: typeof enActions = {
  does: {
    'go-queue': 'Zur Warteschlange',
    'go-timeline': 'Zum Zeitplan',
    'go-saved': 'Zu den gespeicherten Videos',
    'go-activity': 'Zur Aktivität',
    'go-limits': 'Zu den Grenzen',
    'go-settings': 'Zu den Einstellungen',
    add: 'Videos hinzufügen',
    welcome: 'Erste Schritte',
    search: 'Titel suchen',
    palette: 'Befehl oder Video finden',
    keys: 'Liste der Tasten',
    pause: 'Senden pausieren',
    pauseEverything: 'Alles pausieren',
    resumeQueue: 'Warteschlange fortsetzen',
    decide: 'Über ungewisse Videos entscheiden',
    retryFailed: 'Alles Gescheiterte neu erstellen',
    selectAll: 'Alle wählen',
    enterKey: 'API-Schlüssel eingeben',
    light: 'Helle Farben',
    dark: 'Dunkle Farben',
    systemTheme: 'Farben wie das System',
    back: 'Schließen oder Auswahl aufheben',
    open: 'Öffnen',
    show: 'Im Ordner zeigen',
    verify: 'Datei prüfen',
    edit: 'Bearbeiten',
    hold: 'Anhalten',
    resume: 'Fortsetzen',
    confirm: 'Einreihen',
    retry: 'Neu erstellen',
    fetch: 'Erneut holen',
    cancel: 'Absagen',
    sooner: 'Früher senden',
    usual: 'Der Reihe nach senden',
    later: 'Später senden',
    first: 'Ganz nach oben',
    up: 'Nach oben',
    down: 'Nach unten',
    last: 'Ganz ans Ende',
    stopBefore: 'Vor diesem pausieren',
    goPast: 'Vor diesem nicht pausieren',
  },

  actionGroups: {
    go: 'Ansichten',
    queue: 'Warteschlange',
    rows: 'Gewählte Videos',
    order: 'Reihenfolge',
    page: 'Seite',
  },

  actions: {
    letGo: 'Aufgeben',
    menu: 'Was damit geschieht',
    more: 'Mehr',
    order: 'Reihenfolge',
    did: {
      hold: (count) => `${videos(count)} angehalten`,
      resume: (count) => `${videos(count)} wieder in der Warteschlange`,
      cancel: (count) => `${videos(count)} zurückgezogen`,
      retry: (count) => `${videos(count)} erneut eingereiht`,
      fetch: (count) => `${videos(count)} werden erneut geholt`,
    },
    refused: (count) => `${videos(count)} ließen sich nicht ändern`,
    cancelTitle: (count) => `${videos(count)} zurückziehen?`,
    cancelSentence:
      'Was nicht gesendet wurde, kostet nichts. Was schon gesendet ist, hat sein Kontingent verbraucht und wird aufgegeben.',
    cancelConfirm: 'Zurückziehen',
    retryFailed: (count) => `${videos(count)} neu erstellen`,
    retryTitle: (count) => `${videos(count)} neu erstellen?`,
    retrySentence: (count) =>
      count === 1
        ? 'Das kostet 1 von Ihrem Kontingent, wenn der Dienst es annimmt.'
        : `Das kostet bis zu ${count} von Ihrem Kontingent.`,
  },

  palette: {
    title: 'Befehl oder Video finden',
    placeholder: 'Was möchten Sie tun?',
    results: 'Gefunden',
    videos: 'Filme',
    batches: 'Stapel',
    showBatch: (name) => `${name} zeigen`,
    nothing: (search) => `Nichts heißt „${search}“`,
  },

  keys: {
    title: 'Tastatur',
    list: 'In einer Liste',
    move: 'Bewegen',
    extend: 'Mehr wählen',
    toggle: 'Eines dazu wählen',
    open: 'Einzelheiten öffnen oder schließen',
    menu: 'Was damit geschieht',
    ends: 'Erstes, letztes',
  },

  edit: {
    title: 'Bearbeiten, bevor es gesendet wird',
    sentence: 'Die Anfrage geht genau so hinaus, wie sie hier steht.',
    name: 'Titel in der Liste',
    nameFault: 'Ein Titel von höchstens 200 Zeichen',
    numberFault: 'Eine Zahl',
    jsonFault: 'Das ist kein JSON',
    save: 'Speichern',
    saved: 'Die Anfrage ist geändert',
  },
};
