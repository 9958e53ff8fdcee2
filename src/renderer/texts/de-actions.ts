import { formatIn } from '../../contract/format-in.ts';
import type { enActions } from './en-actions.ts';

const say = formatIn('de-DE');

const videos = (count: number): string => (count === 1 ? '1 Video' : say`${count} Videos`);

export const deActions: typeof enActions = {
  does: {
    'go-queue': 'Zur Warteschlange',
    'go-timeline': 'Zum Zeitplan',
    'go-saved': 'Zu den gespeicherten Videos',
    'go-activity': 'Zur Aktivität',
    'go-limits': 'Zu den Limits',
    'go-settings': 'Zu den Einstellungen',
    'go-profile': 'Zur Antwortzuordnung',
    add: 'Videos hinzufügen',
    welcome: 'Willkommen',
    search: 'Titel suchen',
    palette: 'Befehl oder Video finden',
    keys: 'Tastaturkürzel',
    pause: 'Senden pausieren',
    pauseEverything: 'Alles pausieren',
    resumeQueue: 'Warteschlange fortsetzen',
    pauseAllServices: 'Alle Dienste pausieren',
    resumeAllServices: 'Alle Dienste fortsetzen',
    decide: 'Über ungewisse Videos entscheiden',
    retryFailed: 'Alle fehlgeschlagenen erneut versuchen',
    selectAll: 'Alle auswählen',
    enterKey: 'API-Schlüssel eingeben',
    light: 'Helle Farben',
    dark: 'Dunkle Farben',
    systemTheme: 'Wie das System',
    back: 'Schließen oder Auswahl aufheben',
    open: 'Öffnen',
    show: 'Im Ordner anzeigen',
    verify: 'Prüfen',
    rename: 'Umbenennen',
    edit: 'Bearbeiten',
    hold: 'Zurückstellen',
    release: 'Freigeben',
    retry: 'Erneut versuchen',
    downloadAgain: 'Erneut herunterladen',
    cancel: 'Abbrechen',
    sooner: 'Hohe Priorität',
    usual: 'Normale Priorität',
    later: 'Niedrige Priorität',
    first: 'Ganz nach oben',
    up: 'Nach oben',
    down: 'Nach unten',
    last: 'Ganz ans Ende',
    stopBefore: 'Vor diesem pausieren',
    dontStopBefore: 'Vor diesem nicht pausieren',
  },

  actionGroups: {
    go: 'Ansichten',
    queue: 'Warteschlange',
    rows: 'Ausgewählte Videos',
    order: 'Reihenfolge',
    page: 'Seite',
  },

  actions: {
    abandon: 'Aufgeben',
    menu: 'Aktionen',
    more: 'Mehr',
    order: 'Reihenfolge',
    did: {
      hold: (count) => `${videos(count)} zurückgestellt`,
      release: (count) => `${videos(count)} freigegeben`,
      cancel: (count) => `${videos(count)} abgebrochen`,
      retry: (count) => `${videos(count)} erneut eingereiht`,
      downloadAgain: (count) =>
        `${videos(count)} ${count === 1 ? 'wird' : 'werden'} erneut heruntergeladen`,
    },
    refused: (count) => `${videos(count)} ${count === 1 ? 'ließ' : 'ließen'} sich nicht ändern`,
    noneApply: (action) => `„${action}“ ist bei keinem der ausgewählten Videos möglich`,
    cancelTitle: (count) =>
      count === 1 ? 'Dieses Video abbrechen?' : `${videos(count)} abbrechen?`,
    cancelHere: 'Sie werden nicht gespeichert. Was schon gerendert wird, wird aufgegeben.',
    cancelSentence:
      'Was noch nicht gesendet ist, kostet nichts. Was schon gesendet ist, gilt als verbraucht und wird aufgegeben; der Dienst bricht es ab, wenn er das kann.',
    cancelConfirm: (count) => (count === 1 ? 'Video abbrechen' : 'Videos abbrechen'),
    keep: 'Behalten',
    retryFailed: (count) => `${videos(count)} erneut versuchen`,
    retryTitle: (count) => `${videos(count)} erneut versuchen?`,
    retrySentence: (downloads, cost, hasQuota) => {
      const are = downloads === 1 ? 'wird' : 'werden';
      const free =
        downloads === 0
          ? ''
          : `${videos(downloads)} ${are} erneut heruntergeladen; das kostet nichts. `;
      if (cost === 0) return `${free}Das kostet nichts.`;
      if (!hasQuota) {
        return cost === 1
          ? `${free}Der Dienst berechnet 1 Video, wenn er es annimmt.`
          : say`${free}Der Dienst berechnet bis zu ${cost} Videos.`;
      }
      return cost === 1
        ? `${free}Das kostet 1 Video, wenn der Dienst es annimmt.`
        : say`${free}Das kostet bis zu ${cost} Videos.`;
    },
    refusedAgain:
      'Der Inhalt wurde schon einmal abgelehnt. Der Dienst kann ihn wieder ablehnen und auch das berechnen.',
    refusedLeftOut: (count) =>
      count === 1
        ? '1 Video, das wegen seines Inhalts abgelehnt wurde, bleibt ausgenommen: Ändern Sie es zuerst.'
        : `${videos(count)}, die wegen ihres Inhalts abgelehnt wurden, bleiben ausgenommen: Ändern Sie sie zuerst.`,
    payAgain: (count) =>
      count === 1
        ? '1 Video neu erstellen, das der Dienst nicht liefert'
        : `${videos(count)} neu erstellen, die der Dienst nicht liefert`,
    payAgainHint: (count) =>
      count === 1
        ? 'Sie bezahlen es ein zweites Mal. Sonst fragt Spool den Dienst nur erneut danach; das kostet nichts.'
        : 'Sie bezahlen diese Videos ein zweites Mal. Sonst fragt Spool den Dienst nur erneut danach; das kostet nichts.',
    renderAgain: 'Neu erstellen',
    checkAgain: 'Erneut nachfragen',
  },

  palette: {
    title: 'Befehl oder Video finden',
    placeholder: 'Was möchten Sie tun?',
    results: 'Treffer',
    videos: 'Titel',
    batches: 'Stapel',
    showBatch: (name) => `${name} anzeigen`,
    showService: (service) => `${service} anzeigen`,
    nothing: (search) => `Nichts gefunden zu „${search}“`,
  },

  keys: {
    title: 'Tastaturkürzel',
    list: 'In einer Liste',
    move: 'Bewegen',
    extend: 'Auswahl erweitern',
    toggle: 'Einzeln dazuwählen',
    open: 'Details öffnen',
    menu: 'Aktionen',
    byPage: 'Seitenweise bewegen',
    ends: 'Erstes, letztes',
  },

  keyNames: {
    mod: 'Strg',
    alt: 'Alt',
    shift: 'Umschalt',
    enter: 'Eingabe',
    escape: 'Esc',
    delete: 'Entf',
    home: 'Pos1',
    end: 'Ende',
    pageup: 'Bild auf',
    pagedown: 'Bild ab',
  },

  edit: {
    title: 'Vor dem Senden bearbeiten',
    sentence: 'Die Anfrage wird genau so gesendet, wie sie hier steht.',
    name: 'Titel in der Liste',
    nameFault: 'Höchstens 200 Zeichen',
    numberFault: 'Eine Zahl',
    jsonFault: 'Das ist kein JSON',
    refusedTitle: 'Bearbeiten und senden',
    send: 'Senden',
    sendSame: 'Unverändert noch einmal senden …',
    everything: 'Alles bearbeiten …',
    save: 'Speichern',
    saved: 'Die Anfrage ist geändert',
  },
};
