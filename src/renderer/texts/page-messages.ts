/**
 * Messages of the engine that the page words differently. A technical cause (`{cause}` or
 * `{code}`) is shown behind “Details” (`technicalCause`).
 */
export const pageMessages = {
  // It appears below a notice that already says that there is no video.
  'render-failed-there': { en: 'The service says “{word}”.', de: 'Der Dienst meldet „{word}“.' },
  'certificate-wrong': {
    en: '{host} could not prove that it is the service, so nothing was sent to it.',
    de: '{host} konnte sich nicht als der Dienst ausweisen; es wurde nichts dorthin gesendet.',
  },
  'keychain-unusable-because': {
    en: 'This computer’s keychain cannot be used.',
    de: 'Der Schlüsselbund dieses Computers lässt sich nicht verwenden.',
  },
  'connection-broke': {
    en: 'The connection to {host} broke.',
    de: 'Die Verbindung zu {host} ist abgebrochen.',
  },
  'proxy-unreachable': {
    en: 'The proxy {proxy} could not be reached. Are its address and this computer’s connection right?',
    de: 'Der Proxy {proxy} ist nicht erreichbar. Stimmen seine Adresse und die Verbindung dieses Computers?',
  },
  'file-server-untrusted': {
    en: '{host} could not prove that it is the server of the file. Check the network and this computer’s clock, then download the video again.',
    de: '{host} konnte sich nicht als der Server der Datei ausweisen. Prüfen Sie das Netzwerk und die Uhr dieses Computers und laden Sie das Video dann erneut herunter.',
  },
  'file-unwritable': {
    en: 'The file could not be written.',
    de: 'Die Datei ließ sich nicht schreiben.',
  },
} as const;
