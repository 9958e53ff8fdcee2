/** Spreadsheets: files, rows and cells. */
export const intakeMessages = {
  'in-file': { en: '“{name}”:', de: '„{name}“:' },
  'at-row': { en: 'Row {row}, {column}:', de: 'Zeile {row}, {column}:' },
  'at-entry': { en: 'Entry {row}, {column}:', de: 'Eintrag {row}, {column}:' },
  'at-line': { en: 'Line {row}, {column}:', de: 'Zeile {row}, {column}:' },
  'at-column': { en: 'Column {row}, {column}:', de: 'Spalte {row}, {column}:' },
  'at-field': { en: '{field}:', de: 'Feld {field}:' },
  'cell-empty': {
    en: 'is empty, and every video needs one.',
    de: 'ist leer. Jedes Video braucht diese Angabe.',
  },
  'cell-example': {
    en: 'is still the example of the template. Replace it, or delete this row.',
    de: 'ist noch das Beispiel der Vorlage. Ersetzen Sie es oder löschen Sie diese Zeile.',
  },
  'cell-untranslated': {
    en: 'is empty, and another language has a text. Enter the translation, or use that text.',
    de: 'ist leer, und eine andere Sprache hat hier einen Text. Geben Sie die Übersetzung ein oder verwenden Sie diesen Text.',
  },
  'translation-column-missing': {
    en: '“{name}” has columns for other languages, but none for “{language}”. Add the column “{name}[{language}]”.',
    de: '„{name}“ hat Spalten für andere Sprachen, aber keine für „{language}“. Ergänzen Sie die Spalte „{name}[{language}]“.',
  },
  'original-column-missing': {
    en: '“{name}” only has columns for single languages, but other columns also have one without a language. Add the column “{name}”, or name the language of the others.',
    de: '„{name}“ hat nur Spalten für einzelne Sprachen, andere Spalten gibt es aber auch ohne Sprache. Ergänzen Sie die Spalte „{name}“ oder nennen Sie bei den anderen die Sprache.',
  },
  'text-undrawable': {
    en: 'no font on this computer can draw {characters}',
    de: 'keine Schrift auf diesem Computer enthält {characters}',
  },
  'text-too-small': {
    en: 'would be too small to read on a phone. About {fits:count} characters fit.',
    de: 'wäre auf einem Telefon zu klein zum Lesen. Etwa {fits:count} Zeichen passen.',
  },
  'text-word-broken': {
    en: 'has a word that is wider than a line, and would be broken. About {fits:count} characters fit.',
    de: 'enthält ein Wort, das breiter als eine Zeile ist und zerteilt würde. Etwa {fits:count} Zeichen passen.',
  },
  'colour-low-contrast': {
    en: 'has too little contrast with the background. {nearest} is shown instead.',
    de: 'hebt sich zu wenig vom Hintergrund ab. Gezeigt wird stattdessen {nearest}.',
  },
  'cell-damaged': {
    en: 'has damaged characters. Correct the cell, or choose another encoding.',
    de: 'enthält beschädigte Zeichen. Korrigieren Sie die Zelle oder wählen Sie eine andere Zeichencodierung.',
  },
  'cell-two-keys': {
    en: 'has two different values, in “{one}” and “{other}”. Remove one of them.',
    de: 'hat zwei verschiedene Werte, in „{one}“ und „{other}“. Entfernen Sie einen davon.',
  },
  'cell-two-values': {
    en: 'has two different values. Remove one of them.',
    de: 'hat zwei verschiedene Werte. Entfernen Sie einen davon.',
  },
  'cell-not-number': { en: '“{text}” is not a number.', de: '„{text}“ ist keine Zahl.' },
  'cell-not-whole': { en: '“{text}” is not a whole number.', de: '„{text}“ ist keine ganze Zahl.' },
  'cell-too-high': {
    en: '“{text}” is more than {max:count}.',
    de: '„{text}“ ist größer als {max:count}.',
  },
  'cell-too-low': {
    en: '“{text}” is less than {min:count}.',
    de: '„{text}“ ist kleiner als {min:count}.',
  },
  'cell-not-between': {
    en: '“{text}” is not between {min:count} and {max:count}.',
    de: '„{text}“ liegt nicht zwischen {min:count} und {max:count}.',
  },
  'cell-not-colour': {
    en: '“{text}” is not a colour such as #ffb020.',
    de: '„{text}“ ist keine Farbe wie #ffb020.',
  },
  'cell-not-address': {
    en: '“{text}” is not an address that begins with https://. Files of this computer are not sent.',
    de: '„{text}“ ist keine Adresse, die mit https:// beginnt. Dateien dieses Computers werden nicht gesendet.',
  },
  'cell-not-with': {
    en: '“{text}” is not possible with {given}. Possible: {options}.',
    de: '„{text}“ ist mit {given} nicht möglich; möglich sind {options}.',
  },
  'cell-not-with-without': {
    en: '“{text}” is not possible with {given} and no {missing}. Possible: {options}.',
    de: '„{text}“ ist mit {given} ohne {missing} nicht möglich; möglich sind {options}.',
  },
  'cell-above-with': {
    en: '“{text}” is too much with {given}: at most {max}.',
    de: '„{text}“ ist mit {given} zu viel: höchstens {max}.',
  },
  'cell-needed-with': {
    en: 'is empty, but {given} needs a value.',
    de: 'ist leer, aber {given} braucht hier einen Wert.',
  },
  'cell-needed-without': {
    en: 'is empty, which is possible only with a value for {missing}.',
    de: 'ist leer; das geht nur mit einem Wert für {missing}.',
  },
  'cell-not-one-of': {
    en: '“{text}” is not one of {options}.',
    de: '„{text}“ ist nicht möglich; möglich sind {options}.',
  },
  'cell-too-many': {
    en: 'has {count:count} items; at most {max:count} fit.',
    de: 'hat {count:count} Einträge; möglich sind höchstens {max:count}.',
  },
  'cell-too-long': {
    en: '“{text}” has {count:count} characters; at most {max:count} fit.',
    de: '„{text}“ hat {count:count} Zeichen; möglich sind höchstens {max:count}.',
  },
  'cell-is-error-value': {
    en: '“{text}” is an error of the spreadsheet, not a text.',
    de: '„{text}“ ist ein Fehlerwert der Tabellenkalkulation, kein Text.',
  },
  'cell-too-narrow': {
    en: '“{text}” is what a spreadsheet shows where a column is too narrow. Widen it and save the file again.',
    de: '„{text}“ zeigt eine Tabellenkalkulation, wenn eine Spalte zu schmal ist. Verbreitern Sie sie und speichern Sie die Datei noch einmal.',
  },
  'cell-is-formula': {
    en: '“{text}” is a formula instead of its result.',
    de: '„{text}“ ist eine Formel statt ihres Ergebnisses.',
  },
  'cell-of-other-kind': {
    en: 'must be text, a number or a list of texts.',
    de: 'hierher gehört ein Text, eine Zahl oder eine Liste von Texten.',
  },
  'row-of-other-width': {
    en: 'Row {row} does not match the header: {cells} instead of {columns} columns.',
    de: 'Zeile {row} passt nicht zur Kopfzeile: {cells} statt {columns} Spalten.',
  },
  'separator-in-text': {
    en: 'Put text that contains “{separator}” in quotation marks.',
    de: 'Text, in dem „{separator}“ vorkommt, muss in Anführungszeichen stehen.',
  },
  'table-not-separated': {
    en: 'Spool cannot tell what separates the columns of “{name}”: “{text}”. Choose the character above the rows, or --separator on the command line. If there are only spaces, each text has to begin below the name of its column.',
    de: 'Spool erkennt nicht, was die Spalten von „{name}“ trennt: „{text}“. Wählen Sie das Zeichen über den Zeilen oder auf der Befehlszeile mit --separator. Trennen nur Leerzeichen, muss jeder Text unter dem Namen seiner Spalte beginnen.',
  },
  'entry-no-object': {
    en: 'Entry {row} is not a JSON object such as {example}.',
    de: 'Eintrag {row} ist kein JSON-Objekt wie {example}.',
  },
  'line-no-object': {
    en: 'Line {row} is not a JSON object such as {example}.',
    de: 'Zeile {row} ist kein JSON-Objekt wie {example}.',
  },
  'row-quote-open': {
    en: 'Row {row} has a quotation mark that is opened and never closed.',
    de: 'In Zeile {row} wird ein Anführungszeichen geöffnet und nicht geschlossen.',
  },
  'row-is-struck': {
    en: 'Row {row} has text that is struck through, which a video shows without the line. Leave the row out if it no longer counts.',
    de: 'Zeile {row} enthält durchgestrichenen Text, den ein Video ohne den Strich zeigt. Lassen Sie die Zeile aus, wenn sie nicht mehr gilt.',
  },
  'rows-of-other-separator': {
    en: 'In “{name}”, the cells of some rows are separated by another character than those of the header. They are read with it. Rows: {count:count}, the first is row {row}.',
    de: 'In „{name}“ trennt ein anderes Zeichen die Zellen einiger Zeilen als die der Kopfzeile. Sie werden damit gelesen. Zeilen: {count:count}, die erste ist Zeile {row}.',
  },
  'row-is-total': {
    en: 'Row {row} looks like a total: “{text}”. Leave it out, or say that totals are videos.',
    de: 'Zeile {row} sieht nach einer Summe aus: „{text}“. Lassen Sie sie aus oder geben Sie an, dass Summen Videos sind.',
  },
  'row-is-section': {
    en: 'Row {row} looks like a heading between videos: “{text}”. Leave it out, or make a video of it.',
    de: 'Zeile {row} sieht nach einer Zwischenüberschrift aus: „{text}“. Lassen Sie sie aus oder machen Sie ein Video daraus.',
  },
  'row-is-note': {
    en: 'Row {row} looks like a note below the table: “{text}”. Leave it out, or make a video of it.',
    de: 'Zeile {row} sieht nach einer Anmerkung unter der Tabelle aus: „{text}“. Lassen Sie sie aus oder machen Sie ein Video daraus.',
  },
  'row-is-other-table': {
    en: 'Row {row} looks like part of another table: “{text}”. Leave it out, or make a video of it.',
    de: 'Zeile {row} sieht nach einem Teil einer anderen Tabelle aus: „{text}“. Lassen Sie sie aus oder machen Sie ein Video daraus.',
  },
  'copy-replaces-formulas': {
    en: 'Corrected cells with a formula: {count:count}. In the copy, they have your value instead.',
    de: 'Korrigierte Zellen mit einer Formel: {count:count}. In der Kopie steht dort Ihr Wert.',
  },
  'row-is-divided': {
    en: 'Row {row} may be part of a text that is spread over several cells or rows: “{text}”. Put that text in quotation marks, or make a video of the row as it is.',
    de: 'Zeile {row} ist vielleicht Teil eines Textes, der über mehrere Zellen oder Zeilen verteilt ist: „{text}“. Setzen Sie diesen Text in Anführungszeichen oder machen Sie aus der unveränderten Zeile ein Video.',
  },
  'column-is-unlikely': {
    en: 'Column {row} may have the text of another column, or be no video: “{text}”. Put texts that contain a comma or semicolon in quotation marks, leave the column out, or make a video of it.',
    de: 'Spalte {row} enthält vielleicht Text einer anderen Spalte oder ist kein Video: „{text}“. Setzen Sie Texte mit Komma oder Semikolon in Anführungszeichen, lassen Sie die Spalte aus oder machen Sie ein Video daraus.',
  },
  'copy-is-csv': {
    en: 'The copy is a CSV file with the rows of the table.',
    de: 'Die Kopie ist eine CSV-Datei mit den Zeilen der Tabelle.',
  },
  'copy-is-plain-workbook': {
    en: 'The copy has the rows of this sheet as text, without formats, formulas and other sheets.',
    de: 'Die Kopie enthält die Zeilen dieses Blatts als Text, ohne Formate, Formeln und andere Blätter.',
  },
  'table-turned': {
    en: 'In “{name}”, the names of the columns are in the first column instead of the first row. Turn the table: choose “Turn it” above the rows, or --turn on the command line.',
    de: 'In „{name}“ stehen die Spaltennamen in der ersten Spalte statt in der ersten Zeile. Drehen Sie die Tabelle: Wählen Sie „Drehen“ über den Zeilen oder --turn auf der Befehlszeile.',
  },
  'header-row-empty': {
    en: 'Row {row} of “{name}” is empty, so it cannot be the header.',
    de: 'Zeile {row} von „{name}“ ist leer und kann nicht die Kopfzeile sein.',
  },
  'line-json-broken': {
    en: 'Line {row} is not valid JSON from column {column} on.',
    de: 'Zeile {row} ist ab Spalte {column} kein gültiges JSON.',
  },
  'file-json-broken': {
    en: '“{name}” is not valid JSON: line {line}, column {column}.',
    de: '„{name}“ ist kein gültiges JSON: Zeile {line}, Spalte {column}.',
  },
  'file-encoded-twice': {
    en: '“{name}” was probably saved in the wrong encoding: “{found}” should be “{meant}”. Choose the encoding.',
    de: '„{name}“ wurde wahrscheinlich mit falscher Zeichencodierung gespeichert: „{found}“ müsste „{meant}“ heißen. Wählen Sie die Zeichencodierung.',
  },
  'file-is-old-workbook': {
    en: '“{name}” is a workbook of Excel 95 or earlier. Save it as an Excel workbook (.xlsx).',
    de: '„{name}“ ist eine Arbeitsmappe von Excel 95 oder älter. Speichern Sie sie als Excel-Arbeitsmappe (.xlsx).',
  },
  'file-is-numbers': {
    en: '“{name}” is a Numbers document. Export it to Excel or CSV.',
    de: '„{name}“ ist ein Numbers-Dokument. Exportieren Sie es nach Excel oder als CSV.',
  },
  'file-has-password': {
    en: '“{name}” is protected by a password. Save a copy without one.',
    de: '„{name}“ ist durch ein Passwort geschützt. Speichern Sie eine Kopie ohne Passwort.',
  },
  'workbook-damaged': {
    en: '“{name}” is a damaged workbook. Open and save it in a spreadsheet program.',
    de: '„{name}“ ist eine beschädigte Arbeitsmappe. Öffnen und speichern Sie sie in einem Tabellenprogramm.',
  },
  'workbook-too-large': {
    en: '“{name}” is larger than a batch can be when it is unpacked.',
    de: '„{name}“ ist entpackt größer, als ein Stapel sein darf.',
  },
  'sheet-missing': {
    en: '“{name}” has no sheet “{sheet}”. It has: {sheets}.',
    de: '„{name}“ hat kein Blatt „{sheet}“. Vorhanden: {sheets}.',
  },
  'file-no-list': {
    en: '“{name}” is not a JSON list of videos: [{example}, {example}].',
    de: '„{name}“ ist keine JSON-Liste von Videos: [{example}, {example}].',
  },
  'file-is-workbook': {
    en: '“{name}” is not a workbook that can be read. Save it as .xlsx or CSV.',
    de: '„{name}“ ist keine lesbare Arbeitsmappe. Speichern Sie sie als .xlsx oder CSV.',
  },
  'file-is-archive': {
    en: '“{name}” is an archive. Unpack it, and add the table that is in it.',
    de: '„{name}“ ist ein Archiv. Entpacken Sie es und fügen Sie die Tabelle daraus hinzu.',
  },
  'file-is-document': {
    en: '“{name}” is a document, not a table. Copy its table into a spreadsheet, and add that.',
    de: '„{name}“ ist ein Dokument, keine Tabelle. Kopieren Sie die Tabelle daraus in ein Tabellenprogramm und fügen Sie diese Datei hinzu.',
  },
  'file-is-shortcut': {
    en: '“{name}” contains only a link. Open it, download the table as .xlsx or CSV, and add that file.',
    de: '„{name}“ enthält nur einen Link. Öffnen Sie ihn, laden Sie die Tabelle als .xlsx oder CSV herunter und fügen Sie diese Datei hinzu.',
  },
  'file-is-page': {
    en: '“{name}” is a web page without a table. Sign in where the table is, and download it as .xlsx or CSV.',
    de: '„{name}“ ist eine Webseite ohne Tabelle. Melden Sie sich dort an, wo die Tabelle liegt, und laden Sie sie als .xlsx oder CSV herunter.',
  },
  'file-is-xml': {
    en: '“{name}” is an XML file without a table. Open it in a spreadsheet, or export it again, and save it as .xlsx or CSV.',
    de: '„{name}“ ist eine XML-Datei ohne Tabelle. Öffnen Sie sie in einem Tabellenprogramm oder exportieren Sie sie neu, und speichern Sie sie als .xlsx oder CSV.',
  },
  'file-is-lock': {
    en: '“{name}” only marks that a workbook is open. Add the workbook itself.',
    de: '„{name}“ zeigt nur an, dass eine Arbeitsmappe geöffnet ist. Fügen Sie die Arbeitsmappe selbst hinzu.',
  },
  'file-is-results': {
    en: '“{name}” has the results of a batch. Add the table of the batch itself.',
    de: '„{name}“ enthält die Ergebnisse eines Stapels. Fügen Sie die Tabelle des Stapels selbst hinzu.',
  },
  'file-no-text': {
    en: '“{name}” is neither a text nor a workbook. Save the table as .xlsx or CSV.',
    de: '„{name}“ ist weder ein Text noch eine Arbeitsmappe. Speichern Sie die Tabelle als .xlsx oder CSV.',
  },
  'file-too-many-rows': {
    en: '“{name}” has more than {max:count} rows. Split it and add the parts.',
    de: '„{name}“ hat mehr als {max:count} Zeilen. Teilen Sie die Datei und fügen Sie die Teile hinzu.',
  },
  'file-too-many-columns': {
    en: '“{name}” has more than {max:count} columns.',
    de: '„{name}“ hat mehr als {max:count} Spalten.',
  },
  'file-too-many-cells': {
    en: '“{name}” has more than {max:count} cells. Split it and add the parts.',
    de: '„{name}“ hat mehr als {max:count} Zellen. Teilen Sie die Datei und fügen Sie die Teile hinzu.',
  },
  'files-too-large': {
    en: 'Together, the files are larger than 64 MiB. Add them as several batches.',
    de: 'Zusammen sind die Dateien größer als 64 MiB. Fügen Sie sie als mehrere Stapel hinzu.',
  },
  'files-too-many-rows': {
    en: 'Together, the files have more than {max:count} rows. Add them as several batches.',
    de: 'Zusammen haben die Dateien mehr als {max:count} Zeilen. Fügen Sie sie als mehrere Stapel hinzu.',
  },
  'files-too-many-columns': {
    en: 'Together, the files have more than {max:count} columns. Add them as several batches.',
    de: 'Zusammen haben die Dateien mehr als {max:count} Spalten. Fügen Sie sie als mehrere Stapel hinzu.',
  },
  'files-too-many-cells': {
    en: 'Together, the files have more than {max:count} cells. Add them as several batches.',
    de: 'Zusammen haben die Dateien mehr als {max:count} Zellen. Fügen Sie sie als mehrere Stapel hinzu.',
  },
  'file-too-complex': {
    en: '“{name}” is too complex to read.',
    de: '„{name}“ ist zu komplex, um gelesen zu werden.',
  },
  'file-no-rows': {
    en: '“{name}” has no rows to make videos from.',
    de: '„{name}“ enthält keine Zeilen für Videos.',
  },
  'choice-no-duplicate': {
    en: 'Row {row} is not a duplicate, so there is nothing to choose.',
    de: 'Zeile {row} ist nicht doppelt; hier gibt es nichts zu wählen.',
  },
  'choice-already-queued': {
    en: 'Row {row} is in this batch already. It can be rendered again once it is saved.',
    de: 'Zeile {row} ist schon in diesem Stapel. Sie kann neu gerendert werden, sobald sie gespeichert ist.',
  },
  'columns-alike': {
    en: 'Two columns match the same field: “{one}” and “{other}”.',
    de: 'Zwei Spalten passen zum selben Feld: „{one}“ und „{other}“.',
  },
  'column-missing': {
    en: 'There is no “{name}” column. The columns are: {columns}.',
    de: 'Es gibt keine Spalte „{name}“. Die Spalten sind: {columns}.',
  },
  'column-unused': { en: '“{name}” is not used.', de: '„{name}“ wird nicht verwendet.' },
  'column-beside-table': {
    en: '“{name}” may belong to another table: there is an empty column to its left. If so, choose no column for “{column}”, with --column {column}= on the command line.',
    de: '„{name}“ gehört vielleicht zu einer anderen Tabelle: Links davon ist eine leere Spalte. Wählen Sie dann keine Spalte für „{column}“, auf der Befehlszeile mit --column {column}=.',
  },
  'column-misspelt': {
    en: '“{name}” is not used. Is it “{likely}”?',
    de: '„{name}“ wird nicht verwendet. Ist „{likely}“ gemeint?',
  },
  'cell-has-question-marks': {
    en: '“{text}” has question marks where letters were probably lost.',
    de: '„{text}“ hat Fragezeichen, wo vermutlich Buchstaben verloren gingen.',
  },
  'cell-has-code': {
    en: '“{text}” contains “{code}”. A service that does not read such code shows it as it is.',
    de: '„{text}“ enthält „{code}“. Ein Dienst, der solchen Code nicht liest, zeigt ihn unverändert an.',
  },
  'cell-has-control-character': {
    en: '“{text}” contains the control character {code}.',
    de: '„{text}“ enthält das Steuerzeichen {code}.',
  },
  'file-is-xml-workbook': {
    en: '“{name}” is an XML spreadsheet. Save it as an Excel workbook (.xlsx).',
    de: '„{name}“ ist eine XML-Tabelle. Speichern Sie sie als Excel-Arbeitsmappe (.xlsx).',
  },
  'cell-has-several-values': {
    en: 'has {count} values, but takes one.',
    de: 'hat {count} Werte, aber nur einer ist möglich.',
  },
  'cell-is-null-word': {
    en: '“{text}” usually stands for a missing text.',
    de: '„{text}“ steht meist für einen fehlenden Text.',
  },
  'cell-has-error-value': {
    en: '“{text}” contains {error}, an error of the spreadsheet.',
    de: '„{text}“ enthält {error}, einen Fehlerwert der Tabellenkalkulation.',
  },
  'row-repeated': {
    en: 'the same video as in row {earlier}. It is rendered once.',
    de: 'dasselbe Video wie in Zeile {earlier}. Es wird einmal gerendert.',
  },
  'column-repeated': {
    en: 'the same video as in column {earlier}. It is rendered once.',
    de: 'dasselbe Video wie in Spalte {earlier}. Es wird einmal gerendert.',
  },
  'length-unusual': {
    en: '{text} s is far from the other lengths, which are about {usual} s.',
    de: '{text} s liegt weit von den anderen Längen entfernt, die etwa {usual} s betragen.',
  },
  'scenes-too-long': {
    en: '{text} s is too short for the scenes, which need at least {least} s.',
    de: '{text} s ist zu kurz für die Szenen, die mindestens {least} s brauchen.',
  },
  'texts-too-long': {
    en: '{text} s is too short to read {words:count} words, which takes about {needed} s.',
    de: '{text} s ist zu kurz, um {words:count} Wörter zu lesen; das dauert etwa {needed} s.',
  },
  'cell-is-shortened': {
    en: '“{text}” is how a spreadsheet shows a long number. Format its cell as text to keep all digits.',
    de: '„{text}“ zeigt eine Tabellenkalkulation statt einer langen Zahl. Als Text formatiert behält die Zelle alle Ziffern.',
  },
  'field-unknown': {
    en: 'These videos have no field “{name}”.',
    de: 'Diese Videos haben kein Feld „{name}“.',
  },
  'column-for-nothing': {
    en: 'No field uses a column for “{name}”.',
    de: 'Nichts verwendet eine Spalte für „{name}“.',
  },
  'column-chosen-missing': {
    en: 'There is no “{given}” column to use for “{name}”.',
    de: 'Die Spalte „{given}“, die für „{name}“ gewählt ist, gibt es nicht.',
  },

  'template-unfillable': {
    en: 'The template cannot be filled:',
    de: 'Die Vorlage lässt sich nicht füllen:',
  },
  'no-such-column': { en: 'There is no column “{name}”.', de: 'Es gibt keine Spalte „{name}“.' },
  'at-default': { en: 'The default of {column}:', de: 'Vorgabe für {column}:' },
} as const;
