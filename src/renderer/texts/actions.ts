import { english, german } from '../../contract/format-in.ts';
import { columnOf, JOB_COMMANDS } from '../../contract/job-commands.ts';
import { UNDO_WORDS } from '../../contract/undo-words.ts';
import { englishVideos, germanVideos } from '../../contract/counted.ts';

/** Texts about actions. The keys of `does` are the names of all actions. */
export const actionTexts = {
  does: {
    'go-queue': { en: 'Go to the queue', de: 'Zur Warteschlange' },
    'go-timeline': { en: 'Go to the timeline', de: 'Zum Zeitplan' },
    'go-saved': { en: 'Go to saved videos', de: 'Zu den gespeicherten Videos' },
    'go-activity': { en: 'Go to the activity', de: 'Zur Aktivität' },
    'go-limits': { en: 'Go to the limits', de: 'Zu den Limits' },
    'go-settings': { en: 'Go to the settings', de: 'Zu den Einstellungen' },
    'go-profile': { en: 'Go to response mapping', de: 'Zum Antwortformat' },
    add: { en: 'Add videos', de: 'Videos hinzufügen' },
    welcome: { en: 'Choose where to render', de: 'Festlegen, wo gerendert wird' },
    search: { en: 'Search titles', de: 'Titel suchen' },
    palette: { en: 'Find a command or a video', de: 'Befehl oder Video finden' },
    keys: { en: 'Keyboard shortcuts', de: 'Tastaturkürzel' },
    pause: { en: 'Pause sending', de: 'Senden pausieren' },
    pauseEverything: { en: 'Pause everything', de: 'Alles pausieren' },
    resumeQueue: { en: 'Resume the queue', de: 'Warteschlange fortsetzen' },
    pauseAllServices: { en: 'Pause all services', de: 'Alle Dienste pausieren' },
    resumeAllServices: { en: 'Resume all services', de: 'Alle Dienste fortsetzen' },
    decide: { en: 'Decide about uncertain videos', de: 'Über ungewisse Videos entscheiden' },
    retryFailed: { en: 'Retry all that failed', de: 'Alle fehlgeschlagenen erneut versuchen' },
    archiveFinished: { en: 'Archive finished batches', de: 'Fertige Stapel archivieren' },
    nextProblem: { en: 'Go to the next error', de: 'Zum nächsten Fehler' },
    undoRepair: { en: 'Undo the last correction', de: 'Letzte Korrektur rückgängig machen' },
    undo: { en: 'Undo the last change', de: 'Letzte Änderung rückgängig machen' },
    undoHistory: { en: 'Show what can be undone', de: 'Zeigen, was sich rückgängig machen lässt' },
    selectAll: { en: 'Select all', de: 'Alle auswählen' },
    enterKey: { en: 'Enter an API key', de: 'API-Schlüssel eingeben' },
    light: { en: 'Light colours', de: 'Helle Farben' },
    dark: { en: 'Dark colours', de: 'Dunkle Farben' },
    systemTheme: { en: 'Match system', de: 'Wie das System' },
    back: { en: 'Close, or clear the selection', de: 'Schließen oder Auswahl aufheben' },
    open: { en: 'Open', de: 'Öffnen' },
    show: { en: 'Show in folder', de: 'Im Ordner anzeigen' },
    play: { en: 'Play', de: 'Abspielen' },
    verify: { en: 'Verify', de: 'Prüfen' },
    rename: { en: 'Rename', de: 'Umbenennen' },
    edit: { en: 'Edit', de: 'Bearbeiten' },
    renderAgain: { en: 'Render again with a change…', de: 'Geändert neu rendern …' },
    copyText: { en: 'Copy text', de: 'Text kopieren' },
    ...columnOf('does'),
    trash: {
      en: 'Remove, and move files to the trash…',
      de: 'Entfernen, Dateien in den Papierkorb …',
    },
    sooner: { en: 'High priority', de: 'Hohe Priorität' },
    usual: { en: 'Normal priority', de: 'Normale Priorität' },
    later: { en: 'Low priority', de: 'Niedrige Priorität' },
    first: { en: 'Move to the top', de: 'Ganz nach oben' },
    up: { en: 'Move up', de: 'Nach oben' },
    down: { en: 'Move down', de: 'Nach unten' },
    last: { en: 'Move to the end', de: 'Ganz ans Ende' },
    stopBefore: { en: 'Pause before this video', de: 'Vor diesem pausieren' },
    dontStopBefore: { en: 'Don’t pause before this video', de: 'Vor diesem nicht pausieren' },
  },

  actionGroups: {
    go: { en: 'Views', de: 'Ansichten' },
    queue: { en: 'Queue', de: 'Warteschlange' },
    rows: { en: 'Selected videos', de: 'Ausgewählte Videos' },
    order: { en: 'Order', de: 'Reihenfolge' },
    page: { en: 'Page', de: 'Seite' },
  },

  actions: {
    /** A lost file on this computer, whose service keeps no copy. */
    renderLost: { en: 'Render again', de: 'Neu rendern' },
    abandon: { en: 'Abandon', de: 'Aufgeben' },
    menu: { en: 'Actions', de: 'Aktionen' },
    more: { en: 'More', de: 'Mehr' },
    order: { en: 'Order', de: 'Reihenfolge' },
    did: columnOf('did'),
    refused: {
      en: (count: number) => `${englishVideos(count)} could not be changed`,
      de: (count: number) =>
        `${germanVideos(count)} ${count === 1 ? 'ließ' : 'ließen'} sich nicht ändern`,
    },
    noneApply: {
      en: (action: string) => `“${action}” applies to none of the selected videos`,
      de: (action: string) => `„${action}“ ist bei keinem der ausgewählten Videos möglich`,
    },
    asks: { cancel: JOB_COMMANDS.cancel.asks },
    /** On this computer, where nothing costs anything. */
    cancelHere: {
      en: (count: number) =>
        count === 1
          ? 'It will not be saved. You can retry it later.'
          : 'They will not be saved. You can retry them later.',
      de: (count: number) =>
        count === 1
          ? 'Es wird nicht gespeichert. Sie können es später erneut versuchen.'
          : 'Sie werden nicht gespeichert. Sie können sie später erneut versuchen.',
    },
    cancelSentence: {
      en: (count: number) =>
        count === 1
          ? 'If it has not been sent, it costs nothing. Otherwise it counts as spent, and the service cancels it if it can.'
          : 'Videos that have not been sent cost nothing. The others count as spent, and the service cancels them if it can.',
      de: (count: number) =>
        count === 1
          ? 'Ist es noch nicht gesendet, kostet es nichts. Sonst gilt es als verbraucht, und der Dienst bricht es ab, wenn er das kann.'
          : 'Noch nicht gesendete Videos kosten nichts. Die anderen gelten als verbraucht, und der Dienst bricht sie ab, wenn er das kann.',
    },
    cancelConfirm: {
      en: (count: number): string => (count === 1 ? 'Cancel video' : 'Cancel videos'),
      de: (count: number) => (count === 1 ? 'Video abbrechen' : 'Videos abbrechen'),
    },
    trashTitle: {
      en: (count: number) => `Remove ${englishVideos(count)} and move the files to the trash?`,
      de: (count: number) =>
        `${germanVideos(count)} entfernen und die Dateien in den Papierkorb legen?`,
    },
    trashSentence: {
      en: 'The files go to the system’s trash. You can restore them from there.',
      de: 'Die Dateien kommen in den Papierkorb. Von dort können Sie sie zurückholen.',
    },
    trashConfirm: { en: 'Move to trash', de: 'In den Papierkorb' },
    trashed: {
      en: (count: number) => `${englishVideos(count)} removed, files in the trash`,
      de: (count: number) => `${germanVideos(count)} entfernt, Dateien im Papierkorb`,
    },
    keep: { en: 'Keep', de: 'Behalten' },
    retryFailed: {
      en: (count: number) => `Retry ${englishVideos(count)}`,
      de: (count: number) => `${germanVideos(count)} erneut versuchen`,
    },
    retryTitle: {
      en: (count: number) => `Retry ${englishVideos(count)}?`,
      de: (count: number) => `${germanVideos(count)} erneut versuchen?`,
    },

    /**
     * @param cost in videos
     * @param hasQuota whether the service counts them
     * @param price an estimate; `null` where none is known
     */
    retrySentence: {
      en: (downloads: number, cost: number, hasQuota: boolean, price: string | null) => {
        const are = downloads === 1 ? 'is' : 'are';
        const free =
          downloads === 0
            ? ''
            : `${englishVideos(downloads)} ${are} downloaded again, which is free. `;
        if (cost === 0) return `${free}This costs nothing.`;
        if (price !== null)
          return `${free}${englishVideos(cost)} will cost about ${price} (estimate), if the service accepts.`;
        if (!hasQuota) {
          return cost === 1
            ? `${free}The service charges for 1 video, if it accepts.`
            : english`${free}The service charges for up to ${cost} videos.`;
        }
        return cost === 1
          ? `${free}This costs 1 video, if the service accepts.`
          : english`${free}This costs up to ${cost} videos.`;
      },
      de: (downloads: number, cost: number, hasQuota: boolean, price: string | null) => {
        const are = downloads === 1 ? 'wird' : 'werden';
        const free =
          downloads === 0
            ? ''
            : `${germanVideos(downloads)} ${are} erneut heruntergeladen; das kostet nichts. `;
        if (cost === 0) return `${free}Das kostet nichts.`;
        if (price !== null)
          return `${free}${germanVideos(cost)} ${cost === 1 ? 'kostet' : 'kosten'} etwa ${price} (geschätzt), wenn der Dienst annimmt.`;
        if (!hasQuota) {
          return cost === 1
            ? `${free}Der Dienst berechnet 1 Video, wenn er es annimmt.`
            : german`${free}Der Dienst berechnet bis zu ${cost} Videos.`;
        }
        return cost === 1
          ? `${free}Das kostet 1 Video, wenn der Dienst es annimmt.`
          : german`${free}Das kostet bis zu ${cost} Videos.`;
      },
    },
    refusedAgain: {
      en: 'The content was refused before. It may be refused again, and the service may charge for that too.',
      de: 'Der Inhalt wurde schon einmal abgelehnt. Der Dienst kann ihn wieder ablehnen und auch das berechnen.',
    },
    refusedLeftOut: {
      en: (count: number): string =>
        count === 1
          ? '1 video that was refused because of its content is left out: change it first.'
          : `${englishVideos(count)} that were refused because of their content are left out: change them first.`,
      de: (count: number) =>
        count === 1
          ? '1 Video, das wegen seines Inhalts abgelehnt wurde, bleibt ausgenommen: Ändern Sie es zuerst.'
          : `${germanVideos(count)}, die wegen ihres Inhalts abgelehnt wurden, bleiben ausgenommen: Ändern Sie sie zuerst.`,
    },
    payAgain: {
      en: (count: number) =>
        count === 1
          ? 'Render 1 video again that the service does not deliver'
          : `Render ${englishVideos(count)} again that the service does not deliver`,
      de: (count: number) =>
        count === 1
          ? '1 Video neu rendern, das der Dienst nicht liefert'
          : `${germanVideos(count)} neu rendern, die der Dienst nicht liefert`,
    },
    /** @param isFree on this computer */
    payAgainHint: {
      en: (count: number, isFree: boolean): string => {
        return isFree
          ? `${count === 1 ? 'It is' : 'They are'} rendered a second time. Otherwise Spool only asks for ${count === 1 ? 'it' : 'them'} again.`
          : `You pay for ${count === 1 ? 'it' : 'them'} a second time. Otherwise Spool only asks for ${count === 1 ? 'it' : 'them'} again, which is free.`;
      },
      de: (count: number, isFree: boolean): string => {
        const videos = count === 1 ? 'dieses Video' : 'diese Videos';
        return isFree
          ? `Spool rendert ${videos} ein zweites Mal. Sonst fragt es nur erneut danach.`
          : `Sie bezahlen ${videos} ein zweites Mal. Sonst fragt Spool nur erneut danach; das kostet nichts.`;
      },
    },
    renderAgain: { en: 'Render again', de: 'Neu rendern' },
    checkAgain: { en: 'Check again', de: 'Erneut nachfragen' },
  },

  palette: {
    title: { en: 'Find a command or a video', de: 'Befehl oder Video finden' },
    placeholder: { en: 'What do you want to do?', de: 'Was möchten Sie tun?' },
    results: { en: 'Results', de: 'Treffer' },
    videos: { en: 'Videos', de: 'Videos' },
    batches: { en: 'Batches', de: 'Stapel' },
    column: {
      en: (column: string) => `Show or hide column: ${column}`,
      de: (column: string) => `Spalte ein- oder ausblenden: ${column}`,
    },
    showBatch: { en: (name: string) => `Show ${name}`, de: (name: string) => `${name} anzeigen` },
    showService: {
      en: (service: string) => `Show ${service}`,
      de: (service: string) => `${service} anzeigen`,
    },
    nothing: {
      en: (search: string) => `Nothing found for “${search}”`,
      de: (search: string) => `Nichts gefunden zu „${search}“`,
    },
  },

  keys: {
    title: { en: 'Keyboard shortcuts', de: 'Tastaturkürzel' },
    list: { en: 'In a list', de: 'In einer Liste' },
    move: { en: 'Move', de: 'Bewegen' },
    extend: { en: 'Select more', de: 'Auswahl erweitern' },
    toggle: { en: 'Select one more', de: 'Einzeln dazuwählen' },
    open: { en: 'Open details', de: 'Details öffnen' },
    menu: { en: 'Actions', de: 'Aktionen' },
    byPage: { en: 'Move by page', de: 'Seitenweise bewegen' },
    ends: { en: 'First, last', de: 'Erstes, letztes' },
  },

  /** As printed on keyboards. */
  keyNames: {
    mod: { en: 'Ctrl', de: 'Strg' },
    alt: { en: 'Alt', de: 'Alt' },
    shift: { en: 'Shift', de: 'Umschalt' },
    enter: { en: 'Enter', de: 'Eingabe' },
    escape: { en: 'Esc', de: 'Esc' },
    delete: { en: 'Del', de: 'Entf' },
    home: { en: 'Home', de: 'Pos1' },
    end: { en: 'End', de: 'Ende' },
    pageup: { en: 'Page Up', de: 'Bild auf' },
    pagedown: { en: 'Page Down', de: 'Bild ab' },
  },

  edit: {
    title: { en: 'Edit before it is sent', de: 'Vor dem Senden bearbeiten' },
    advanced: { en: 'Advanced', de: 'Erweitert' },
    template: { en: 'Request template, JSON', de: 'Vorlage der Anfrage, JSON' },
    templateSentence: {
      en: '{{name}} is replaced by the value of a column.',
      de: '{{name}} wird durch den Wert einer Spalte ersetzt.',
    },
    ownTemplate: {
      en: 'This video has its own request template. {{name}} is replaced by the value of a column.',
      de: 'Dieses Video hat eine eigene Vorlage. {{name}} wird durch den Wert einer Spalte ersetzt.',
    },
    jsonError: { en: 'This is not a JSON object', de: 'Das ist kein JSON-Objekt' },
    refusedTitle: { en: 'Edit and send', de: 'Bearbeiten und senden' },
    send: { en: 'Send', de: 'Senden' },
    sendSame: { en: 'Send the same again…', de: 'Unverändert noch einmal senden …' },
    everything: { en: 'Edit everything…', de: 'Alles bearbeiten …' },
    save: { en: 'Save', de: 'Speichern' },
  },

  editMany: {
    title: {
      en: (count: number) => `Edit ${englishVideos(count)} before they are sent`,
      de: (count: number) => `${germanVideos(count)} vor dem Senden bearbeiten`,
    },
    sentence: {
      en: 'Only fields that you edit change. Where it says “various”, each video keeps its value.',
      de: 'Nur Felder, die Sie bearbeiten, ändern sich. Wo „verschieden“ steht, behält jedes Video seinen Wert.',
    },
    various: { en: 'various', de: 'verschieden' },
    shown: {
      en: (place: string, all: string) => `${place} of ${all}`,
      de: (place: string, all: string) => `${place} von ${all}`,
    },
    previous: { en: 'Previous video', de: 'Vorheriges Video' },
    next: { en: 'Next video', de: 'Nächstes Video' },
    replace: { en: 'Find and replace', de: 'Suchen und ersetzen' },
    column: { en: 'In the column', de: 'In der Spalte' },
    noColumn: { en: 'None', de: 'Keine' },
    find: { en: 'Find', de: 'Suchen' },
    replaceWith: { en: 'Replace with', de: 'Ersetzen durch' },
    ignoreCase: { en: 'Ignore capitals', de: 'Groß- und Kleinschreibung ignorieren' },
    nothingFound: {
      en: 'Nothing changed: the text was not found',
      de: 'Nichts geändert: Der Text kam nicht vor',
    },
    save: { en: 'Change', de: 'Ändern' },
  },

  undo: {
    did: UNDO_WORDS,
    undo: { en: 'Undo', de: 'Rückgängig' },
    undoStep: {
      en: (did: string) => `Undo: ${did}`,
      de: (did: string) => `Rückgängig machen: ${did}`,
    },
    undid: {
      en: (did: string) => `Undone: ${did}`,
      de: (did: string) => `Rückgängig gemacht: ${did}`,
    },
    undone: { en: 'Undone', de: 'Rückgängig gemacht' },
    nothing: { en: 'There is nothing to undo', de: 'Es gibt nichts rückgängig zu machen' },
    title: { en: 'Undo', de: 'Rückgängig machen' },
    sentence: {
      en: 'Recent changes, the newest first. Undoing them is free.',
      de: 'Die letzten Änderungen, die neueste zuerst. Rückgängig machen ist kostenlos.',
    },
  },
};

export type ActionName = keyof typeof actionTexts.does;
