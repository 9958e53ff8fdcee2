import type { enFailures } from './en-failures.ts';

export const deFailures: typeof enFailures = {
  'batch-unreadable': {
    happened: 'Der Stapel war nicht zu lesen',
    means: 'Nichts wurde hinzugefügt oder verbraucht.',
  },
  'batch-empty': {
    happened: 'Der Stapel hat keine Zeilen',
    means: 'Nichts wurde hinzugefügt oder verbraucht.',
  },
  'column-missing': {
    happened: 'Eine Spalte fehlt',
    means: 'Nichts wurde hinzugefügt oder verbraucht.',
  },
  'value-invalid': {
    happened: 'Ein Wert passt nicht',
    means: 'Nichts wurde hinzugefügt oder verbraucht.',
  },
  'template-faulty': {
    happened: 'Die Anfrage lässt sich nicht füllen',
    means: 'Nichts wurde hinzugefügt oder verbraucht.',
  },
  'key-missing': {
    happened: 'Es gibt keinen API-Schlüssel',
    means: 'Bis dahin wird nichts gesendet. Jedes Video behält seinen Platz.',
  },
  'key-refused': {
    happened: 'Der Dienst lehnt den API-Schlüssel ab',
    means: 'Bis er wieder gilt, wird nichts gesendet. Jedes Video behält seinen Platz.',
  },
  'keychain-unusable': {
    happened: 'Der Schlüsselbund des Systems lässt sich nicht benutzen',
    means: 'Der Schlüssel wird nicht mehr benutzt, liegt aber vielleicht noch dort.',
  },
  'quota-used-up': {
    happened: 'Das Kontingent dieses Monats ist verbraucht',
    means: 'Gesendete Videos werden noch geholt. Die anderen warten auf den nächsten Monat.',
  },
  'rate-limited': {
    happened: 'Der Dienst bittet um eine Pause',
    means: 'Es geht von selbst weiter. Nichts wurde verbraucht.',
  },
  'service-unreachable': {
    happened: 'Der Dienst ist nicht zu erreichen',
    means: 'Es wird von selbst erneut versucht. Jedes Video behält seinen Platz.',
  },
  'service-refused': {
    happened: 'Der Dienst hat die Anfrage abgelehnt',
    means: 'Sie hat nichts gekostet. Die anderen Videos laufen weiter.',
  },
  'service-refuses-all': {
    happened: 'Der Dienst lehnt jede Anfrage ab',
    means:
      'Vielleicht stimmt seine Adresse nicht. Die anderen Videos warten; versuchen Sie die abgelehnten danach noch einmal.',
  },
  'answer-unreadable': {
    happened: 'Die Antwort des Dienstes war nicht zu lesen',
    means: 'Es wird erneut gefragt. Die Antwort steht unten, wie sie kam.',
  },
  'outcome-unknown': {
    happened: 'Der Ausgang ist ungewiss',
    means: 'Es gilt als verbraucht, bis Sie entscheiden. Die anderen Videos laufen weiter.',
  },
  'render-failed': {
    happened: 'Der Dienst konnte dieses Video nicht erstellen',
    means: 'Nur fertige Videos zählen zum Kontingent. Die anderen Videos laufen weiter.',
  },
  'download-failed': {
    happened: 'Das Video ließ sich nicht holen',
    means: 'Es ist erstellt und bezahlt; es erneut zu holen kostet nichts.',
  },
  'file-damaged': {
    happened: 'Die Datei ist beschädigt',
    means: 'Das Video selbst liegt sicher beim Dienst: Es erneut zu holen kostet nichts.',
  },
  'disk-full': {
    happened: 'Die Festplatte ist voll',
    means: 'Downloads warten, bis Platz ist. Nichts geht verloren.',
  },
  'folder-unusable': {
    happened: 'In den Ordner lässt sich nicht schreiben',
    means: 'Downloads warten, bis es geht. Nichts geht verloren.',
  },
  'job-unknown': {
    happened: 'Dieses Video ist nicht mehr in der Warteschlange',
    means: 'Die Liste hat sich geändert, seit sie gezeigt wurde.',
  },
  'batch-unknown': {
    happened: 'Diesen Stapel gibt es nicht mehr',
    means: 'Die Liste hat sich geändert, seit sie gezeigt wurde.',
  },
  'not-possible-now': {
    happened: 'Das geht jetzt nicht',
    means: 'Das Video ist weiter, als es gezeigt wurde.',
  },
  'in-use': {
    happened: 'Ein anderes Spool arbeitet an diesen Videos',
    means: 'Nur eines zugleich darf senden, damit nichts doppelt bezahlt wird.',
  },
  'store-damaged': {
    happened: 'Die Datei der Warteschlange war beschädigt',
    means: 'Die letzte gute Kopie gilt; spätere Videos sind als ungewiss markiert.',
  },
  'store-copied': {
    happened: 'Diese Warteschlange ist eine Kopie',
    means:
      'Ihre Videos sind dort, wo sie lag, vielleicht schon gesendet. Sehen Sie nach, bevor es hier weitergeht.',
  },
  'store-newer': {
    happened: 'Die Warteschlange stammt von einem neueren Spool',
    means: 'Nichts wurde geändert. Mit einer Aktualisierung geht es weiter.',
  },
};
