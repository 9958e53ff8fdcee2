/** The keychain of this computer. */
export const keyMessages = {
  'keychain-silent': {
    en: 'This computer’s keychain does not respond. Is it waiting for your password?',
    de: 'Der Schlüsselbund dieses Computers antwortet nicht. Wartet er auf eine Eingabe von Ihnen?',
  },
  'keychain-disobeys': {
    en: 'This computer’s keychain does not store keys.',
    de: 'Der Schlüsselbund dieses Computers speichert keine Schlüssel.',
  },
  'keychain-unusable': {
    en: 'This computer’s keychain cannot be used.',
    de: 'Der Schlüsselbund dieses Computers lässt sich nicht verwenden.',
  },
  'keychain-unusable-because': {
    en: 'This computer’s keychain cannot be used ({cause}).',
    de: 'Der Schlüsselbund dieses Computers lässt sich nicht verwenden ({cause}).',
  },
  'key-in-memory': {
    en: 'The API key is kept in memory and asked for again next time.',
    de: 'Der API-Schlüssel bleibt im Arbeitsspeicher; beim nächsten Start wird wieder danach gefragt.',
  },
  'key-not-for-window': {
    en: 'SPOOL_API_KEY is for commands; the window does not use it. Enter the key in the window, where it stays out of every program’s environment.',
    de: 'SPOOL_API_KEY gilt für Befehle; das Fenster verwendet den Schlüssel nicht. Geben Sie ihn im Fenster ein, dort bleibt er aus der Umgebung aller Programme heraus.',
  },
  'keychain-unlock': {
    en: 'Unlock it and test the key again, or enter the key again.',
    de: 'Entsperren Sie ihn und versuchen Sie es noch einmal, oder geben Sie den Schlüssel neu ein.',
  },
  'install-libsecret': {
    en: 'Install libsecret (Debian and Ubuntu call it libsecret-1-0) and start Spool again.',
    de: 'Installieren Sie libsecret (unter Debian und Ubuntu libsecret-1-0) und starten Sie Spool neu.',
  },
  'install-keyring': {
    en: 'Install GNOME Keyring or KWallet if there is neither, unlock it, and start Spool again.',
    de: 'Installieren Sie GNOME Keyring oder KWallet, falls beides fehlt, entsperren Sie den Schlüsselbund und starten Sie Spool neu.',
  },
  'key-may-remain': {
    en: 'The API key is no longer used, but may still be in the keychain: unlock the keychain and delete the entry for Spool.',
    de: 'Der API-Schlüssel wird nicht mehr verwendet, ist aber vielleicht noch im Schlüsselbund gespeichert: Entsperren Sie den Schlüsselbund und löschen Sie den Eintrag für Spool.',
  },
  'checks-limited': {
    en: '{host} answers no more requests for now. Try again in a few minutes.',
    de: '{host} beantwortet gerade keine weiteren Anfragen. Versuchen Sie es in ein paar Minuten noch einmal.',
  },
} as const;
