import type { enFailures } from './en-failures.ts';

export const deFailures: typeof enFailures = {
  'batch-unreadable': {
    happened: 'Der Stapel ließ sich nicht lesen',
    means: 'Es wurde nichts hinzugefügt oder verbraucht.',
  },
  'batch-empty': {
    happened: 'Der Stapel hat keine Zeilen',
    means: 'Es wurde nichts hinzugefügt oder verbraucht.',
  },
  'column-missing': {
    happened: 'Eine Spalte fehlt',
    means: 'Es wurde nichts hinzugefügt oder verbraucht.',
  },
  'value-invalid': {
    happened: 'Ein Wert ist ungültig',
    means: 'Es wurde nichts hinzugefügt oder verbraucht.',
  },
  'template-faulty': {
    happened: 'Die Anfrage lässt sich nicht füllen',
    means: 'Es wurde nichts hinzugefügt oder verbraucht.',
  },
  'key-missing': {
    happened: 'Es gibt keinen API-Schlüssel',
    means: 'Ohne ihn wird nichts gesendet. Jedes Video behält seinen Platz.',
  },
  'key-refused': {
    happened: 'Der Dienst lehnt den API-Schlüssel ab',
    means: 'Bis er wieder gilt, wird nichts gesendet. Jedes Video behält seinen Platz.',
  },
  'keychain-unusable': {
    happened: 'Der Schlüsselbund des Systems lässt sich nicht verwenden',
    means: 'Der Schlüssel wird nicht mehr verwendet, liegt aber vielleicht noch dort.',
  },
  'quota-used-up': {
    happened: 'Das Kontingent dieses Monats ist verbraucht',
    means: 'Gesendete Videos werden noch heruntergeladen. Die anderen behalten ihren Platz.',
  },
  'daily-quota-used-up': {
    happened: 'Das heutige Kontingent ist verbraucht',
    means: 'Gesendete Videos werden noch heruntergeladen. Die anderen behalten ihren Platz.',
  },
  'nothing-left': {
    happened: 'Laut Dienst ist nichts mehr übrig',
    means: 'Gesendete Videos werden noch heruntergeladen. Die anderen behalten ihren Platz.',
  },
  'rate-limited': {
    happened: 'Der Dienst bittet um eine Pause',
    means: 'Es geht automatisch weiter. Es wurde nichts verbraucht.',
  },
  'service-unreachable': {
    happened: 'Der Dienst ist nicht erreichbar',
    means: 'Spool versucht es automatisch erneut. Jedes Video behält seinen Platz.',
  },
  'service-refused': {
    happened: 'Der Dienst hat die Anfrage abgelehnt',
    means: 'Ändern Sie die Anfrage und senden Sie sie; die anderen Videos laufen weiter.',
  },
  'content-refused': {
    happened: 'Der Dienst hat den Inhalt abgelehnt',
    means:
      'Ändern Sie den Text oder das Bild und senden Sie es. Unverändert würde es wahrscheinlich wieder abgelehnt.',
  },
  'batch-held': {
    happened: 'Nach Ablehnungen zurückgestellt',
    means: 'Sehen Sie sich die abgelehnten Videos an und setzen Sie dieses dann fort.',
  },
  'service-refuses-all': {
    happened: 'Der Dienst lehnt jede Anfrage ab',
    means:
      'Vielleicht stimmt seine Adresse nicht. Die anderen Videos warten; versuchen Sie die abgelehnten danach noch einmal.',
  },
  'answer-unreadable': {
    happened: 'Die Antwort des Dienstes ließ sich nicht lesen',
    means: 'Spool fragt erneut. Die Antwort steht unten, wie sie kam.',
  },
  'outcome-unknown': {
    happened: 'Der Ausgang ist ungewiss',
    means: 'Es gilt als verbraucht, bis Sie entscheiden. Die anderen Videos laufen weiter.',
  },
  'render-failed': {
    happened: 'Der Dienst konnte dieses Video nicht erstellen',
    means: 'Nur fertige Videos verbrauchen Kontingent. Die anderen Videos laufen weiter.',
  },
  'video-unknown': {
    happened: 'Der Dienst hat dieses Video nicht',
    means:
      'Gehört der API-Schlüssel zu dem Konto, das es erstellt hat? Erneut nachfragen kostet nichts; neu erstellen kostet so viel wie ein neues Video.',
  },
  'video-expired': {
    happened: 'Der Dienst hat dieses Video gelöscht',
    means: 'Neu erstellen kostet so viel wie ein neues Video. Erneut nachfragen kostet nichts.',
  },
  'status-unknown': {
    happened: 'Der Dienst meldet einen unbekannten Status',
    means:
      'Legen Sie seine Bedeutung in den Details dieses Videos unter „Dienst“ fest. Neu erstellen kostet so viel wie ein neues Video.',
  },
  'file-not-offered': {
    happened: 'Der Dienst stellt keine Datei bereit',
    means: 'Neu erstellen kostet so viel wie ein neues Video.',
  },
  'download-failed': {
    happened: 'Das Video ließ sich nicht herunterladen',
    means: 'Es ist erstellt und bezahlt; erneut herunterladen kostet kein Kontingent.',
  },
  'file-damaged': {
    happened: 'Die Datei ist beschädigt',
    means: 'Erneut herunterladen kostet kein Kontingent, solange der Dienst das Video noch hat.',
  },
  'disk-full': {
    happened: 'Das Laufwerk ist voll',
    means: 'Downloads warten, bis Platz ist. Nichts geht verloren.',
  },
  'folder-unusable': {
    happened: 'In den Ordner lässt sich nicht schreiben',
    means: 'Downloads warten, bis es geht. Nichts geht verloren.',
  },
  'data-exposed': {
    happened: 'Andere Benutzer haben Zugriff auf Ihre Daten',
    means: 'Spool arbeitet weiter.',
  },
  'job-unknown': {
    happened: 'Dieses Video ist nicht mehr in der Warteschlange',
    means: 'Die Liste hat sich geändert, seit sie gezeigt wurde.',
  },
  'batch-unknown': {
    happened: 'Diesen Stapel gibt es nicht mehr',
    means: 'Die Liste hat sich geändert, seit sie gezeigt wurde.',
  },
  'plan-outdated': {
    happened: 'Das Dienstprofil hat sich geändert',
    means: 'Sie wurden neu geprüft. Sehen Sie nach, was jetzt gesendet würde.',
  },
  'profile-unusable': {
    happened: 'Das Dienstprofil kann nicht verwendet werden',
    means:
      'Es wird nichts gesendet, die Videos warten. Wählen Sie den Dienst neu, oder setzen Sie seine Antwortzuordnung in den Einstellungen zurück.',
  },
  'not-possible-now': {
    happened: 'Das geht jetzt nicht',
    means: 'Das Video ist inzwischen weiter, als hier zu sehen war.',
  },
  'in-use': {
    happened: 'Ein anderes Spool arbeitet an diesen Videos',
    means: 'Es darf immer nur eines senden, damit nichts doppelt bezahlt wird.',
  },
  'folder-lost': {
    happened: 'Dieses Spool hat seinen Datenordner verloren',
    means:
      'Ein anderes arbeitet nun an der Warteschlange, oder der Ordner wurde verschoben. Von hier wird nichts mehr gesendet.',
  },
  'store-damaged': {
    happened: 'Die Datei der Warteschlange war beschädigt',
    means: 'Es gilt der letzte gute Stand; seitdem gesendete Videos sind als ungewiss markiert.',
  },
  'store-copied': {
    happened: 'Diese Warteschlange ist eine Kopie oder stammt aus einer Sicherung',
    means:
      'Ihre Videos wurden am ursprünglichen Ort vielleicht schon gesendet. Sehen Sie nach, bevor Sie hier fortsetzen.',
  },
  'store-newer': {
    happened: 'Die Warteschlange stammt von einem neueren Spool',
    means: 'Es wurde nichts geändert. Installieren Sie die neuere Version, um fortzufahren.',
  },
  'store-older': {
    happened: 'Die Warteschlange stammt von einer früheren Entwicklungsversion',
    means: 'Es wurde nichts geändert.',
  },
};
