import type { SentenceName } from './sentences.ts';

/** What engine and host say, in German. The gaps are those of `sentences.ts`. */
export const GERMAN_SENTENCES: Record<SentenceName, string> = {
  'job-unknown': 'Dieses Video ist nicht mehr in der Warteschlange.',
  'batch-unknown': 'Dieser Stapel ist nicht mehr in der Warteschlange.',

  'file-here-already':
    'Eine Datei dieses Namens war schon da ({path}), und dieser Stapel behält solche.',
  'not-made': 'Der Dienst meldet „{word}“.',
  'sent-unexpectedly': 'Während die Anfrage unterwegs war, geschah etwas Unerwartetes.',
  'too-early': 'Der Dienst sagte, es sei zu früh; nichts wurde erstellt.',
  'stopped-while-sending':
    'Spool endete, während die Anfrage unterwegs war; sie ist vielleicht angenommen.',
  'stopped-before-sending': 'Spool endete, bevor die Anfrage gesendet war.',
  'stopped-during-download': 'Spool endete beim Herunterladen; es geht dort weiter.',
  'queue-older-than-request': 'Die Datei der Warteschlange ist älter als diese Anfrage.',

  'disk-was-full': 'Das Laufwerk war voll.',
  'folder-was-unwritable': 'In den Ordner war nicht zu schreiben.',
  'link-limit-reached': 'Noch darf kein weiterer Link erbeten werden.',
  'download-server-busy': 'Der Server bat um Geduld.',
  'download-server-unreachable': 'Der Server war nicht zu erreichen.',
  'file-gone': 'Die Datei ist nicht mehr, wo sie gespeichert wurde.',
  'named-file-gone': '{name} ist nicht mehr, wo es gespeichert wurde.',
  'named-file-damaged': '{name} ist beschädigt.',
  'named-file-unreadable': '{name} war nicht zu lesen ({code}).',
  'file-is-none': 'Dort ist keine Datei.',
  'file-of-other-size': 'Sie hat {found} Bytes statt {expected}.',
  'file-cut': 'Ihr Ende fehlt.',
  'file-changed': 'Ihr Inhalt hat sich geändert.',
  'file-no-video': 'Sie beginnt nicht wie ein Video.',
  'file-box-impossible': 'Ein Abschnitt darin hat eine unmögliche Größe.',
  'file-header-too-large': 'Ihr Kopf ist zu groß.',
  'file-header-damaged': 'Ihr Kopf ist beschädigt.',
  'file-no-video-track': 'Sie hat keine Videospur.',

  'disk-needs-room':
    'Das Laufwerk ist voll: Das nächste Video braucht noch {missing:bytes}. Es geht von selbst weiter, sobald Platz ist.',
  'disk-full': 'Das Laufwerk ist voll. Es geht von selbst weiter, sobald Platz ist.',
  'folder-unwritable':
    'In den Ordner ist nicht zu schreiben. Es geht von selbst weiter, sobald es geht.',
  'queue-unwritable':
    'Die Warteschlange lässt sich nicht festhalten: Ihr Laufwerk ist voll oder nicht zu beschreiben. Bis dahin wird nichts gesendet; dann geht es von selbst weiter.',
  'queue-restored':
    'Die Warteschlange war beschädigt und kommt aus ihrer letzten Sicherung. Sehen Sie sie an und setzen Sie dann fort.',
  'queue-copied':
    'Diese Warteschlange wurde kopiert oder kommt aus einer Sicherung. Was sie nicht gesendet hat, ist seither vielleicht von dort gesendet. Sehen Sie sie an und setzen Sie dann fort.',
  'queue-begins-anew': 'Die Warteschlange war nicht zu retten und beginnt neu.',
  'queue-kept-as': 'Die beschädigte Datei ist noch da, als {name}.',
  'key-needed': 'Um Videos zu erstellen, braucht es einen API-Schlüssel.',
  'key-refused-enter':
    'Der Dienst lehnt den API-Schlüssel ab. Geben Sie den jetzigen ein, um fortzufahren.',
  'quota-refused': 'Der Dienst sagt, die Videos dieses Monats sind verbraucht.',
  'quota-all-used': 'Alle {limit} Videos dieses Monats sind verbraucht oder vorgemerkt.',

  'certificate-wrong':
    '{host} konnte nicht beweisen, dass es der Dienst ist ({code}); nichts wurde dorthin gesendet.',
  'no-https': '{host} spricht kein HTTPS.',
  'address-not-found':
    'Die Adresse von {host} war nicht zu finden. Ist dieser Rechner mit dem Netz verbunden?',
  'connection-refused': '{host} antwortet nicht: Es nahm die Verbindung nicht an.',
  'host-unreachable':
    '{host} ist von diesem Rechner aus jetzt nicht zu erreichen. Ist er mit dem Netz verbunden?',
  'connection-too-slow': '{host} antwortet nicht: Die Verbindung dauerte zu lange.',
  'connection-broke': 'Die Verbindung zu {host} brach ab ({code}).',
  'told-to-stop': 'Spool sollte aufhören.',
  'answer-too-slow': '{host} brauchte zu lange für eine Antwort.',
  'answer-too-long': '{host} antwortete mit mehr als 1 MiB; keine Antwort braucht so viel.',
  'stopped-unsent': 'Es wurde angehalten, bevor etwas gesendet war.',
  'acceptance-unknown': 'Ob das Video angenommen wurde, ist nicht bekannt.',
  'key-enter': 'Geben Sie den API-Schlüssel Ihres Kontos ein.',
  'key-malformed':
    'Der API-Schlüssel hat Zeichen, die kein Schlüssel hat. Kopieren Sie ihn noch einmal von dort.',
  'key-revoked':
    'Der Dienst nimmt den API-Schlüssel nicht an. Wurde er widerrufen? Geben Sie einen neuen ein.',
  'quota-used-up': 'Die Videos dieses Monats sind verbraucht.',
  'video-refused': 'Der Dienst nahm dieses Video nicht an (Antwort {status}).',
  'video-unknown-there': 'Der Dienst kennt dieses Video nicht mehr.',
  'refuses-all':
    'Der Dienst lehnte {count} Videos nacheinander ab (zuletzt mit Status {status}), und nicht wegen ihres Inhalts. Stimmt seine Adresse? Die anderen warten; die abgelehnten lassen sich noch einmal versuchen.',
  'host-not-now': '{host} konnte jetzt nicht antworten (Status {status}).',
  'answer-odd': 'Die Antwort von {host} war nicht zu verstehen.',
  'answer-without-link': 'Sie enthielt keinen Download-Link.',
  'answer-link-not-https': 'Ihr Download-Link ist keine https-Adresse.',
  'answered-with': 'Der Dienst antwortete mit Status {status}.',
  'identifier-of-another':
    'Der Dienst gab diesem Video die Kennung eines anderen („{title}“); ob es erstellt wurde, ist deshalb nicht bekannt.',
  'no-identifier': 'Der Dienst antwortete, nannte aber keine Kennung für das Video.',
  redirected:
    '{host} wollte die Anfrage an eine andere Adresse weiterreichen; mit einem API-Schlüssel geschieht das nicht. Prüfen Sie die Adresse des Dienstes.',

  'link-no-address': 'Der Link ist keine Web-Adresse.',
  'link-with-login': 'Der Link trägt einen Benutzernamen oder ein Passwort.',
  'link-not-https': 'Der Link ist keine https-Adresse.',
  'link-not-public': 'Der Link führt zu {host}, und das ist keine öffentliche Adresse.',
  'target-busy': 'Etwas anderes schreibt gerade diese Datei.',
  'redirects-too-often': 'Der Link leitet zu oft weiter.',
  'redirects-nowhere': 'Der Link leitet ins Leere.',
  'sent-no-video': 'Der Server sandte etwas, das kein Video ist.',
  'sent-empty': 'Der Server sandte eine leere Datei.',
  'sent-compressed': 'Der Server sandte das Video verdichtet; so lässt es sich nicht fortsetzen.',
  'answers-senseless': 'Die Antworten des Servers ergeben keinen Sinn.',
  'file-unwritable': 'Die Datei war nicht zu schreiben ({code}).',
  'video-damaged-there': 'Das Video auf dem Server ist beschädigt.',
  'link-refused': 'Der Server nimmt den Link nicht mehr an.',
  'download-certificate-wrong': 'Das Zertifikat des Servers gilt nicht.',

  'hold-too-late': 'Es lässt sich nur anhalten, bevor es gesendet ist.',
  'not-held': 'Es ist nicht angehalten.',
  'decide-first': 'Sagen Sie erst, ob der Dienst dieses Video erstellt hat.',
  'sending-now': 'Es ist gerade unterwegs; danach lässt es sich aufgeben.',
  'nothing-to-withdraw': 'Es gibt nichts mehr zurückzuziehen.',
  'retry-only-ended':
    'Nur gescheiterte und zurückgezogene Videos lassen sich noch einmal erstellen.',
  'nothing-to-fetch': 'Davon gibt es kein Video, das noch einmal zu holen wäre.',
  'place-too-late': 'Es ist gesendet; sein Platz spielt keine Rolle mehr.',
  'priority-too-late': 'Es ist gesendet; sein Vorrang spielt keine Rolle mehr.',
  'edit-too-late': 'Es ist gesendet und lässt sich nicht mehr ändern.',
  'sent-already': 'Es ist schon gesendet.',
  'sent-again-meanwhile': 'Es wurde inzwischen noch einmal gesendet. Sehen Sie es noch einmal an.',
  renamed: '{from} heißt jetzt {to}.',
  'rename-gone': 'Die Datei ist nicht da. Holen Sie sie zuerst erneut.',
  'rename-damaged': 'Die Datei ist beschädigt. Holen Sie sie zuerst erneut.',
  'rename-changed': 'Es wurde inzwischen geändert. Sehen Sie es noch einmal an.',
  'name-taken': 'Eine andere Datei heißt {name}.',
  'rename-refused': 'Es ließ sich nicht in {name} umbenennen ({code}).',
  'rename-later': 'Spool wurde vorher geschlossen. Beim nächsten Start wird es umbenannt.',
  'outcome-known': 'Was aus diesem Video wurde, ist bekannt.',
  'identifier-taken': 'Das Video mit dieser Kennung ist „{title}“.',

  'at-row': 'Zeile {row}, {column}:',
  'at-entry': 'Eintrag {row}, {column}:',
  'at-line': 'Zeile {row}, {column}:',
  'cell-empty': 'ist leer, und jedes Video braucht das.',
  'cell-damaged': 'hat unterwegs beschädigte Zeichen. Speichern Sie die Datei als CSV UTF-8.',
  'cell-not-number': '„{text}“ ist keine Zahl.',
  'cell-not-whole': '„{text}“ ist keine ganze Zahl.',
  'cell-too-high': '„{text}“ ist mehr als {max}.',
  'cell-too-low': '„{text}“ ist weniger als {min}.',
  'cell-not-between': '„{text}“ liegt nicht zwischen {min} und {max}.',
  'cell-not-colour': '„{text}“ ist keine Farbe wie #ffb020.',
  'cell-not-one-of': '„{text}“ ist keines von {options}.',
  'cell-too-many': 'hat {count} Einträge; höchstens {max} passen.',
  'cell-too-long': '„{text}“ hat {count} Zeichen; höchstens {max} passen.',
  'cell-of-other-kind': 'hierher gehört ein Text, eine Zahl oder eine Liste von Texten.',
  'row-of-other-width':
    'Zeile {row} passt nicht zur Kopfzeile: {cells} gegen {columns} Spalten. Um Text mit einem Komma gehören Anführungszeichen.',
  'entry-no-object': 'Eintrag {row} ist kein JSON-Objekt wie {example}.',
  'line-no-object': 'Zeile {row} ist kein JSON-Objekt wie {example}.',
  'file-quote-open': '„{name}“ hat ein Anführungszeichen, das nie geschlossen wird.',
  'file-no-table': '„{name}“ ließ sich nicht als Tabelle lesen.',
  'file-no-list': '„{name}“ ist keine JSON-Liste von Videos: [{example}, {example}].',
  'file-is-workbook': '„{name}“ ist eine Arbeitsmappe. Speichern Sie sie erst als CSV.',
  'file-no-text': '„{name}“ ist kein lesbarer Text. Speichern Sie die Tabelle als CSV UTF-8.',
  'file-no-rows': '„{name}“ hat keine Zeilen, aus denen Videos werden könnten.',
  'columns-alike': 'Zwei Spalten sind für dasselbe: „{one}“ und „{other}“.',
  'column-missing': 'Es gibt keine Spalte „{name}“. Die Spalten sind: {columns}.',
  'column-for-nothing': 'Für „{name}“ gibt es nichts, das eine Spalte nimmt.',
  'column-chosen-missing': 'Es gibt keine Spalte „{given}“, die „{name}“ sein könnte.',

  'in-use': 'Spool läuft schon mit diesem Datenordner.',
  'in-use-by': 'Spool läuft schon mit diesem Datenordner (Prozess {pid}).',
  'owner-mute':
    'Spool läuft schon mit diesem Datenordner und antwortet nicht: Es ist vielleicht eine andere Version oder beschäftigt. Beenden Sie es, oder versuchen Sie es noch einmal.',
  'owner-of-other-service':
    'Spool läuft mit diesem Datenordner (Prozess {pid}) und dem Dienst {service}.',
  'owner-of-other-profile':
    'Spool läuft mit diesem Datenordner (Prozess {pid}) und einem anderen Dienstprofil.',
  'owner-ended':
    'Das Spool, das an der Warteschlange arbeitete, hat sich beendet. Nichts ist verloren; tun Sie dasselbe noch einmal.',

  'template-unfillable': 'Die Vorlage lässt sich nicht füllen:',
  'no-such-column': 'Es gibt keine Spalte „{name}“.',
  'at-default': 'Vorgabe für {column}:',

  'keychain-silent':
    'Der Schlüsselbund dieses Computers antwortet nicht. Wartet er auf eine Eingabe von Ihnen?',
  'keychain-disobeys': 'Der Schlüsselbund dieses Computers behält nicht, was er behalten soll.',
  'keychain-unusable': 'Der Schlüsselbund dieses Computers lässt sich nicht verwenden.',
  'keychain-unusable-because':
    'Der Schlüsselbund dieses Computers lässt sich nicht verwenden ({reason}).',
  'key-in-memory':
    'Der API-Schlüssel bleibt im Arbeitsspeicher; beim nächsten Start wird wieder danach gefragt.',
  'keychain-unlock':
    'Entsperren Sie ihn und versuchen Sie es noch einmal, oder geben Sie den Schlüssel neu ein.',
  'install-libsecret':
    'Installieren Sie libsecret (unter Debian und Ubuntu libsecret-1-0) und starten Sie Spool neu.',
  'install-keyring':
    'Installieren Sie GNOME Keyring oder KWallet, falls beides fehlt, entsperren Sie den Schlüsselbund und starten Sie Spool neu.',
  'key-may-remain':
    'Der API-Schlüssel wird nicht mehr verwendet, liegt aber vielleicht noch dort: Entsperren Sie den Schlüsselbund und löschen Sie, was darin unter „Spool“ steht.',

  'value-missing': 'Diese Angabe fehlt.',
  'value-empty': 'Das darf nicht leer sein.',
  'value-not-text': 'Hierher gehört ein Text.',
  'value-not-number': 'Hierher gehört eine Zahl.',
  'value-not-whole': 'Hierher gehört eine ganze Zahl.',
  'value-not-switch': 'Hierher gehört true oder false.',
  'value-not-list': 'Hierher gehört eine Liste.',
  'value-not-object': 'Hierher gehört ein Objekt.',
  'value-of-other-kind': 'Hierher gehört etwas anderes.',
  'value-one-of': 'Möglich sind nur: {options}.',
  'value-of-no-kind': 'Diese Art gibt es nicht.',
  'value-more-than': 'Der Wert muss größer als {min} sein.',
  'value-at-least': 'Der Wert muss mindestens {min} sein.',
  'value-less-than': 'Der Wert muss kleiner als {max} sein.',
  'value-at-most': 'Der Wert darf höchstens {max} sein.',
  'value-too-long': 'Höchstens {max} Zeichen sind möglich.',
  'value-too-many': 'Höchstens {max} davon sind möglich.',
  'value-unknown-name': 'Hier gibt es kein „{name}“.',
  'value-not-date': 'Ein Datum sieht so aus: 2026-03-17.',
  'value-not-https': 'Die Adresse eines Dienstes beginnt mit https://.',
  'value-not-pem': 'Das ist kein Zertifikat im PEM-Format.',
  'value-not-path': 'Ein Pfad sieht so aus: „movie.status“ oder „output[0]“.',
  'value-with-braces': 'Im Namen einer Spalte stehen keine geschweiften Klammern.',
  'value-unfit': 'Das passt hier nicht.',
  'zone-unknown': 'Diese Zeitzone gibt es nicht.',
  'plan-limit-negotiated':
    'Zu einem ausgehandelten Tarif gehört eine Zahl von Videos im Monat, zu einem anderen nicht.',
  'folder-not-absolute': 'Ein Ordner wird mit seinem vollständigen Pfad angegeben.',
  'setting-unknown': 'Diese Einstellung gibt es nicht.',
  'no-settings': 'Das ist keine Datei mit Einstellungen von Spool.',
  'settings-too-large': 'Sie ist größer als 1 MB; so groß ist keine Datei mit Einstellungen.',
  'settings-unreadable': 'Die Datei ließ sich nicht lesen.',
  'settings-damaged':
    'Die Einstellungen waren nicht lesbar. Es gelten die üblichen; die alte Datei heißt jetzt {name}.',

  'list-ends': 'Von dort an geht diese Liste nicht weiter.',
  'queue-newer':
    'Die Warteschlange stammt von einer neueren Version von Spool. Installieren Sie diese, um sie zu öffnen.',
  'folder-unusable': 'Der Ordner {folder} lässt sich nicht verwenden.',
  'certificate-file-unreadable': 'Die Zertifikatsdatei {file} lässt sich nicht lesen.',
  'failure-unreadable':
    'Was hier schiefging, hat eine andere Version von Spool vermerkt; diese kann es nicht lesen.',
  'here-not-started': 'Der Dienst auf diesem Computer ist nicht gestartet.',
  'here-refused': 'Der Dienst auf diesem Computer hat einen Befehl abgelehnt.',
  'here-unreadable': 'Die Antwort des Dienstes auf diesem Computer war nicht lesbar.',
  'here-ended':
    'Der Dienst auf diesem Computer hat sich beendet. Starten Sie Spool neu, um fortzufahren.',
  'batch-file-too-large': '{file} ist größer als 16 MiB; so groß ist kein Stapel.',
  'batch-file-gone': 'Die Datei {file} gibt es nicht.',
  'batch-file-folder': '{file} ist ein Ordner und kein Stapel.',
  'batch-file-forbidden': 'Sie haben kein Recht, {file} zu lesen.',
  'batch-file-unreadable': '{file} lässt sich nicht lesen.',

  'computer-cannot': 'Das kann dieser Rechner von hier aus nicht.',
  'folder-not-yet': 'Der Ordner {folder} entsteht mit dem ersten Video.',
  'no-update-now': 'Gerade kann keine neue Fassung eingespielt werden.',
  'not-saved-yet': 'Dieses Video ist noch nicht gespeichert.',
  'file-moved': 'Die Datei ist nicht, wo sie gespeichert wurde.',
  'cannot-be-opened': 'Es lässt sich nicht öffnen: {trouble}',
  'answers-known-here': 'Wie der Dienst auf diesem Rechner antwortet, ist bekannt.',
  'no-program': 'Dieser Rechner hat kein Programm, das es öffnet.',

  'in-english': '{text}',
};
