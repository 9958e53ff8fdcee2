/**
 * Messages of the engine that the page words differently. A technical cause (`{cause}`) is shown
 * behind “Details” (`technicalCause`).
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
} as const;
