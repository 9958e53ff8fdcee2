/** Downloads, links and saved files. */
export const downloadMessages = {
  'disk-was-full': { en: 'The disk is full.', de: 'Das Laufwerk war voll.' },
  'folder-was-unwritable': {
    en: 'The folder could not be written to.',
    de: 'In den Ordner ließ sich nicht schreiben.',
  },
  'link-limit-reached': {
    en: 'No further download link can be requested yet.',
    de: 'Derzeit kann kein weiterer Download-Link angefordert werden.',
  },
  'no-new-link': {
    en: 'The service gave no new download link.',
    de: 'Der Dienst hat keinen neuen Download-Link ausgestellt.',
  },
  'download-server-busy': {
    en: 'The server asked Spool to wait.',
    de: 'Der Server hat Spool gebeten zu warten.',
  },
  'download-server-unreachable': {
    en: 'The server could not be reached.',
    de: 'Der Server war nicht erreichbar.',
  },
  'download-address-blocked': {
    en: '{host} has an address of a VPN or mobile network, which the settings do not allow.',
    de: '{host} hat eine Adresse eines VPN oder Mobilfunknetzes, und die Einstellungen erlauben das nicht.',
  },
  'file-gone': {
    en: 'Its file is no longer where it was saved.',
    de: 'Die Datei ist nicht mehr am Speicherort.',
  },
  'named-file-gone': {
    en: '{name} is no longer where it was saved.',
    de: '{name} ist nicht mehr am Speicherort.',
  },
  'named-file-damaged': { en: '{name} is damaged.', de: '{name} ist beschädigt.' },
  'named-file-unreadable': {
    en: '{name} could not be read ({code}).',
    de: '{name} ließ sich nicht lesen ({code}).',
  },
  'file-is-none': { en: 'It is not a file.', de: 'An dieser Stelle liegt keine Datei.' },
  'file-of-other-size': {
    en: 'It has {found} bytes instead of {expected}.',
    de: 'Sie hat {found} Bytes statt {expected}.',
  },
  'file-cut': { en: 'Its end is missing.', de: 'Ihr Ende fehlt.' },
  'file-changed': { en: 'Its content has changed.', de: 'Ihr Inhalt hat sich geändert.' },
  'file-no-video': {
    en: 'It does not begin like a video.',
    de: 'Sie beginnt nicht wie ein Video.',
  },
  'file-box-impossible': {
    en: 'A box in it has an impossible size.',
    de: 'Ein Abschnitt darin hat eine unmögliche Größe.',
  },
  'file-boxes-too-many': {
    en: 'It has more parts than any video.',
    de: 'Sie hat mehr Teile als jedes Video.',
  },
  'file-header-damaged': { en: 'Its header is damaged.', de: 'Ihr Kopf ist beschädigt.' },
  'file-no-video-track': { en: 'It has no video track.', de: 'Sie hat keine Videospur.' },

  'link-no-address': { en: 'The link is not a web address.', de: 'Der Link ist keine Webadresse.' },
  'link-with-login': {
    en: 'The link carries a user name or password.',
    de: 'Der Link enthält einen Benutzernamen oder ein Passwort.',
  },
  'link-not-https': {
    en: 'The link is not an https address.',
    de: 'Der Link ist keine https-Adresse.',
  },
  'link-not-public': {
    en: 'The link leads to {host}, which is not a public address.',
    de: 'Der Link führt zu {host}, und das ist keine öffentliche Adresse.',
  },
  'link-of-other-origin': {
    en: 'The link leads to {host}, which the service profile does not allow for files.',
    de: 'Der Link führt zu {host}. Das Dienstprofil erlaubt diese Adresse nicht für Dateien.',
  },
  'target-busy': {
    en: 'Another download is writing this file.',
    de: 'Ein anderer Download schreibt gerade diese Datei.',
  },
  'redirects-too-often': {
    en: 'The link redirects too often.',
    de: 'Der Link leitet zu oft weiter.',
  },
  'redirects-nowhere': { en: 'The link redirects to nowhere.', de: 'Der Link leitet ins Leere.' },
  'sent-no-video': {
    en: 'The server sent something that is not a video.',
    de: 'Der Server hat etwas gesendet, das kein Video ist.',
  },
  'sent-endless': {
    en: 'The server sent {sent:bytes} without stating the file’s size, and did not stop.',
    de: 'Der Server hat {sent:bytes} gesendet, ohne die Größe der Datei zu nennen, und nicht aufgehört.',
  },
  'sent-empty': {
    en: 'The server sent an empty file.',
    de: 'Der Server hat eine leere Datei gesendet.',
  },
  'sent-compressed': {
    en: 'The server sent the video compressed, which cannot be resumed.',
    de: 'Der Server hat das Video komprimiert gesendet; so lässt sich der Download nicht fortsetzen.',
  },
  'answers-senseless': {
    en: 'The server’s answers make no sense.',
    de: 'Die Antworten des Servers ergeben keinen Sinn.',
  },
  'file-unwritable': {
    en: 'The file could not be written ({code}).',
    de: 'Die Datei ließ sich nicht schreiben ({code}).',
  },
  'video-damaged-there': {
    en: 'The video on the server is damaged.',
    de: 'Das Video auf dem Server ist beschädigt.',
  },
  'link-refused': {
    en: 'The server no longer accepts the download link.',
    de: 'Der Server akzeptiert den Download-Link nicht mehr.',
  },
  'file-server-untrusted': {
    en: '{host} could not prove that it is the server of the file ({code}). Check the network and this computer’s clock, then download the video again.',
    de: '{host} konnte sich nicht als der Server der Datei ausweisen ({code}). Prüfen Sie das Netzwerk und die Uhr dieses Computers und laden Sie das Video dann erneut herunter.',
  },
} as const;
