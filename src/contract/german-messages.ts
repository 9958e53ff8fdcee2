import type { MessageName } from './messages.ts';

/**
 * German translations of the messages of engine and host. Placeholders are those of `messages.ts`.
 */
export const GERMAN_MESSAGES: Record<MessageName, string> = {
  'job-unknown': 'Dieses Video ist nicht mehr in der Warteschlange.',
  'job-at-other-service':
    'Dieses Video gehört zu einem anderen Dienst dieser Warteschlange: {origin}.',
  'job-uncertain-there':
    'Jener Dienst hat es vielleicht angenommen. Spool sendet es nicht noch einmal, bevor Sie entscheiden.',
  'batch-unknown': 'Dieser Stapel ist nicht mehr in der Warteschlange.',

  'file-here-already':
    'Eine Datei dieses Namens war schon da ({path}), und dieser Stapel lässt vorhandene Dateien stehen.',
  'not-made': 'Der Dienst meldet „{word}“.',
  'sent-unexpectedly': 'Während die Anfrage gesendet wurde, ist etwas Unerwartetes geschehen.',
  'too-early': 'Laut Dienst war es zu früh; es wurde nichts erstellt.',
  'too-many-at-once':
    'Der Dienst renderte schon so viele Videos, wie er gleichzeitig zulässt; es wurde nichts erstellt.',
  'stopped-while-sending':
    'Spool wurde beendet, während die Anfrage unterwegs war; vielleicht wurde sie angenommen.',
  'stopped-before-sending': 'Spool wurde beendet, bevor die Anfrage gesendet war.',
  'stopped-during-download':
    'Spool wurde während des Downloads beendet; er geht an dieser Stelle weiter.',
  'sent-otherwise-since':
    'Ein Video mit dieser Nummer wurde mit einer anderen Anfrage gesendet, nachdem diese Warteschlange kopiert wurde. Geben Sie es frei, wenn Sie es noch brauchen.',
  'queue-older-than-request': 'Die Datei der Warteschlange ist älter als diese Anfrage.',

  'accepted-again':
    'Die Anfrage wurde mit demselben Idempotenzschlüssel noch einmal gesendet, und der Dienst hat sie als dieselbe angenommen.',
  'finished-before-cancel':
    'Das Video war fertig, bevor der Dienst es abbrechen konnte. Es lässt sich noch herunterladen.',
  'cancel-refused':
    'Der Dienst hat das Video nicht abgebrochen. Wird es fertig, lässt es sich noch herunterladen.',
  'cancel-unanswered':
    'Der Dienst hat auf die Bitte, das Video abzubrechen, nicht brauchbar geantwortet. Wird es fertig, lässt es sich noch herunterladen.',
  'found-in-list': 'Das Video steht in der Liste des Dienstes.',
  'found-in-list-twice':
    'In der Liste des Dienstes steht diese Anfrage {count:count}-mal. Spool verwendet das erste und ignoriert diese: {others}.',
  'not-in-list':
    'In der Liste des Dienstes steht das Video nicht. Spool hat sie {count:count}-mal bis zum Zeitpunkt der Anfrage durchsucht.',
  'not-in-part-of-list':
    'Unter den {count:count} neuesten Videos in der Liste des Dienstes ist es nicht. Bis zur Anfrage zurück ließ sich die Liste nicht lesen.',
  'repeat-refused':
    'Die Anfrage wurde mit demselben Idempotenzschlüssel noch einmal gesendet. Der Dienst hat das abgelehnt, was über die erste Anfrage nichts sagt.',
  'repeats-over':
    'Die Anfrage wurde mit demselben Idempotenzschlüssel so lange erneut gesendet, wie das sicher ist, ohne eindeutige Antwort.',

  'disk-was-full': 'Das Laufwerk war voll.',
  'folder-was-unwritable': 'In den Ordner ließ sich nicht schreiben.',
  'link-limit-reached': 'Derzeit kann kein weiterer Download-Link angefordert werden.',
  'no-new-link': 'Der Dienst hat keinen neuen Download-Link ausgestellt.',
  'download-server-busy': 'Der Server bat darum, zu warten.',
  'download-server-unreachable': 'Der Server war nicht erreichbar.',
  'download-address-blocked':
    '{host} führt zu einer Adresse eines VPN oder von NAT64 (198.18.0.0/15 oder 64:ff9b::/96), und das ist in den Einstellungen nicht erlaubt.',
  'file-gone': 'Die Datei ist nicht mehr am Speicherort.',
  'named-file-gone': '{name} ist nicht mehr am Speicherort.',
  'named-file-damaged': '{name} ist beschädigt.',
  'named-file-unreadable': '{name} ließ sich nicht lesen ({code}).',
  'file-is-none': 'An dieser Stelle liegt keine Datei.',
  'file-of-other-size': 'Sie hat {found} Bytes statt {expected}.',
  'file-cut': 'Ihr Ende fehlt.',
  'file-changed': 'Ihr Inhalt hat sich geändert.',
  'file-no-video': 'Sie beginnt nicht wie ein Video.',
  'file-box-impossible': 'Ein Abschnitt darin hat eine unmögliche Größe.',
  'file-boxes-too-many': 'Sie hat mehr Teile als jedes Video.',
  'file-header-damaged': 'Ihr Kopf ist beschädigt.',
  'file-no-video-track': 'Sie hat keine Videospur.',

  'disk-needs-room':
    'Das Laufwerk ist voll: Das nächste Video braucht noch {missing:bytes}. Downloads gehen automatisch weiter, sobald Platz ist.',
  'disk-full': 'Das Laufwerk ist voll. Downloads gehen automatisch weiter, sobald Platz ist.',
  'folder-unwritable':
    'In den Ordner lässt sich nicht schreiben. Downloads gehen automatisch weiter, sobald das möglich ist.',
  'too-many-open-files':
    'Spool darf keine weiteren Dateien öffnen: Die Grenze des Systems für offene Dateien ist erreicht. Erhöhen Sie die Grenze (im Terminal mit ulimit -n), oder schließen Sie andere Programme, und starten Sie Spool dann neu.',
  'queue-needs-room':
    'Das Laufwerk des Datenordners {folder} ist voll: Die Warteschlange braucht noch {missing:bytes}. Nichts geht verloren, nichts wird gesendet, und es geht automatisch weiter, sobald Platz ist.',
  'queue-unwritable':
    'Die Warteschlange lässt sich nicht speichern: Ihr Laufwerk ist voll oder schreibgeschützt. Solange wird nichts gesendet; danach geht es automatisch weiter.',
  'queue-restored':
    'Die Warteschlange war beschädigt und wurde aus der letzten Sicherung wiederhergestellt. Sehen Sie sie durch und setzen Sie sie dann fort.',
  'queue-copied':
    'Diese Warteschlange wurde kopiert oder stammt aus einer Sicherung. Was hier als nicht gesendet gilt, wurde vom Original vielleicht inzwischen gesendet. Sehen Sie sie durch und setzen Sie sie dann fort.',
  'queue-incomplete':
    'Die letzten Änderungen dieser Warteschlange fehlen, weil ihre Datei beschädigt oder ersetzt wurde. Sehen Sie sie durch und setzen Sie sie dann fort.',
  'queue-lacked-requests':
    'Gesendete Anfragen, die hier nicht verzeichnet sind: {count:count}. Deren Videos sind hier ungewiss, angehalten oder fehlen.',
  'queue-begins-anew': 'Die Warteschlange war irreparabel beschädigt und beginnt leer.',
  'queue-kept-as': 'Die beschädigte Datei wurde als {name} aufgehoben.',
  'key-needed': 'Um Videos zu erstellen, brauchen Sie einen API-Schlüssel.',
  'key-refused-enter':
    'Der Dienst lehnt den API-Schlüssel ab. Geben Sie den aktuellen ein, um fortzufahren.',
  'quota-refused':
    'Laut Dienst sind die Videos dieses Monats verbraucht. Spool versucht es täglich erneut.',
  'quota-all-used': 'Alle {limit:count} Videos dieses Monats sind verbraucht oder reserviert.',
  'daily-quota-refused': 'Laut Dienst sind die heutigen Videos verbraucht.',
  'daily-quota-all-used': 'Alle {limit:count} heutigen Videos sind verbraucht oder reserviert.',
  'nothing-left': 'Laut Dienst ist nichts mehr übrig.',
  'no-quota': 'Für diesen Dienst zählt Spool kein Kontingent.',

  'certificate-wrong':
    '{host} konnte sich nicht als der Dienst ausweisen ({code}); es wurde nichts dorthin gesendet.',
  'no-https': '{host} unterstützt kein HTTPS.',
  'address-not-found':
    'Die Adresse von {host} wurde nicht gefunden. Ist dieser Computer mit dem Internet verbunden?',
  'connection-refused': '{host} antwortet nicht: Die Verbindung wurde abgelehnt.',
  'host-unreachable':
    '{host} ist von diesem Computer aus derzeit nicht erreichbar. Ist er mit dem Internet verbunden?',
  'connection-too-slow': '{host} antwortet nicht: Der Verbindungsaufbau dauerte zu lange.',
  'connection-broke': 'Die Verbindung zu {host} ist abgebrochen ({code}).',
  'proxy-unreachable':
    'Der Proxy {proxy} ist nicht erreichbar ({code}). Stimmen seine Adresse und die Verbindung dieses Computers?',
  'proxy-login':
    'Der Proxy {proxy} verlangt Benutzername und Passwort. Setzen Sie HTTPS_PROXY auf http://BENUTZER:PASSWORT@HOST:PORT und starten Sie Spool neu.',
  'proxy-refused': 'Der Proxy {proxy} hat eine Verbindung zu {host} abgelehnt (Antwort {status}).',
  'proxy-unusable':
    'Spool kann den Proxy {proxy} nicht verwenden. HTTPS_PROXY braucht eine Adresse wie http://HOST:PORT oder https://HOST:PORT.',
  'told-to-stop': 'Spool hat das Warten auf die Antwort beendet.',
  'answer-too-slow': '{host} brauchte zu lange für eine Antwort.',
  'answer-too-long': '{host} antwortete mit mehr als 1 MiB; so lang ist keine gültige Antwort.',
  'stopped-unsent': 'Es wurde gestoppt, bevor etwas gesendet war.',
  'acceptance-unknown': 'Ob das Video angenommen wurde, ist nicht bekannt.',
  'key-enter': 'Geben Sie den API-Schlüssel Ihres Kontos ein.',
  'label-is-key': 'Das ist ein Schlüssel. Eine Bezeichnung wird angezeigt, ein Schlüssel nie.',
  'key-malformed':
    'Der API-Schlüssel enthält Zeichen, die in keinem Schlüssel vorkommen. Kopieren Sie ihn noch einmal aus Ihrem Konto.',
  'key-of-this-computer':
    'Den Schlüssel für diesen Computer legt Spool selbst an. Wird er abgelehnt, wählen Sie „Schlüssel erneuern“.',
  'key-changed-meanwhile':
    'Der Schlüssel wurde inzwischen geändert. Prüfen Sie, welcher verwendet wird.',
  'key-not-renewable':
    'Erstellen Sie in Ihrem Konto beim Dienst einen neuen Schlüssel und geben Sie ihn hier ein.',
  'address-of-this-computer':
    'Das ist die Adresse von Spools eigenem Dienst auf diesem Computer. Wählen Sie stattdessen „Dieser Computer“.',
  'key-revoked':
    'Der Dienst akzeptiert den API-Schlüssel nicht. Wurde er widerrufen? Geben Sie einen neuen ein.',
  'quota-used-up': 'Die Videos dieses Monats sind verbraucht.',
  'video-refused': 'Der Dienst hat dieses Video abgelehnt.',
  'content-refused': 'Der Dienst hat dieses Video wegen seines Inhalts abgelehnt.',
  'refusal-free': 'Es hat nichts gekostet.',
  'refusal-paid': 'Der Dienst berechnet es trotzdem.',
  'refusal-maybe-paid': 'Der Dienst berechnet es vielleicht, daher zählt es als verbraucht.',
  'batch-held':
    'Der Dienst hat {count:count} Videos dieses Stapels nacheinander wegen ihres Inhalts abgelehnt. Der Rest des Stapels ist zurückgestellt.',
  'video-refused-silently':
    'Der Dienst hat dieses Video ohne Angabe von Gründen abgelehnt (Antwort {status}).',
  'video-unknown-there': 'Der Dienst kennt dieses Video nicht mehr.',
  'video-deleted-there': 'Der Dienst hat dieses Video gelöscht.',
  'status-unknown':
    'Der Dienst meldet weiterhin „{word}“, einen Status, den Spool nicht kennt. Fragen Sie kostenlos erneut nach, oder legen Sie fest, was er bedeutet: in der App oder im Profil des Dienstes.',
  'status-missing':
    'Die Antworten des Dienstes enthalten weiterhin keinen Status, den Spool lesen kann. Fragen Sie kostenlos erneut nach.',
  'finished-without-file':
    'Laut Dienst ist das Video fertig, doch er nennt weiterhin keinen brauchbaren Link zur Datei. Fragen Sie kostenlos erneut nach.',
  'refuses-all':
    'Der Dienst hat {count:count} Videos nacheinander abgelehnt (zuletzt mit Status {status}), und nicht wegen ihres Inhalts. Stimmt seine Adresse? Die anderen warten; die abgelehnten lassen sich neu erstellen.',
  'host-not-now': '{host} konnte gerade nicht antworten (Status {status}).',
  'answer-odd': 'Die Antwort von {host} war nicht verständlich.',
  'answer-about-another': 'Sie gehört zu einem anderen Video.',
  'accepted-with-warnings': 'Der Dienst hat die Anfrage mit einer Warnung angenommen: {text}',
  'file-same-as':
    'Diese Datei ist Byte für Byte dieselbe wie die von „{title}“, obwohl sich die Anfragen unterscheiden. Vielleicht hat der Dienst das falsche Video geliefert.',
  'answer-without-link': 'Sie enthielt keinen Download-Link.',
  'answer-link-not-https': 'Ihr Download-Link ist keine https-Adresse.',
  'answered-with': 'Der Dienst hat mit Status {status} geantwortet.',
  'identifier-of-another':
    'Der Dienst hat diesem Video die Kennung eines anderen gegeben („{title}“); ob es erstellt wurde, ist deshalb nicht bekannt.',
  'no-identifier': 'Der Dienst hat geantwortet, aber keine Kennung für das Video genannt.',
  'status-elsewhere':
    'Der Dienst hat geantwortet, aber die Adresse für den Status des Videos fehlt oder führt woandershin.',
  'file-address-elsewhere': 'Die Adresse der Datei fehlt oder führt woandershin.',
  redirected:
    '{host} wollte die Anfrage an eine andere Adresse weiterleiten; mit einem API-Schlüssel folgt Spool dem nicht. Prüfen Sie die Adresse des Dienstes.',

  'link-no-address': 'Der Link ist keine Webadresse.',
  'link-with-login': 'Der Link enthält einen Benutzernamen oder ein Passwort.',
  'link-not-https': 'Der Link ist keine https-Adresse.',
  'link-not-public': 'Der Link führt zu {host}, und das ist keine öffentliche Adresse.',
  'link-of-other-origin':
    'Der Link führt zu {host}. Das Dienstprofil erlaubt diese Adresse nicht für Dateien.',
  'target-busy': 'Ein anderer Download schreibt gerade diese Datei.',
  'redirects-too-often': 'Der Link leitet zu oft weiter.',
  'redirects-nowhere': 'Der Link leitet ins Leere.',
  'sent-no-video': 'Der Server hat etwas gesendet, das kein Video ist.',
  'sent-endless':
    'Der Server hat {sent:bytes} gesendet, ohne die Größe der Datei zu nennen, und nicht aufgehört.',
  'sent-empty': 'Der Server hat eine leere Datei gesendet.',
  'sent-compressed':
    'Der Server hat das Video komprimiert gesendet; so lässt sich der Download nicht fortsetzen.',
  'answers-senseless': 'Die Antworten des Servers ergeben keinen Sinn.',
  'file-unwritable': 'Die Datei ließ sich nicht schreiben ({code}).',
  'video-damaged-there': 'Das Video auf dem Server ist beschädigt.',
  'link-refused': 'Der Server akzeptiert den Download-Link nicht mehr.',
  'download-certificate-wrong': 'Das Zertifikat des Servers ist ungültig.',
  'file-server-untrusted':
    '{host} konnte sich nicht als der Server der Datei ausweisen ({code}). Prüfen Sie das Netzwerk und die Uhr dieses Computers und laden Sie das Video dann erneut herunter.',

  'hold-too-late': 'Es lässt sich nur zurückstellen, bevor es gesendet ist.',
  'not-held': 'Es ist nicht zurückgestellt.',
  'decide-first': 'Entscheiden Sie zuerst, ob der Dienst dieses Video angenommen hat.',
  'sending-now': 'Es wird gerade gesendet; danach können Sie es aufgeben.',
  'repeating-now':
    'Die Anfrage wird gerade wiederholt. Entscheiden Sie, sobald sie beantwortet ist.',
  'nothing-to-withdraw': 'Hier gibt es nichts mehr abzubrechen.',
  'retry-only-ended': 'Nur fehlgeschlagene und abgebrochene Videos lassen sich erneut versuchen.',
  'nothing-to-fetch': 'Hierzu gibt es kein Video, das sich erneut herunterladen ließe.',
  'name-kept':
    '{name} ist schon da, und dieser Stapel lässt vorhandene Dateien stehen. Verschieben Sie die Datei, oder geben Sie ihr einen anderen Namen.',
  'place-too-late': 'Es ist schon gesendet; sein Platz spielt keine Rolle mehr.',
  'priority-too-late': 'Es ist schon gesendet; sein Vorrang spielt keine Rolle mehr.',
  'edit-too-late': 'Es ist schon gesendet und lässt sich nicht mehr ändern.',
  'edit-to-duplicate':
    '„{title}“ in {batch} hat schon dieselbe Anfrage. Brechen Sie dieses Video ab oder ändern Sie es anders.',
  'sent-already': 'Es ist schon gesendet.',
  'sent-again-meanwhile': 'Es wurde inzwischen erneut gesendet. Sehen Sie es sich noch einmal an.',
  renamed: '{from} heißt jetzt {to}.',
  'rename-gone': 'Die Datei ist nicht da. Laden Sie sie zuerst erneut herunter.',
  'rename-damaged': 'Die Datei ist beschädigt. Laden Sie sie zuerst erneut herunter.',
  'rename-changed': 'Es wurde inzwischen geändert. Sehen Sie es sich noch einmal an.',
  'name-taken': 'Eine andere Datei heißt schon {name}.',
  'rename-refused': 'Es ließ sich nicht in {name} umbenennen ({code}).',
  'rename-later': 'Spool wurde vorher beendet. Beim nächsten Start wird es umbenannt.',
  'outcome-known': 'Der Ausgang dieser Anfrage ist bereits bekannt.',
  'identifier-taken': 'Das Video mit dieser Kennung ist „{title}“.',

  'in-file': '„{name}“:',
  'at-row': 'Zeile {row}, {column}:',
  'at-entry': 'Eintrag {row}, {column}:',
  'at-line': 'Zeile {row}, {column}:',
  'at-field': 'Feld {field}:',
  'cell-empty': 'ist leer. Jedes Video braucht diese Angabe.',
  'cell-damaged': 'enthält beschädigte Zeichen. Speichern Sie die Datei als CSV UTF-8.',
  'cell-not-number': '„{text}“ ist keine Zahl.',
  'cell-not-whole': '„{text}“ ist keine ganze Zahl.',
  'cell-too-high': '„{text}“ ist größer als {max:count}.',
  'cell-too-low': '„{text}“ ist kleiner als {min:count}.',
  'cell-not-between': '„{text}“ liegt nicht zwischen {min:count} und {max:count}.',
  'cell-not-colour': '„{text}“ ist keine Farbe wie #ffb020.',
  'cell-not-address':
    '„{text}“ ist keine Adresse, die mit https:// beginnt. Dateien dieses Computers werden nicht gesendet.',
  'cell-not-with': '„{text}“ ist mit {given} nicht möglich; möglich sind {options}.',
  'cell-not-with-without':
    '„{text}“ ist mit {given} ohne {missing} nicht möglich; möglich sind {options}.',
  'cell-needed-with': 'ist leer, aber {given} braucht hier einen Wert.',
  'cell-needed-without': 'ist leer; das geht nur mit einem Wert für {missing}.',
  'cell-not-one-of': '„{text}“ ist nicht möglich; möglich sind {options}.',
  'cell-too-many': 'hat {count:count} Einträge; möglich sind höchstens {max:count}.',
  'cell-too-long': '„{text}“ hat {count:count} Zeichen; möglich sind höchstens {max:count}.',
  'cell-of-other-kind': 'hierher gehört ein Text, eine Zahl oder eine Liste von Texten.',
  'row-of-other-width':
    'Zeile {row} passt nicht zur Kopfzeile: {cells} statt {columns} Spalten. Text mit einem Komma muss in Anführungszeichen stehen.',
  'entry-no-object': 'Eintrag {row} ist kein JSON-Objekt wie {example}.',
  'line-no-object': 'Zeile {row} ist kein JSON-Objekt wie {example}.',
  'file-quote-open': 'In „{name}“ wird ein Anführungszeichen geöffnet und nicht geschlossen.',
  'file-no-table': '„{name}“ ließ sich nicht als Tabelle lesen.',
  'file-no-list': '„{name}“ ist keine JSON-Liste von Videos: [{example}, {example}].',
  'file-is-workbook': '„{name}“ ist eine Arbeitsmappe. Speichern Sie sie zuerst als CSV.',
  'file-no-text': '„{name}“ ist kein lesbarer Text. Speichern Sie die Tabelle als CSV UTF-8.',
  'file-too-many-rows':
    '„{name}“ hat mehr als {max} Zeilen. Teilen Sie die Datei und fügen Sie die Teile hinzu.',
  'file-too-many-columns': '„{name}“ hat mehr als {max} Spalten.',
  'file-too-many-cells':
    '„{name}“ hat mehr als {max} Zellen. Teilen Sie die Datei und fügen Sie die Teile hinzu.',
  'files-too-large':
    'Zusammen sind die Dateien größer als 64 MiB. Fügen Sie sie als mehrere Stapel hinzu.',
  'files-too-many-rows':
    'Zusammen haben die Dateien mehr als {max} Zeilen. Fügen Sie sie als mehrere Stapel hinzu.',
  'files-too-many-columns':
    'Zusammen haben die Dateien mehr als {max} Spalten. Fügen Sie sie als mehrere Stapel hinzu.',
  'files-too-many-cells':
    'Zusammen haben die Dateien mehr als {max} Zellen. Fügen Sie sie als mehrere Stapel hinzu.',
  'file-too-complex': '„{name}“ ist zu komplex, um gelesen zu werden.',
  'file-no-rows': '„{name}“ enthält keine Zeilen für Videos.',
  'choice-no-duplicate': 'Zeile {row} ist nicht doppelt; für sie gibt es nichts zu entscheiden.',
  'choice-already-queued':
    'Zeile {row} ist schon in diesem Stapel. Sie kann neu gerendert werden, sobald sie gespeichert ist.',
  'columns-alike': 'Zwei Spalten passen zum selben Feld: „{one}“ und „{other}“.',
  'column-missing': 'Es gibt keine Spalte „{name}“. Die Spalten sind: {columns}.',
  'column-for-nothing': 'Nichts verwendet eine Spalte für „{name}“.',
  'column-chosen-missing': 'Die Spalte „{given}“, die für „{name}“ gewählt ist, gibt es nicht.',

  'in-use': 'Spool läuft schon mit diesem Datenordner.',
  'in-use-by': 'Spool läuft schon mit diesem Datenordner (Prozess {pid}).',
  'folder-lost':
    'Dieses Spool hat seinen Datenordner verloren: Ein anderes Spool hat ihn übernommen, oder er wurde verschoben, ersetzt oder gelöscht. Dieses hat angehalten und sendet nichts mehr. Um hier weiterzuarbeiten, vergewissern Sie sich, dass kein anderes Spool den Ordner verwendet, und starten Sie es dann neu.',
  'primary-unreachable':
    'Spool läuft schon mit diesem Datenordner und antwortet nicht: Vielleicht ist es eine andere Version oder ausgelastet. Beenden Sie es, oder versuchen Sie es noch einmal.',
  'primary-silent':
    'Das Spool, das an der Warteschlange arbeitet, antwortet nicht. Wenn es im Terminal mit Strg+Z angehalten wurde, geht es dort mit „fg“ weiter; wenn es hängt, beenden Sie es. Verloren geht so oder so nichts.',
  'primary-of-other-service':
    'Spool läuft mit diesem Datenordner (Prozess {pid}) und dem Dienst {service}.',
  'primary-of-other-profile':
    'Spool läuft mit diesem Datenordner (Prozess {pid}) und einem anderen Dienstprofil.',
  'primary-outdated':
    'Das Spool, das an der Warteschlange arbeitet (Prozess {pid}), ist eine andere Version, die das nicht kann. Beenden Sie es, und versuchen Sie es noch einmal.',
  'primary-ended':
    'Das Spool, das an der Warteschlange gearbeitet hat, wurde beendet. Es ist nichts verloren; versuchen Sie es noch einmal.',

  'went-wrong': 'Ein unerwarteter Fehler ist aufgetreten ({trouble}).',

  'template-unfillable': 'Die Vorlage lässt sich nicht füllen:',
  'no-such-column': 'Es gibt keine Spalte „{name}“.',
  'at-default': 'Vorgabe für {column}:',

  'keychain-silent':
    'Der Schlüsselbund dieses Computers antwortet nicht. Wartet er auf eine Eingabe von Ihnen?',
  'keychain-disobeys': 'Der Schlüsselbund dieses Computers speichert keine Schlüssel.',
  'keychain-unusable': 'Der Schlüsselbund dieses Computers lässt sich nicht verwenden.',
  'keychain-unusable-because':
    'Der Schlüsselbund dieses Computers lässt sich nicht verwenden ({reason}).',
  'key-in-memory':
    'Der API-Schlüssel bleibt im Arbeitsspeicher; beim nächsten Start wird wieder danach gefragt.',
  'key-not-for-window':
    'SPOOL_API_KEY gilt für Befehle; das Fenster verwendet den Schlüssel nicht. Geben Sie ihn im Fenster ein, dort bleibt er aus der Umgebung aller Programme heraus.',
  'keychain-unlock':
    'Entsperren Sie ihn und versuchen Sie es noch einmal, oder geben Sie den Schlüssel neu ein.',
  'install-libsecret':
    'Installieren Sie libsecret (unter Debian und Ubuntu libsecret-1-0) und starten Sie Spool neu.',
  'install-keyring':
    'Installieren Sie GNOME Keyring oder KWallet, falls beides fehlt, entsperren Sie den Schlüsselbund und starten Sie Spool neu.',
  'key-may-remain':
    'Der API-Schlüssel wird nicht mehr verwendet, ist aber vielleicht noch im Schlüsselbund gespeichert: Entsperren Sie den Schlüsselbund und löschen Sie den Eintrag für Spool.',

  'value-missing': 'Diese Angabe fehlt.',
  'value-empty': 'Das darf nicht leer sein.',
  'value-not-text': 'Hierher gehört ein Text.',
  'value-not-number': 'Hierher gehört eine Zahl.',
  'value-not-whole': 'Hierher gehört eine ganze Zahl.',
  'value-not-switch': 'Hierher gehört true oder false.',
  'value-not-list': 'Hierher gehört eine Liste.',
  'value-not-object': 'Hierher gehört ein Objekt.',
  'value-of-other-kind': 'Das hat den falschen Typ.',
  'value-one-of': 'Möglich sind nur: {options}.',
  'value-of-no-kind': 'Diese Art gibt es nicht.',
  'value-more-than': 'Der Wert muss größer als {min:count} sein.',
  'value-at-least': 'Der Wert muss mindestens {min:count} sein.',
  'value-less-than': 'Der Wert muss kleiner als {max:count} sein.',
  'value-at-most': 'Der Wert darf höchstens {max:count} sein.',
  'value-too-long': 'Höchstens {max:count} Zeichen sind möglich.',
  'value-too-many': 'Höchstens {max:count} davon sind möglich.',
  'value-unknown-name': 'Hier gibt es kein „{name}“.',
  'value-not-date': 'Ein Datum sieht so aus: 2026-03-17.',
  'value-not-https': 'Die Adresse eines Dienstes beginnt mit https://.',
  'address-with-more': 'Eine Adresse hat einen Host, einen Port und einen Pfad, sonst nichts.',
  'address-is-number':
    'Eine Zahl ist keine Adresse. Für einen Dienst auf diesem Computer geben Sie Host und Port an: https://127.0.0.1:8080.',
  'value-not-pem': 'Das ist kein Zertifikat im PEM-Format.',
  'value-not-path': 'Ein Pfad sieht so aus: „movie.status“ oder „output[0]“.',
  'value-not-service-path':
    'Ein Pfad sieht so aus: „/v1/videos“. Möglich sind Buchstaben, Ziffern und einfache Satzzeichen, aber nicht „..“, „//“ oder „%“.',
  'value-not-path-prefix':
    'Der Anfang eines Pfads endet mit einem Schrägstrich, wie „/v1/operations/“.',
  'path-needs-placeholder':
    'Dieser Pfad muss {placeholder} genau einmal enthalten: als ganzen Teil zwischen Schrägstrichen oder als ganzen Wert seiner Abfrage.',
  'path-with-placeholder': 'Dieser Pfad darf {placeholder} nicht enthalten.',
  'id-not-known':
    '{placeholder} ist hier nicht möglich: Die Adresse des Status steht in einer Antwort, daher gibt es keine Kennung.',
  'value-not-origin':
    'Gebraucht wird eine https-Adresse ohne Pfad in Kleinbuchstaben, wie „https://api.example.com“.',
  'value-not-https-page': 'Hierher gehört die https-Adresse einer Seite.',
  'value-not-header': 'So heißt kein Header.',
  'header-reserved': 'Diesen Header kann ein Profil nicht setzen.',
  'header-of-key': 'In diesem Header steht bereits der API-Schlüssel.',
  'header-twice': 'Dieser Header hat bereits einen festen Wert.',
  'value-not-header-value':
    'Der Wert eines Headers besteht aus Buchstaben, Ziffern, Satzzeichen und einzelnen Leerzeichen.',
  'value-not-auth-scheme': 'Möglich ist ein Wort wie „Bearer“ oder nichts.',
  'value-not-currency': 'Eine Währung hat drei Buchstaben, wie EUR.',
  'currency-with-money': 'Kosten in Geld brauchen eine Währung, andere haben keine.',
  'value-not-parameter': 'Der Name eines Parameters sieht so aus: „page“.',
  'saved-profile-damaged': 'Das gespeicherte Profil von {origin} ist beschädigt ({field}).',
  'planned-by-other-profile':
    'Es wurde nichts hinzugefügt: Diese Zeilen wurden für das frühere Dienstprofil geprüft.',
  'service-still-starting':
    'Der Dienst auf diesem Computer startet noch. Seine Videos warten, andere Dienste arbeiten weiter.',
  'service-replaced':
    'Die Verbindung zum Dienst wurde gerade erneuert. Bitte versuchen Sie es noch einmal.',
  'meant-for-other-service':
    'Das war für einen Dienst bestimmt, der nicht mehr angezeigt wird. Wechseln Sie zu diesem Dienst und versuchen Sie es noch einmal.',
  'service-not-in-queue': 'Diesen Dienst gibt es in der Warteschlange nicht mehr.',
  'profile-of-other-origin': 'Dieses Profil ist für {origin}.',
  'value-with-braces': 'Im Namen einer Spalte stehen keine geschweiften Klammern.',
  'name-template-invisible':
    'Die Vorlage für Dateinamen enthält unsichtbare Zeichen. Bitte neu eingeben.',
  'value-not-json': 'Hier wird JSON mit höchstens {max:count} Ebenen gebraucht.',
  'value-invisible': 'Das enthält unsichtbare Zeichen. Bitte neu eingeben.',
  'value-unfit': 'Dieser Wert ist hier nicht gültig.',
  'zone-unknown': 'Diese Zeitzone gibt es nicht.',
  'plan-limit-negotiated':
    'Zu einem ausgehandelten Tarif gehört eine Zahl von Videos im Monat, zu einem anderen nicht.',
  'folder-not-absolute': 'Geben Sie den vollständigen Pfad ein.',
  'folder-on-network':
    'Das ist ein Netzwerk- oder Gerätepfad. Verbinden Sie ihn als Laufwerk und wählen Sie dort einen Ordner.',
  'setting-unknown': 'Diese Einstellung gibt es nicht.',
  'no-settings': 'Das ist keine Datei mit Einstellungen von Spool.',
  'settings-too-large': 'Sie ist größer als 1 MB; so groß ist keine Datei mit Einstellungen.',
  'settings-unreadable': 'Die Datei ließ sich nicht lesen.',
  'settings-damaged':
    'Die Einstellungen waren nicht lesbar. Es gelten die Standardwerte; die alte Datei heißt jetzt {name}.',

  'setting-service': 'Dienst',
  'setting-certificate': 'Eigenes Zertifikat',
  'setting-answers': 'Antwortzuordnung von {origin}',
  'setting-plan': 'Tarif',
  'plan-custom': '{count:count} Videos im Monat',
  'setting-billing-date': 'Abrechnungstag',
  'first-of-month': 'Der Monatserste',
  'setting-zone': 'Zeitzone der Abrechnung',
  'setting-folder': 'Ordner',
  'setting-name-template': 'Dateinamen',
  'setting-collision': 'Wenn die Datei schon existiert',
  'setting-parallel': 'Gleichzeitige Downloads',
  'setting-bandwidth': 'Bandbreite begrenzen',
  'setting-vpn': 'Adressen von VPNs und NAT64 erlauben',
  'setting-notification': 'Benachrichtigungen:',
  'notify-batch-saved': 'Ein Stapel ist fertig',
  'notify-needs-decision': 'Etwas wartet auf Sie',
  'notify-failed': 'Ein Video ist fehlgeschlagen',
  'setting-start-up': 'Wenn Spool startet',
  'start-up-as-last-time': 'Wie beim letzten Mal',
  'start-up-run': 'Weiter senden',
  'start-up-paused': 'Pausiert',
  'setting-updates': 'Updates',
  'updates-stable': 'Stabile Versionen',
  'updates-preview': 'Auch Vorabversionen',
  'updates-off': 'Keine',
  'setting-start-at-login': 'Bei der Anmeldung starten',
  'setting-close-to-tray': 'Weiterarbeiten, wenn das Fenster geschlossen ist',
  'setting-theme': 'Farben',
  'theme-light': 'Hell',
  'theme-dark': 'Dunkel',
  'setting-language': 'Sprache',
  'as-system': 'System',
  'setting-on': 'Ein',
  'setting-off': 'Aus',
  'setting-none': 'Keines',
  'setting-default': 'Standard',
  'service-here': 'Dieser Computer',
  'service-practice': 'Übungskonto auf diesem Computer ({plan})',
  'collision-number': 'Nummer anhängen',
  'collision-skip': 'Video überspringen',
  'collision-replace': 'Datei ersetzen',
  'mapping-changed': '„{name}“, geändert',
  'setting-destinations': 'Wohin Schlüssel und Zeilen von {origin} gehen',
  'every-column-sent': 'Jede Spalte einer Datei wird unter ihrem Namen gesendet.',
  'rows-go-to': 'Zeilen gehen an {address}.',
  'key-goes-to': 'Der API-Schlüssel geht an {origin} im Header {header}.',
  'status-comes-from': 'Status von {address}.',
  'files-by-status': 'Dateien von den Links im Status.',
  'files-come-from': 'Dateien von {address}.',
  'files-only-from': 'Links führen nur zu {origins}.',
  'headers-sent': 'Weitere Header: {headers}.',
  'constants-sent': 'Mit jeder Zeile gesendet: {constants}.',
  'constants-sent-and-more': 'Mit jeder Zeile gesendet: {constants} und {count:count} weitere.',
  'mapping-named': '„{name}“',
  'bytes-a-second': '{count:count} Byte pro Sekunde',
  verbatim: '{text}',
  'settings-changed-meanwhile':
    'Die Einstellungen wurden inzwischen geändert. Bitte prüfen Sie die Änderungen noch einmal.',

  'list-ends': 'Von dort an geht diese Liste nicht weiter.',
  'queue-newer':
    'Die Warteschlange stammt von einer neueren Version von Spool. Installieren Sie diese, um sie zu öffnen.',
  'queue-older':
    'Die Warteschlange in {folder} stammt von einer früheren Entwicklungsversion von Spool; verschieben Sie den Ordner, um mit einer leeren Warteschlange zu beginnen.',
  'folder-unusable': 'Der Ordner {folder} lässt sich nicht verwenden.',
  'data-folder-of-other':
    'Der Datenordner {folder} gehört einem anderen Benutzer, der seinen Inhalt lesen und ändern kann.',
  'data-folder-writable':
    'Andere Benutzer dieses Computers können den Inhalt des Datenordners {folder} ändern. Wählen Sie einen anderen Ordner, oder entziehen Sie ihnen die Rechte.',
  'data-folder-readable':
    'Andere Benutzer dieses Computers können den Inhalt des Datenordners {folder} lesen, und Spool kann das nicht ändern.',
  'data-file-of-other':
    '{name} im Datenordner {folder} gehört einem anderen Benutzer. Entfernen Sie die Datei, oder wählen Sie einen anderen Datenordner.',
  'data-file-no-file':
    '{name} im Datenordner {folder} ist keine Datei von Spool, sondern eine Verknüpfung, ein Ordner oder etwas anderes. Verschieben Sie das Element, und starten Sie Spool dann neu.',
  'data-file-no-folder':
    '{name} im Datenordner {folder} ist kein Ordner von Spool, sondern eine Verknüpfung oder eine Datei. Verschieben Sie das Element, und starten Sie Spool dann neu.',
  'certificate-file-unreadable': 'Die Zertifikatsdatei {file} lässt sich nicht lesen.',
  'failure-unreadable':
    'Dieser Fehler wurde von einer anderen Version von Spool gespeichert und lässt sich nicht lesen.',
  'here-not-started': 'Der Dienst auf diesem Computer ist nicht gestartet.',
  'here-too-slow': 'Der Dienst auf diesem Computer hat zu lange nicht geantwortet.',
  'here-refused': 'Der Dienst auf diesem Computer hat einen Befehl abgelehnt.',
  'here-unreadable': 'Die Antwort des Dienstes auf diesem Computer war nicht lesbar.',
  'batch-file-too-large': '{file} ist größer als 64 MiB, die Grenze für einen Stapel.',
  'batch-file-not-regular': '{file} ist keine gewöhnliche Datei.',
  'batch-files-too-many':
    '{count} Dateien wurden ausgelassen: Es werden höchstens {max} auf einmal geprüft.',
  'batch-file-gone': 'Die Datei {file} gibt es nicht.',
  'batch-file-folder': '{file} ist ein Ordner und kein Stapel.',
  'batch-file-forbidden': 'Sie haben kein Recht, {file} zu lesen.',
  'batch-file-unreadable': '{file} lässt sich nicht lesen.',

  'computer-cannot': 'Das ist von hier aus auf diesem Computer nicht möglich.',
  'folder-not-yet': 'Der Ordner {folder} wird mit dem ersten Video angelegt.',
  'start-at-login-refused': 'Spool konnte nicht ändern, ob es bei der Anmeldung startet: {trouble}',
  'no-update-now': 'Gerade lässt sich kein Update installieren.',
  'not-saved-yet': 'Dieses Video ist noch nicht gespeichert.',
  'file-moved': 'Die Datei ist nicht am Speicherort.',
  'cannot-be-opened': 'Es lässt sich nicht öffnen: {trouble}',
  'answers-known-here':
    'Die Antwortzuordnung des Dienstes auf diesem Computer lässt sich nicht ändern.',
  'no-program': 'Auf diesem Computer gibt es kein Programm, das es öffnet.',

  'page-here-only': 'Das ist nicht die Adresse von Spool.',
  'page-no-other-site': 'Andere Websites dürfen nicht mit Spool sprechen.',
  'page-origin-needed': 'Eine Verbindung muss sagen, woher sie kommt.',
  'page-only-read': 'Hier lässt sich nur lesen.',
  'page-link-needed': 'Öffnen Sie Spool mit dem Link, den es beim Start ausgegeben hat.',
  'page-link-needed-why':
    'Bei jedem Start hat Spool eine neue Adresse, und jeder Link gilt nur einmal. Öffnen Sie den neuesten Link, den es ausgegeben hat, und schließen Sie diese Seite. Ihre Warteschlange und Ihre Videos bleiben erhalten.',
  'page-video-moved': 'Dieses Video ist nicht mehr dort, wo es gespeichert wurde.',
  'page-no-poster': 'Zu diesem Video gibt es kein Vorschaubild.',
  'page-nothing-here': 'Hier ist nichts.',

  'in-english': '{text}',
};
