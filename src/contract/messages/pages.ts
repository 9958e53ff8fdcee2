/** Desktop functions, and the web host’s answers to browsers. */
export const pageMessages = {
  'computer-cannot': {
    en: 'This computer cannot do that from here.',
    de: 'Das ist von hier aus auf diesem Computer nicht möglich.',
  },
  'folder-not-yet': {
    en: 'The folder {folder} is created with the first video.',
    de: 'Der Ordner {folder} wird mit dem ersten Video angelegt.',
  },
  'start-at-login-refused': {
    en: 'Spool could not change whether it starts when you log in: {trouble}',
    de: 'Spool konnte nicht ändern, ob es bei der Anmeldung startet: {trouble}',
  },
  'no-update-now': {
    en: 'No newer version can be installed now.',
    de: 'Gerade lässt sich kein Update installieren.',
  },
  'not-saved-yet': {
    en: 'This video is not saved yet.',
    de: 'Dieses Video ist noch nicht gespeichert.',
  },
  'file-moved': {
    en: 'The file is not where it was saved.',
    de: 'Die Datei ist nicht am Speicherort.',
  },
  'cannot-be-opened': {
    en: 'It cannot be opened: {trouble}',
    de: 'Es lässt sich nicht öffnen: {trouble}',
  },
  'profile-unchanged': {
    en: 'The response mapping of the service on this computer cannot be changed.',
    de: 'Das Antwortformat des Dienstes auf diesem Computer lässt sich nicht ändern.',
  },
  'no-program': {
    en: 'This computer has no program to open it with.',
    de: 'Auf diesem Computer gibt es kein Programm, das es öffnet.',
  },

  'page-here-only': {
    en: 'Spool does not answer at this address. Open the link that it printed.',
    de: 'Unter dieser Adresse antwortet Spool nicht. Öffnen Sie den Link, den es ausgegeben hat.',
  },
  'page-no-other-site': {
    en: 'Other sites may not access Spool.',
    de: 'Andere Websites dürfen nicht auf Spool zugreifen.',
  },
  'page-origin-needed': {
    en: 'The connection does not name its origin.',
    de: 'Die Verbindung nennt ihren Ursprung nicht.',
  },
  'page-only-read': { en: 'This is read-only.', de: 'Hier lässt sich nur lesen.' },
  'page-link-needed': {
    en: 'Open Spool with the link it printed when it started.',
    de: 'Öffnen Sie Spool mit dem Link, den es beim Start ausgegeben hat.',
  },
  'page-link-needed-why': {
    en: 'Spool has a new address each time it starts, and each link works once. Open the latest link that it printed, and close this page. Your queue and your videos are kept.',
    de: 'Bei jedem Start hat Spool eine neue Adresse, und jeder Link gilt nur einmal. Öffnen Sie den neuesten Link, den es ausgegeben hat, und schließen Sie diese Seite. Ihre Warteschlange und Ihre Videos bleiben erhalten.',
  },
  'page-video-moved': {
    en: 'This video is not where it was saved.',
    de: 'Dieses Video ist nicht mehr dort, wo es gespeichert wurde.',
  },
  'page-no-poster': {
    en: 'This video has no poster.',
    de: 'Zu diesem Video gibt es kein Vorschaubild.',
  },
  'page-nothing-here': { en: 'There is nothing here.', de: 'Hier ist nichts.' },
} as const;
