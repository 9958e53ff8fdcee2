/** Jobs, their requests and what can be done with them. */
export const jobMessages = {
  'job-unknown': {
    en: 'This video is not in the queue.',
    de: 'Dieses Video ist nicht in der Warteschlange.',
  },
  'job-at-other-service': {
    en: 'This video belongs to another service of this queue: {origin}.',
    de: 'Dieses Video gehört zu einem anderen Dienst dieser Warteschlange: {origin}.',
  },
  'job-uncertain-there': {
    en: 'The service there may have accepted it. Spool won’t resend it until you decide.',
    de: 'Der Dienst dort hat es vielleicht angenommen. Spool sendet es nicht erneut, bis Sie entscheiden.',
  },
  'batch-unknown': {
    en: 'This batch is no longer in the queue.',
    de: 'Dieser Stapel ist nicht mehr in der Warteschlange.',
  },

  'target-file-exists': {
    en: 'A file with this name already exists ({path}), and this batch keeps existing files.',
    de: 'Eine Datei dieses Namens war schon da ({path}), und dieser Stapel lässt vorhandene Dateien stehen.',
  },
  'render-failed-there': {
    en: 'The service could not render this video (“{word}”).',
    de: 'Der Dienst meldet „{word}“.',
  },
  'sent-unexpectedly': {
    en: 'Something unexpected happened while the request was being sent.',
    de: 'Während die Anfrage gesendet wurde, ist etwas Unerwartetes geschehen.',
  },
  'too-early': {
    en: 'The service said that it was too early. Nothing was rendered.',
    de: 'Laut Dienst war es zu früh; es wurde nichts gerendert.',
  },
  'too-many-at-once': {
    en: 'The service was already rendering as many videos as it does at a time. Nothing was rendered.',
    de: 'Der Dienst renderte schon so viele Videos, wie er gleichzeitig zulässt; es wurde nichts gerendert.',
  },
  'stopped-while-sending': {
    en: 'Spool stopped while the request was being sent, so it may have been accepted.',
    de: 'Spool wurde beendet, während die Anfrage unterwegs war; vielleicht wurde sie angenommen.',
  },
  'stopped-before-sending': {
    en: 'Spool stopped before the request was sent.',
    de: 'Spool wurde beendet, bevor die Anfrage gesendet war.',
  },
  'stopped-during-download': {
    en: 'Spool stopped during the download, which resumes where it stopped.',
    de: 'Spool wurde während des Downloads beendet; er geht an dieser Stelle weiter.',
  },
  'sent-otherwise-since': {
    en: 'A video of this number was sent with another request after this queue was copied. Release it if it is still wanted.',
    de: 'Ein Video mit dieser Nummer wurde mit einer anderen Anfrage gesendet, nachdem diese Warteschlange kopiert wurde. Geben Sie es frei, wenn Sie es noch brauchen.',
  },
  'queue-older-than-request': {
    en: 'The queue’s file is older than this request.',
    de: 'Die Datei der Warteschlange ist älter als diese Anfrage.',
  },

  'accepted-again': {
    en: 'It was sent again with the same idempotency key, and the service accepted it as the same request.',
    de: 'Die Anfrage wurde mit demselben Idempotenzschlüssel noch einmal gesendet, und der Dienst hat sie als dieselbe angenommen.',
  },
  'finished-before-cancel': {
    en: 'It was finished before the service could cancel it. It can still be downloaded.',
    de: 'Das Video war fertig, bevor der Dienst es abbrechen konnte. Es lässt sich noch herunterladen.',
  },
  'cancel-refused': {
    en: 'The service did not cancel it. If it gets finished, it can still be downloaded.',
    de: 'Der Dienst hat das Video nicht abgebrochen. Wird es fertig, lässt es sich noch herunterladen.',
  },
  'cancel-unanswered': {
    en: 'The service gave no usable answer to requests to cancel it. If it gets finished, it can still be downloaded.',
    de: 'Der Dienst hat auf die Bitte, das Video abzubrechen, nicht brauchbar geantwortet. Wird es fertig, lässt es sich noch herunterladen.',
  },
  'found-in-list': {
    en: 'It was found in the service’s list of videos.',
    de: 'Das Video steht in der Liste des Dienstes.',
  },
  'found-in-list-twice': {
    en: 'The service’s list has this request {count:count} times. Spool uses the first one and ignores these: {others}.',
    de: 'In der Liste des Dienstes steht diese Anfrage {count:count}-mal. Spool verwendet das erste und ignoriert diese: {others}.',
  },
  'not-in-list': {
    en: 'It is not in the service’s list of videos. Spool searched the list {count:count} times, back to the time of the request.',
    de: 'In der Liste des Dienstes steht das Video nicht. Spool hat sie {count:count}-mal bis zum Zeitpunkt der Anfrage durchsucht.',
  },
  'not-in-part-of-list': {
    en: 'It is not among the {count:count} newest videos of the service’s list, which could not be read back to its request.',
    de: 'Unter den {count:count} neuesten Videos in der Liste des Dienstes ist es nicht. Bis zur Anfrage zurück ließ sich die Liste nicht lesen.',
  },
  'repeat-refused': {
    en: 'It was sent again with the same idempotency key. The service refused that, which says nothing about the first request.',
    de: 'Die Anfrage wurde mit demselben Idempotenzschlüssel noch einmal gesendet. Der Dienst hat das abgelehnt, was über die erste Anfrage nichts sagt.',
  },
  'repeats-over': {
    en: 'It was sent again with the same idempotency key as long as that is safe, without a clear answer.',
    de: 'Die Anfrage wurde mit demselben Idempotenzschlüssel so lange erneut gesendet, wie das sicher ist, ohne eindeutige Antwort.',
  },

  'hold-too-late': {
    en: 'It can only be held before it is sent.',
    de: 'Es lässt sich nur zurückstellen, bevor es gesendet ist.',
  },
  'archive-too-early': {
    en: 'Only finished videos can be archived.',
    de: 'Nur fertige Videos lassen sich archivieren.',
  },
  'remove-too-early': {
    en: 'Only finished videos can be removed. Cancel it first.',
    de: 'Nur fertige Videos lassen sich entfernen. Brechen Sie es zuerst ab.',
  },
  'not-archived': { en: 'It is not archived.', de: 'Es ist nicht archiviert.' },
  'not-held': { en: 'It is not on hold.', de: 'Es ist nicht zurückgestellt.' },
  'decide-first': {
    en: 'Decide first whether the service accepted this video.',
    de: 'Entscheiden Sie zuerst, ob der Dienst dieses Video angenommen hat.',
  },
  'sending-now': {
    en: 'It is being sent right now. You can abandon it afterwards.',
    de: 'Es wird gerade gesendet; danach können Sie es aufgeben.',
  },
  'repeating-now': {
    en: 'Its request is being sent again right now. Decide once it is answered.',
    de: 'Die Anfrage wird gerade wiederholt. Entscheiden Sie, sobald sie beantwortet ist.',
  },
  'nothing-to-cancel': {
    en: 'There is nothing left to cancel.',
    de: 'Hier gibt es nichts mehr abzubrechen.',
  },
  'retry-only-ended': {
    en: 'Only videos that failed or were cancelled can be retried.',
    de: 'Nur fehlgeschlagene und abgebrochene Videos lassen sich erneut versuchen.',
  },
  'nothing-to-fetch': {
    en: 'There is no video that could be downloaded again.',
    de: 'Hierzu gibt es kein Video, das sich erneut herunterladen ließe.',
  },
  'name-kept': {
    en: '{name} already exists, and this batch keeps existing files. Move or rename that file first.',
    de: '{name} ist schon da, und dieser Stapel lässt vorhandene Dateien stehen. Verschieben Sie die Datei, oder geben Sie ihr einen anderen Namen.',
  },
  'place-too-late': {
    en: 'It has been sent, so its place no longer matters.',
    de: 'Es ist schon gesendet; sein Platz spielt keine Rolle mehr.',
  },
  'priority-too-late': {
    en: 'It has been sent, so its priority no longer matters.',
    de: 'Es ist schon gesendet; seine Priorität spielt keine Rolle mehr.',
  },
  'edit-too-late': {
    en: 'It has been sent and can no longer be changed.',
    de: 'Es ist schon gesendet und lässt sich nicht mehr ändern.',
  },
  'was-cancelled': {
    en: 'It was cancelled. Undo that or retry it first.',
    de: 'Es wurde abgebrochen. Machen Sie das rückgängig oder versuchen Sie es zuerst erneut.',
  },
  'edit-to-duplicate': {
    en: '“{title}” in {batch} has the same request already. Cancel this video, or change it in another way.',
    de: '„{title}“ in {batch} hat schon dieselbe Anfrage. Brechen Sie dieses Video ab oder ändern Sie es anders.',
  },
  'edit-to-same': {
    en: '“{title}” would have the same request as another of these videos, and would be paid for twice.',
    de: '„{title}“ hätte dieselbe Anfrage wie ein anderes dieser Videos und würde zweimal bezahlt.',
  },
  'trash-changed': {
    en: 'Its file is not as it was saved, so it stays where it is.',
    de: 'Die Datei ist nicht mehr so, wie sie gespeichert wurde; sie bleibt, wo sie ist.',
  },
  'trash-refused': {
    en: 'The system did not move its file to the trash.',
    de: 'Das System hat die Datei nicht in den Papierkorb gelegt.',
  },
  'undo-sent': {
    en: 'It has been sent in the meantime.',
    de: 'Es ist inzwischen gesendet.',
  },
  'undo-changed': {
    en: 'It was changed again in the meantime.',
    de: 'Es wurde inzwischen noch einmal geändert.',
  },
  'undo-was-sent': {
    en: 'It had been sent before it was cancelled. “Retry” says what sending it again costs.',
    de: 'Es war schon einmal gesendet, bevor es abgebrochen wurde. „Erneut versuchen“ nennt, was ein weiteres Mal kostet.',
  },
  'paid-twice': {
    en: '“{title}” in {batch} has the same request: the same video would be paid for twice.',
    de: '„{title}“ in {batch} hat dieselbe Anfrage: Dasselbe Video würde zweimal bezahlt.',
  },
  'undo-no-step': {
    en: 'This can no longer be undone.',
    de: 'Das lässt sich nicht mehr rückgängig machen.',
  },
  'sent-already': { en: 'It has been sent already.', de: 'Es ist schon gesendet.' },
  'repeated-meanwhile': {
    en: 'It was sent again in the meantime. Check it again.',
    de: 'Es wurde inzwischen erneut gesendet. Sehen Sie es sich noch einmal an.',
  },
  renamed: { en: '{from} is now {to}.', de: '{from} heißt jetzt {to}.' },
  'rename-gone': {
    en: 'Its file is missing. Download it again first.',
    de: 'Die Datei ist nicht da. Laden Sie sie zuerst erneut herunter.',
  },
  'rename-damaged': {
    en: 'Its file is damaged. Download it again first.',
    de: 'Die Datei ist beschädigt. Laden Sie sie zuerst erneut herunter.',
  },
  'rename-changed': {
    en: 'It was changed in the meantime. Check it again.',
    de: 'Es wurde inzwischen geändert. Sehen Sie es sich noch einmal an.',
  },
  'name-taken': {
    en: 'Another file is already called {name}.',
    de: 'Eine andere Datei heißt schon {name}.',
  },
  'rename-refused': {
    en: 'It could not be renamed to {name} ({code}).',
    de: 'Es ließ sich nicht in {name} umbenennen ({code}).',
  },
  'rename-later': {
    en: 'Spool was closed first. It is renamed at the next start.',
    de: 'Spool wurde vorher beendet. Beim nächsten Start wird es umbenannt.',
  },
  'outcome-known': {
    en: 'The outcome of this video is already known.',
    de: 'Der Ausgang dieser Anfrage ist bereits bekannt.',
  },
  'identifier-taken': {
    en: 'The video with this identifier is “{title}”.',
    de: 'Das Video mit dieser Kennung ist „{title}“.',
  },
} as const;
