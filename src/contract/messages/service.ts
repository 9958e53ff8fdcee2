/** What the service answered, and what stops the queue. */
export const serviceMessages = {
  'disk-needs-room': {
    en: 'The disk is full: the next video needs {missing:bytes} more. Downloads resume automatically once there is space.',
    de: 'Das Laufwerk ist voll: Das nächste Video braucht noch {missing:bytes}. Downloads gehen automatisch weiter, sobald Platz ist.',
  },
  'disk-full': {
    en: 'The disk is full. Downloads resume automatically once there is space.',
    de: 'Das Laufwerk ist voll. Downloads gehen automatisch weiter, sobald Platz ist.',
  },
  'folder-unwritable': {
    en: 'The folder cannot be written to. Downloads resume automatically once it can.',
    de: 'In den Ordner lässt sich nicht schreiben. Downloads gehen automatisch weiter, sobald das möglich ist.',
  },
  'too-many-open-files': {
    en: 'Spool may not open more files: the system’s limit of open files is reached. Raise the limit (ulimit -n in a terminal) or close other programs, then start Spool again.',
    de: 'Spool darf keine weiteren Dateien öffnen: Das Limit des Systems für offene Dateien ist erreicht. Erhöhen Sie das Limit (im Terminal mit ulimit -n), oder schließen Sie andere Programme, und starten Sie Spool dann neu.',
  },
  'queue-needs-room': {
    en: 'The disk of the data folder {folder} is full: the queue needs {missing:bytes} more. Nothing is lost or sent, and the queue continues automatically once there is space.',
    de: 'Das Laufwerk des Datenordners {folder} ist voll: Die Warteschlange braucht noch {missing:bytes}. Nichts geht verloren, nichts wird gesendet, und es geht automatisch weiter, sobald Platz ist.',
  },
  'queue-unwritable': {
    en: 'The queue cannot be saved: its disk is full or cannot be written to. Nothing is sent until it can; then it resumes automatically.',
    de: 'Die Warteschlange lässt sich nicht speichern: Ihr Laufwerk ist voll oder schreibgeschützt. Solange wird nichts gesendet; danach geht es automatisch weiter.',
  },
  'queue-restored': {
    en: 'The queue was damaged and has been restored from its last backup. Check it, then resume.',
    de: 'Die Warteschlange war beschädigt und wurde aus der letzten Sicherung wiederhergestellt. Sehen Sie sie durch und setzen Sie sie dann fort.',
  },
  'queue-copied': {
    en: 'This queue is a copy, or was restored from a backup. Videos it has not sent may have been sent from the original since. Check it, then resume.',
    de: 'Diese Warteschlange wurde kopiert oder stammt aus einer Sicherung. Was hier als nicht gesendet gilt, wurde vom Original vielleicht inzwischen gesendet. Sehen Sie sie durch und setzen Sie sie dann fort.',
  },
  'queue-incomplete': {
    en: 'The latest changes of this queue are missing, because its file was damaged or replaced. Check it, then resume.',
    de: 'Die letzten Änderungen dieser Warteschlange fehlen, weil ihre Datei beschädigt oder ersetzt wurde. Sehen Sie sie durch und setzen Sie sie dann fort.',
  },
  'queue-lacked-requests': {
    en: 'Sent requests that this queue has no record of: {count:count}. Their videos are marked uncertain, are held, or are missing here.',
    de: 'Gesendete Anfragen, die hier nicht verzeichnet sind: {count:count}. Deren Videos sind hier ungewiss, zurückgestellt oder fehlen.',
  },
  'queue-lost': {
    en: 'The queue was damaged beyond repair and starts empty.',
    de: 'Die Warteschlange war irreparabel beschädigt und beginnt leer.',
  },
  'queue-kept-as': {
    en: 'The damaged file was kept as {name}.',
    de: 'Die beschädigte Datei wurde als {name} aufgehoben.',
  },
  'key-needed': {
    en: 'An API key is needed to render videos.',
    de: 'Um Videos zu rendern, brauchen Sie einen API-Schlüssel.',
  },
  'key-refused-enter': {
    en: 'The service refuses the API key. Enter the current one to continue.',
    de: 'Der Dienst lehnt den API-Schlüssel ab. Geben Sie den aktuellen ein, um fortzufahren.',
  },
  'quota-refused': {
    en: 'The service says that this month’s videos are used up. Spool tries again every day.',
    de: 'Laut Dienst sind die Videos dieses Monats verbraucht. Spool versucht es täglich erneut.',
  },
  'quota-all-used': {
    en: 'All {limit:count} videos of this month are used or reserved.',
    de: 'Alle {limit:count} Videos dieses Monats sind verbraucht oder reserviert.',
  },
  'daily-quota-refused': {
    en: 'The service says that today’s videos are used up.',
    de: 'Laut Dienst sind die heutigen Videos verbraucht.',
  },
  'daily-quota-all-used': {
    en: 'All {limit:count} videos of today are used or reserved.',
    de: 'Alle {limit:count} heutigen Videos sind verbraucht oder reserviert.',
  },
  'nothing-left': {
    en: 'The service says that nothing is left.',
    de: 'Laut Dienst ist nichts mehr übrig.',
  },
  'no-quota': {
    en: 'This service has no quota that Spool counts.',
    de: 'Für diesen Dienst zählt Spool kein Kontingent.',
  },

  'certificate-wrong': {
    en: '{host} could not prove that it is the service ({cause}), so nothing was sent to it.',
    de: '{host} konnte sich nicht als der Dienst ausweisen ({cause}); es wurde nichts dorthin gesendet.',
  },
  'no-https': { en: '{host} does not support HTTPS.', de: '{host} unterstützt kein HTTPS.' },
  'address-not-found': {
    en: 'The address of {host} could not be found. Is this computer online?',
    de: 'Die Adresse von {host} wurde nicht gefunden. Ist dieser Computer mit dem Internet verbunden?',
  },
  'connection-refused': {
    en: '{host} is not answering: it refused the connection.',
    de: '{host} antwortet nicht: Die Verbindung wurde abgelehnt.',
  },
  'host-unreachable': {
    en: '{host} cannot be reached from this computer now. Is it online?',
    de: '{host} ist von diesem Computer aus derzeit nicht erreichbar. Ist er mit dem Internet verbunden?',
  },
  'connection-too-slow': {
    en: '{host} is not answering: the connection took too long.',
    de: '{host} antwortet nicht: Der Verbindungsaufbau dauerte zu lange.',
  },
  'connection-broke': {
    en: 'The connection to {host} broke ({code}).',
    de: 'Die Verbindung zu {host} ist abgebrochen ({code}).',
  },
  'proxy-unreachable': {
    en: 'The proxy {proxy} could not be reached ({code}). Are its address and this computer’s connection right?',
    de: 'Der Proxy {proxy} ist nicht erreichbar ({code}). Stimmen seine Adresse und die Verbindung dieses Computers?',
  },
  'proxy-login': {
    en: 'The proxy {proxy} asks for a user name and password. Set HTTPS_PROXY to http://USER:PASSWORD@HOST:PORT and start Spool again.',
    de: 'Der Proxy {proxy} verlangt Benutzername und Passwort. Setzen Sie HTTPS_PROXY auf http://BENUTZER:PASSWORT@HOST:PORT und starten Sie Spool neu.',
  },
  'proxy-refused': {
    en: 'The proxy {proxy} refused a connection to {host}: it answered with {status}.',
    de: 'Der Proxy {proxy} hat eine Verbindung zu {host} abgelehnt (Antwort {status}).',
  },
  'proxy-unusable': {
    en: 'Spool cannot use the proxy {proxy}. It needs an address such as http://HOST:PORT or https://HOST:PORT in HTTPS_PROXY.',
    de: 'Spool kann den Proxy {proxy} nicht verwenden. HTTPS_PROXY braucht eine Adresse wie http://HOST:PORT oder https://HOST:PORT.',
  },
  'response-wait-stopped': {
    en: 'Spool stopped waiting for the response.',
    de: 'Spool hat das Warten auf die Antwort beendet.',
  },
  'answer-too-slow': {
    en: '{host} took too long to answer.',
    de: '{host} brauchte zu lange für eine Antwort.',
  },
  'answer-too-long': {
    en: '{host} sent an answer of more than 1 MiB, which is too long.',
    de: '{host} antwortete mit mehr als 1 MiB; so lang ist keine gültige Antwort.',
  },
  'stopped-unsent': {
    en: 'It was stopped before anything was sent.',
    de: 'Es wurde gestoppt, bevor etwas gesendet war.',
  },
  'acceptance-unknown': {
    en: 'It is not known whether the video was accepted.',
    de: 'Ob das Video angenommen wurde, ist nicht bekannt.',
  },
  'key-enter': {
    en: 'Enter the API key of your account.',
    de: 'Geben Sie den API-Schlüssel Ihres Kontos ein.',
  },
  'label-is-key': {
    en: 'That is a key. A label is shown on screen; a key never is.',
    de: 'Das ist ein Schlüssel. Eine Bezeichnung wird angezeigt, ein Schlüssel nie.',
  },
  'key-malformed': {
    en: 'The API key contains invalid characters. Copy it again from the dashboard.',
    de: 'Der API-Schlüssel enthält Zeichen, die in keinem Schlüssel vorkommen. Kopieren Sie ihn noch einmal aus Ihrem Konto.',
  },
  'key-of-this-computer': {
    en: 'Spool makes the key for this computer by itself. If it is refused, choose “Renew key”.',
    de: 'Den Schlüssel für diesen Computer legt Spool selbst an. Wird er abgelehnt, wählen Sie „Schlüssel erneuern“.',
  },
  'key-changed-meanwhile': {
    en: 'The key was changed meanwhile. Check which one is in use.',
    de: 'Der Schlüssel wurde inzwischen geändert. Prüfen Sie, welcher verwendet wird.',
  },
  'key-not-renewable': {
    en: 'Create a new key in your account at the service, then enter it here.',
    de: 'Erstellen Sie in Ihrem Konto beim Dienst einen neuen Schlüssel und geben Sie ihn hier ein.',
  },
  'address-of-this-computer': {
    en: 'This is the address of Spool’s own service on this computer. Choose “This computer” instead.',
    de: 'Das ist die Adresse von Spools eigenem Dienst auf diesem Computer. Wählen Sie stattdessen „Dieser Computer“.',
  },
  'key-revoked': {
    en: 'The service does not accept the API key. Was it revoked? Enter a new one.',
    de: 'Der Dienst akzeptiert den API-Schlüssel nicht. Wurde er widerrufen? Geben Sie einen neuen ein.',
  },
  'quota-used-up': {
    en: 'This month’s videos are used up.',
    de: 'Die Videos dieses Monats sind verbraucht.',
  },
  'video-refused': {
    en: 'The service refused this video.',
    de: 'Der Dienst hat dieses Video abgelehnt.',
  },
  'content-refused': {
    en: 'The service refused this video because of its content.',
    de: 'Der Dienst hat dieses Video wegen seines Inhalts abgelehnt.',
  },
  'refusal-free': { en: 'It cost nothing.', de: 'Es hat nichts gekostet.' },
  'refusal-paid': {
    en: 'The service charges for refused videos.',
    de: 'Der Dienst berechnet auch abgelehnte Videos.',
  },
  'refusal-maybe-paid': {
    en: 'The service may charge for it, so it counts as spent.',
    de: 'Der Dienst berechnet es vielleicht, daher zählt es als verbraucht.',
  },
  'batch-held': {
    en: 'The service refused {count:count} videos of this batch in a row because of their content, so the rest of the batch is on hold.',
    de: 'Der Dienst hat {count:count} Videos dieses Stapels nacheinander wegen ihres Inhalts abgelehnt. Der Rest des Stapels ist zurückgestellt.',
  },
  'video-refused-silently': {
    en: 'The service refused this video and gave no reason (it answered {status}).',
    de: 'Der Dienst hat dieses Video ohne Angabe von Gründen abgelehnt (Antwort {status}).',
  },
  'video-not-found': {
    en: 'The service no longer has this video.',
    de: 'Der Dienst kennt dieses Video nicht mehr.',
  },
  'video-deleted-there': {
    en: 'The service has deleted this video.',
    de: 'Der Dienst hat dieses Video gelöscht.',
  },
  'status-unknown': {
    en: 'The service still reports “{word}”, a status that Spool does not know. Retry to ask again, which is free, or say what it means: in the app, or in the service’s profile.',
    de: 'Der Dienst meldet weiterhin „{word}“, einen Status, den Spool nicht kennt. Fragen Sie kostenlos erneut nach, oder legen Sie fest, was er bedeutet: in der App oder im Profil des Dienstes.',
  },
  'status-missing': {
    en: 'The service’s answers still have no status that Spool can read. Retry to ask again, which is free.',
    de: 'Die Antworten des Dienstes enthalten weiterhin keinen Status, den Spool lesen kann. Fragen Sie kostenlos erneut nach.',
  },
  'finished-without-file': {
    en: 'The service says that the video is finished, and still gives no usable link to its file. Retry to ask again, which is free.',
    de: 'Laut Dienst ist das Video fertig, doch er nennt weiterhin keinen brauchbaren Link zur Datei. Fragen Sie kostenlos erneut nach.',
  },
  'refuses-all': {
    en: 'The service refused {count:count} videos in a row (it answered {status} last), and not for anything in them. Is its address right? The others wait; those that were refused can be retried.',
    de: 'Der Dienst hat {count:count} Videos nacheinander abgelehnt (zuletzt mit Status {status}), und nicht wegen ihres Inhalts. Stimmt seine Adresse? Die anderen warten; die abgelehnten lassen sich neu rendern.',
  },
  'host-not-now': {
    en: '{host} could not answer now (status {status}).',
    de: '{host} konnte gerade nicht antworten (Status {status}).',
  },
  'answer-odd': {
    en: 'The answer of {host} could not be understood.',
    de: 'Die Antwort von {host} war nicht verständlich.',
  },
  'answer-about-another': {
    en: 'It is about another video.',
    de: 'Sie gehört zu einem anderen Video.',
  },
  'accepted-with-warnings': {
    en: 'The service accepted the request with a warning: {text}',
    de: 'Der Dienst hat die Anfrage mit einer Warnung angenommen: {text}',
  },
  'file-same-as': {
    en: 'This file is byte for byte the same as that of “{title}”, although the requests differ. The service may have delivered the wrong video.',
    de: 'Diese Datei ist Byte für Byte dieselbe wie die von „{title}“, obwohl sich die Anfragen unterscheiden. Vielleicht hat der Dienst das falsche Video geliefert.',
  },
  'answer-without-link': {
    en: 'It gave no download link.',
    de: 'Sie enthielt keinen Download-Link.',
  },
  'answer-link-not-https': {
    en: 'Its download link is not an https address.',
    de: 'Ihr Download-Link ist keine https-Adresse.',
  },
  'answered-with': {
    en: 'The service answered with status {status}.',
    de: 'Der Dienst hat mit Status {status} geantwortet.',
  },
  'identifier-of-another': {
    en: 'The service gave this video the identifier of another one (“{title}”), so it is not known whether it was made.',
    de: 'Der Dienst hat diesem Video die Kennung eines anderen gegeben („{title}“); ob es gerendert wurde, ist deshalb nicht bekannt.',
  },
  'no-identifier': {
    en: 'The service answered, but gave no identifier for the video.',
    de: 'Der Dienst hat geantwortet, aber keine Kennung für das Video genannt.',
  },
  'status-elsewhere': {
    en: 'The service answered, but the address of the video’s status is missing or leads elsewhere.',
    de: 'Der Dienst hat geantwortet, aber die Adresse für den Status des Videos fehlt oder führt woandershin.',
  },
  'file-address-elsewhere': {
    en: 'The address of its file is missing or leads elsewhere.',
    de: 'Die Adresse der Datei fehlt oder führt woandershin.',
  },
  redirected: {
    en: '{host} redirected the request to another address. Spool does not follow redirects with an API key. Check the service’s address.',
    de: '{host} wollte die Anfrage an eine andere Adresse weiterleiten; mit einem API-Schlüssel folgt Spool dem nicht. Prüfen Sie die Adresse des Dienstes.',
  },
} as const;
