import type { SentenceName } from '../../contract/sentences.ts';

/** What the engine says, in German. The gaps are those of `contract/sentences.ts`. */
export const deSentences: Record<SentenceName, string> = {
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
  'named-file-damaged': '{name} ist beschädigt („{reason}“).',

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
  'answered-with': 'Der Dienst antwortete mit Status {status}.',
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

  'computer-cannot': 'Das kann dieser Rechner von hier aus nicht.',
  'folder-not-yet': 'Der Ordner {folder} entsteht mit dem ersten Video.',
  'no-update-now': 'Gerade kann keine neue Fassung eingespielt werden.',
  'not-saved-yet': 'Dieses Video ist noch nicht gespeichert.',
  'file-moved': 'Die Datei ist nicht, wo sie gespeichert wurde.',
  'cannot-be-opened': 'Es lässt sich nicht öffnen: {trouble}',
  'answers-known-here': 'Wie der Dienst auf diesem Rechner antwortet, ist bekannt.',
  'no-program': 'Dieser Rechner hat kein Programm, das es öffnet.',
};
