import type { FailureCode } from '../../contract/failure.ts';
import type { Translation } from '../../contract/in-language.ts';

const NOTHING_ADDED = {
  en: 'Nothing was added or spent.',
  de: 'Es wurde nichts hinzugefügt oder verbraucht.',
} satisfies Translation;

const SENT_CONTINUE = {
  en: 'Videos already sent are still downloaded. The others keep their place.',
  de: 'Gesendete Videos werden noch heruntergeladen. Die anderen behalten ihren Platz.',
} satisfies Translation;

const CHECK_AGAIN = {
  en: 'Check again, or render it as a new video.',
  de: 'Fragen Sie erneut nach, oder rendern Sie es als neues Video.',
} satisfies Translation;

const LIST_CHANGED = {
  en: 'The list has changed since it was shown.',
  de: 'Die Liste hat sich geändert, seit sie gezeigt wurde.',
} satisfies Translation;

/** What happened, and what it means for the batch, for each failure. Views add buttons. */
export const failureTexts = {
  'batch-unreadable': {
    happened: { en: 'The batch could not be read', de: 'Der Stapel ließ sich nicht lesen' },
    means: NOTHING_ADDED,
  },
  'batch-empty': {
    happened: { en: 'The batch has no rows', de: 'Der Stapel hat keine Zeilen' },
    means: NOTHING_ADDED,
  },
  'column-missing': {
    happened: { en: 'A column is missing', de: 'Eine Spalte fehlt' },
    means: NOTHING_ADDED,
  },
  'value-invalid': {
    happened: { en: 'A value is not valid', de: 'Ein Wert ist ungültig' },
    means: NOTHING_ADDED,
  },
  'template-invalid': {
    happened: { en: 'The request cannot be filled', de: 'Die Anfrage lässt sich nicht füllen' },
    means: NOTHING_ADDED,
  },
  'key-missing': {
    happened: { en: 'There is no API key', de: 'Es gibt keinen API-Schlüssel' },
    means: {
      en: 'Nothing is sent without one. Every video keeps its place.',
      de: 'Ohne ihn wird nichts gesendet. Jedes Video behält seinen Platz.',
    },
  },
  'key-refused': {
    happened: {
      en: 'The service refuses the API key',
      de: 'Der Dienst lehnt den API-Schlüssel ab',
    },
    means: {
      en: 'Nothing is sent until it works again. Every video keeps its place.',
      de: 'Bis er wieder gilt, wird nichts gesendet. Jedes Video behält seinen Platz.',
    },
  },
  'keychain-unusable': {
    happened: {
      en: 'The system’s keychain cannot be used',
      de: 'Der Schlüsselbund des Systems lässt sich nicht verwenden',
    },
    means: {
      en: 'The key is no longer used, but may still be in the keychain.',
      de: 'Der Schlüssel wird nicht mehr verwendet, liegt aber vielleicht noch dort.',
    },
  },
  'quota-used-up': {
    happened: {
      en: 'This month’s quota is used up',
      de: 'Das Kontingent dieses Monats ist verbraucht',
    },
    means: SENT_CONTINUE,
  },
  'daily-quota-used-up': {
    happened: { en: 'Today’s quota is used up', de: 'Das heutige Kontingent ist verbraucht' },
    means: SENT_CONTINUE,
  },
  'nothing-left': {
    happened: {
      en: 'The service says that nothing is left',
      de: 'Laut Dienst ist nichts mehr übrig',
    },
    means: SENT_CONTINUE,
  },
  'rate-limited': {
    happened: { en: 'The service asks for a pause', de: 'Der Dienst bittet um eine Pause' },
    means: {
      en: 'It resumes automatically. Nothing was spent.',
      de: 'Es geht automatisch weiter. Es wurde nichts verbraucht.',
    },
  },
  'service-unreachable': {
    happened: { en: 'The service cannot be reached', de: 'Der Dienst ist nicht erreichbar' },
    means: {
      en: 'Spool keeps trying. Every video keeps its place.',
      de: 'Spool versucht es automatisch erneut. Jedes Video behält seinen Platz.',
    },
  },
  'service-refused': {
    happened: { en: 'The service refused the request', de: 'Der Dienst hat die Anfrage abgelehnt' },
    means: {
      en: 'Change the request and send it again. The other videos continue.',
      de: 'Ändern Sie die Anfrage und senden Sie sie erneut. Die anderen Videos laufen weiter.',
    },
  },
  'content-refused': {
    happened: { en: 'The service refused the content', de: 'Der Dienst hat den Inhalt abgelehnt' },
    means: {
      en: 'Change the text or the image and send it again. Unchanged, it would probably be refused again.',
      de: 'Ändern Sie den Text oder das Bild und senden Sie es erneut. Unverändert würde es wahrscheinlich wieder abgelehnt.',
    },
  },
  'picture-unusable': {
    happened: { en: 'A picture cannot be sent', de: 'Ein Bild lässt sich nicht senden' },
    means: {
      en: 'Nothing was sent and nothing was spent. The other videos continue.',
      de: 'Nichts wurde gesendet und nichts verbraucht. Die anderen Videos laufen weiter.',
    },
  },
  'batch-held': {
    happened: { en: 'On hold after refusals', de: 'Nach Ablehnungen zurückgestellt' },
    means: {
      en: 'Look at the refused videos, then release this one.',
      de: 'Sehen Sie sich die abgelehnten Videos an und geben Sie dieses dann frei.',
    },
  },
  'service-refuses-all': {
    happened: { en: 'The service refuses every request', de: 'Der Dienst lehnt jede Anfrage ab' },
    means: {
      en: 'Its address may be wrong. The other videos wait. Correct the address, then retry the refused ones.',
      de: 'Vielleicht stimmt seine Adresse nicht. Die anderen Videos warten. Korrigieren Sie die Adresse und versuchen Sie die abgelehnten dann erneut.',
    },
  },
  'answer-unreadable': {
    happened: {
      en: 'The service’s answer could not be read',
      de: 'Die Antwort des Dienstes ließ sich nicht lesen',
    },
    means: {
      en: 'Spool asks again. The answer is shown below as it was received.',
      de: 'Spool fragt erneut. Die Antwort steht unten, so wie sie ankam.',
    },
  },
  'outcome-unknown': {
    happened: { en: 'The outcome is unknown', de: 'Der Ausgang ist ungewiss' },
    means: {
      en: 'Decide whether it was accepted. The other videos continue.',
      de: 'Entscheiden Sie, ob es angenommen wurde. Die anderen Videos laufen weiter.',
    },
  },
  'render-failed': {
    happened: {
      en: 'The service could not render this video',
      de: 'Der Dienst konnte dieses Video nicht rendern',
    },
    means: {
      en: 'The other videos continue.',
      de: 'Die anderen Videos laufen weiter.',
    },
  },
  'video-unknown': {
    happened: {
      en: 'The service does not have this video',
      de: 'Der Dienst hat dieses Video nicht',
    },
    means: {
      en: 'Is the API key from the account that rendered it? Check again, or render it as a new video.',
      de: 'Gehört der API-Schlüssel zu dem Konto, das es gerendert hat? Fragen Sie erneut nach, oder rendern Sie es als neues Video.',
    },
  },
  'video-expired': {
    happened: {
      en: 'The service has deleted this video',
      de: 'Der Dienst hat dieses Video gelöscht',
    },
    means: CHECK_AGAIN,
  },
  'status-unknown': {
    happened: {
      en: 'The service reports an unknown status',
      de: 'Der Dienst meldet einen unbekannten Status',
    },
    means: {
      en: 'Set its meaning under “Service” in this video’s details, or render it as a new video.',
      de: 'Legen Sie seine Bedeutung in den Details dieses Videos unter „Dienst“ fest, oder rendern Sie es als neues Video.',
    },
  },
  'file-not-offered': {
    happened: { en: 'The service gives no file', de: 'Der Dienst stellt keine Datei bereit' },
    means: CHECK_AGAIN,
  },
  'download-failed': {
    happened: {
      en: 'The video could not be downloaded',
      de: 'Das Video ließ sich nicht herunterladen',
    },
    means: {
      en: 'It is rendered. Downloading it again is free.',
      de: 'Es ist gerendert. Erneut herunterladen ist kostenlos.',
    },
  },
  'file-damaged': {
    happened: { en: 'The file is damaged', de: 'Die Datei ist beschädigt' },
    means: {
      en: 'Downloading it again is free while the service still has the video.',
      de: 'Erneut herunterladen ist kostenlos, solange der Dienst das Video noch hat.',
    },
  },
  'disk-full': {
    happened: { en: 'The disk is full', de: 'Das Laufwerk ist voll' },
    means: {
      en: 'Downloads wait until there is space. Nothing is lost.',
      de: 'Downloads warten, bis Platz ist. Nichts geht verloren.',
    },
  },
  'folder-unusable': {
    happened: {
      en: 'The folder cannot be written to',
      de: 'In den Ordner lässt sich nicht schreiben',
    },
    means: {
      en: 'Downloads wait until it can. Nothing is lost.',
      de: 'Downloads warten, bis es geht. Nichts geht verloren.',
    },
  },
  'data-exposed': {
    happened: {
      en: 'Other users can reach your data',
      de: 'Andere Benutzer haben Zugriff auf Ihre Daten',
    },
    means: { en: 'Spool keeps working.', de: 'Spool arbeitet weiter.' },
  },
  'job-unknown': {
    happened: {
      en: 'This video is no longer in the queue',
      de: 'Dieses Video ist nicht mehr in der Warteschlange',
    },
    means: LIST_CHANGED,
  },
  'batch-unknown': {
    happened: { en: 'This batch is no longer there', de: 'Diesen Stapel gibt es nicht mehr' },
    means: LIST_CHANGED,
  },
  'plan-outdated': {
    happened: { en: 'The service’s profile has changed', de: 'Das Dienstprofil hat sich geändert' },
    means: {
      en: 'The rows have been checked again. See what would be sent now.',
      de: 'Die Zeilen wurden neu geprüft. Sehen Sie nach, was jetzt gesendet würde.',
    },
  },
  'profile-unusable': {
    happened: {
      en: 'The service’s profile cannot be used',
      de: 'Das Dienstprofil kann nicht verwendet werden',
    },
    means: {
      en: 'Nothing is sent, and its videos wait. Choose the service again, or reset its response mapping in the settings.',
      de: 'Es wird nichts gesendet, die Videos warten. Wählen Sie den Dienst neu, oder setzen Sie sein Antwortformat in den Einstellungen zurück.',
    },
  },
  'not-possible-now': {
    happened: { en: 'This isn’t possible now', de: 'Das geht jetzt nicht' },
    means: {
      en: 'The video has moved on since it was shown.',
      de: 'Das Video ist inzwischen weiter, als hier zu sehen war.',
    },
  },
  'in-use': {
    happened: {
      en: 'Another Spool is working on these videos',
      de: 'Ein anderes Spool arbeitet an diesen Videos',
    },
    means: {
      en: 'Only one at a time may send, so that no video is rendered twice.',
      de: 'Es darf immer nur eines senden, damit kein Video doppelt gerendert wird.',
    },
  },
  'folder-lost': {
    happened: {
      en: 'This Spool has lost its data folder',
      de: 'Dieses Spool hat seinen Datenordner verloren',
    },
    means: {
      en: 'Another one runs this queue now, or the folder was moved. Nothing more is sent from here.',
      de: 'Ein anderes arbeitet nun an der Warteschlange, oder der Ordner wurde verschoben. Von hier wird nichts mehr gesendet.',
    },
  },
  'store-damaged': {
    happened: {
      en: 'The queue’s file was damaged',
      de: 'Die Datei der Warteschlange war beschädigt',
    },
    means: {
      en: 'The last good state is in use; videos that were sent since are marked uncertain.',
      de: 'Es gilt der letzte gute Stand; seitdem gesendete Videos sind als ungewiss markiert.',
    },
  },
  'store-copied': {
    happened: {
      en: 'This queue is a copy or was restored',
      de: 'Diese Warteschlange ist eine Kopie oder stammt aus einer Sicherung',
    },
    means: {
      en: 'Its videos may have been sent from the original since. Check them before you resume here.',
      de: 'Ihre Videos wurden am ursprünglichen Ort vielleicht schon gesendet. Sehen Sie nach, bevor Sie hier fortsetzen.',
    },
  },
  'store-newer': {
    happened: {
      en: 'The queue was written by a newer Spool',
      de: 'Die Warteschlange stammt von einem neueren Spool',
    },
    means: {
      en: 'Nothing was changed. Update Spool to continue.',
      de: 'Es wurde nichts geändert. Installieren Sie die neuere Version, um fortzufahren.',
    },
  },
  'store-older': {
    happened: {
      en: 'The queue was written by an earlier build of Spool',
      de: 'Die Warteschlange stammt von einer früheren Entwicklungsversion',
    },
    means: { en: 'Nothing was changed.', de: 'Es wurde nichts geändert.' },
  },
} satisfies Record<FailureCode, Readonly<Record<'happened' | 'means', Translation>>>;
