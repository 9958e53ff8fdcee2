/** Texts of menus, tray and notifications, in both languages. The page has its own. */
import type { PAGES } from '../contract/computer.ts';
import type { FileKind } from '../contract/file-kinds.ts';
import { messageIn } from '../contract/message-in.ts';
import type { News } from '../contract/news.ts';
import { newsInEnglish, newsInGerman, type Notice } from '../contract/news-words.ts';
import type { Settings } from '../contract/settings.ts';
import type { UserMessage } from '../contract/user-message.ts';
import type { QueueStatus } from './queue-status.ts';

/** Menu items that every application has, by Electron's names. */
type Role =
  | 'undo'
  | 'redo'
  | 'cut'
  | 'copy'
  | 'paste'
  | 'selectAll'
  | 'resetZoom'
  | 'zoomIn'
  | 'zoomOut'
  | 'togglefullscreen'
  | 'minimize'
  | 'zoom'
  | 'front'
  | 'close'
  | 'about'
  | 'services'
  | 'hide'
  | 'hideOthers'
  | 'unhide'
  | 'quit';

export interface Texts {
  readonly file: string;
  readonly add: string;
  readonly open: string;
  readonly batches: string;
  /** What a dialog calls the files that it shows. */
  readonly fileKinds: Readonly<Record<FileKind, string>>;
  readonly videosFolder: string;
  readonly quit: string;
  readonly edit: string;
  readonly find: string;
  readonly view: string;
  readonly pages: Readonly<Record<(typeof PAGES)[number], string>>;
  /** Labels of Electron's menu roles. */
  readonly roles: Readonly<Record<Role, string>>;
  readonly settings: string;
  /** In the context menu of a field. */
  readonly noSuggestions: string;
  readonly addToDictionary: string;
  readonly queue: string;
  /** @param several whether several services are active; all of them are paused */
  readonly pause: (several: boolean) => string;
  readonly window: string;
  readonly showWindow: string;
  readonly startAtLogin: string;
  readonly updates: string;
  readonly updateKinds: Readonly<Record<Settings['updates'], string>>;
  readonly restartTo: (version: string) => string;
  readonly help: string;
  readonly copyDiagnostics: string;
  readonly logs: string;
  readonly cannotStart: string;
  readonly stopped: string;
  readonly pageCrashes: string;
  readonly pageCrashesDetail: string;
  readonly loadAgain: string;
  /** Translates a message of the engine or host, for use outside the page. */
  readonly translate: (message: UserMessage) => string;
  readonly continuesInTray: string;
  readonly queueStatus: (queueStatus: QueueStatus) => string;
  readonly news: (news: News) => Notice;
}

const en: Texts = {
  file: 'File',
  add: 'Add videos',
  open: 'Open batch…',
  batches: 'Batches',
  fileKinds: {
    picture: 'Pictures',
    clip: 'Videos',
    sound: 'Sounds',
    captions: 'Captions',
    font: 'Fonts',
  },
  videosFolder: 'Open videos folder',
  quit: 'Quit Spool',
  edit: 'Edit',
  find: 'Find',
  view: 'View',
  pages: {
    queue: 'Queue',
    timeline: 'Timeline',
    saved: 'Saved',
    activity: 'Activity',
    limits: 'Limits',
    settings: 'Settings',
  },
  roles: {
    undo: 'Undo',
    redo: 'Redo',
    cut: 'Cut',
    copy: 'Copy',
    paste: 'Paste',
    selectAll: 'Select all',
    resetZoom: 'Actual size',
    zoomIn: 'Zoom in',
    zoomOut: 'Zoom out',
    togglefullscreen: 'Full screen',
    minimize: 'Minimise',
    zoom: 'Zoom',
    front: 'Bring all to front',
    close: 'Close',
    about: 'About Spool',
    services: 'Services',
    hide: 'Hide Spool',
    hideOthers: 'Hide others',
    unhide: 'Show all',
    quit: 'Quit Spool',
  },
  settings: 'Settings…',
  noSuggestions: 'No suggestions',
  addToDictionary: 'Add to dictionary',
  queue: 'Queue',
  pause: (several) => (several ? 'Pause all services' : 'Pause sending'),
  window: 'Window',
  showWindow: 'Open Spool',
  startAtLogin: 'Start at login',
  updates: 'Updates, between batches',
  updateKinds: { stable: 'Stable versions', preview: 'Previews too', off: 'None' },
  restartTo: (version) => `Restart with version ${version}`,
  help: 'Help',
  copyDiagnostics: 'Copy diagnostics',
  logs: 'Show logs',
  cannotStart: 'Spool cannot start',
  stopped: 'Spool has stopped',
  pageCrashes: 'The window keeps crashing',
  pageCrashesDetail: 'Your videos continue without it. See the log for details (Help, Show logs).',
  loadAgain: 'Try again',
  translate: ({ message }) => message,
  continuesInTray: 'Spool keeps working on your videos. Find it in the tray.',
  queueStatus({ open, saved, paused, blocked, held, needAttention }) {
    if (open === 0) {
      if (needAttention > 0)
        return needAttention === 1 ? '1 needs attention' : `${needAttention} need attention`;
      return held > 0 ? `${held} on hold` : 'Nothing to do';
    }
    const share = `${saved} of ${saved + open} saved`;
    return paused ? `Paused · ${share}` : blocked ? `Needs attention · ${share}` : share;
  },
  news: newsInEnglish,
};

const de: Texts = {
  file: 'Datei',
  add: 'Videos hinzufügen',
  open: 'Stapel öffnen …',
  batches: 'Stapel',
  fileKinds: {
    picture: 'Bilder',
    clip: 'Videos',
    sound: 'Tondateien',
    captions: 'Untertitel',
    font: 'Schriften',
  },
  videosFolder: 'Videoordner öffnen',
  quit: 'Spool beenden',
  edit: 'Bearbeiten',
  find: 'Suchen',
  view: 'Ansicht',
  pages: {
    queue: 'Warteschlange',
    timeline: 'Zeitplan',
    saved: 'Gespeichert',
    activity: 'Aktivität',
    limits: 'Limits',
    settings: 'Einstellungen',
  },
  roles: {
    undo: 'Rückgängig',
    redo: 'Wiederholen',
    cut: 'Ausschneiden',
    copy: 'Kopieren',
    paste: 'Einfügen',
    selectAll: 'Alles auswählen',
    resetZoom: 'Originalgröße',
    zoomIn: 'Vergrößern',
    zoomOut: 'Verkleinern',
    togglefullscreen: 'Vollbild',
    minimize: 'Minimieren',
    zoom: 'Zoomen',
    front: 'Alle nach vorne bringen',
    close: 'Schließen',
    about: 'Über Spool',
    services: 'Dienste',
    hide: 'Spool ausblenden',
    hideOthers: 'Andere ausblenden',
    unhide: 'Alle einblenden',
    quit: 'Spool beenden',
  },
  settings: 'Einstellungen …',
  noSuggestions: 'Keine Vorschläge',
  addToDictionary: 'Zum Wörterbuch hinzufügen',
  queue: 'Warteschlange',
  pause: (several) => (several ? 'Alle Dienste pausieren' : 'Senden pausieren'),
  window: 'Fenster',
  showWindow: 'Spool öffnen',
  startAtLogin: 'Bei der Anmeldung starten',
  updates: 'Updates, zwischen Stapeln',
  updateKinds: { stable: 'Stabile Versionen', preview: 'Auch Vorabversionen', off: 'Keine' },
  restartTo: (version) => `Mit Version ${version} neu starten`,
  help: 'Hilfe',
  copyDiagnostics: 'Diagnose kopieren',
  logs: 'Protokolle zeigen',
  cannotStart: 'Spool kann nicht starten',
  stopped: 'Spool wurde beendet',
  pageCrashes: 'Das Fenster stürzt immer wieder ab',
  pageCrashesDetail:
    'Ihre Videos werden ohne das Fenster fertig. Mehr steht im Protokoll (Hilfe, Protokolle zeigen).',
  loadAgain: 'Erneut versuchen',
  translate: (message) => messageIn('de', message),
  continuesInTray: 'Spool arbeitet weiter an Ihren Videos. Sie finden es im Infobereich.',
  queueStatus({ open, saved, paused, blocked, held, needAttention }) {
    if (open === 0) {
      if (needAttention > 0)
        return `${needAttention} ${needAttention === 1 ? 'wartet' : 'warten'} auf Sie`;
      return held > 0 ? `${held} zurückgestellt` : 'Nichts zu tun';
    }
    const share = `${saved} von ${saved + open} gespeichert`;
    return paused ? `Pausiert · ${share}` : blocked ? `Wartet auf Sie · ${share}` : share;
  },
  news: newsInGerman,
};

/** @param system the system's language tag, such as `de-AT` */
export function textsIn(language: Settings['language'], system: string): Texts {
  return textsFor(language === 'system' ? system : language);
}

/** @param locale a language tag such as `de-AT` */
export function textsFor(locale: string): Texts {
  return locale.toLowerCase().split('-')[0] === 'de' ? de : en;
}
