/** Pictures that a table names. Sentences begin with the place of their cell. */
export const pictureMessages = {
  'picture-without-folder': {
    en: 'is a file in a folder that is not known here. Put the table beside its files, and open it in the app or with spool run.',
    de: 'ist eine Datei, deren Ordner hier nicht bekannt ist. Legen Sie die Tabelle neben ihre Dateien und öffnen Sie sie in der App oder mit spool run.',
  },
  'picture-not-full-path': {
    en: 'is not a full path. Choose the file, or enter its full path.',
    de: 'ist kein vollständiger Pfad. Wählen Sie die Datei aus, oder geben Sie ihren vollständigen Pfad ein.',
  },
  'picture-outside': {
    en: 'leads out of the table’s folder. Put the file into this folder.',
    de: 'führt aus dem Ordner der Tabelle hinaus. Legen Sie die Datei in diesen Ordner.',
  },
  'picture-missing': {
    en: 'is not in the table’s folder. Check the name, or put the file there.',
    de: 'liegt nicht im Ordner der Tabelle. Prüfen Sie den Namen oder legen Sie die Datei dorthin.',
  },
  'picture-several': {
    en: 'names several files, and one is possible. Keep one, or make a row for each.',
    de: 'nennt mehrere Dateien; möglich ist eine. Behalten Sie eine oder legen Sie für jede eine Zeile an.',
  },
  'picture-several-in': {
    en: 'names several files, and one is possible. Enter several in the column “{column}”, or make a row for each.',
    de: 'nennt mehrere Dateien; möglich ist eine. Geben Sie mehrere in der Spalte „{column}“ an oder legen Sie für jede eine Zeile an.',
  },
  'picture-several-separated': {
    en: 'is not in the table’s folder. If it is several files, separate them with | or line breaks.',
    de: 'liegt nicht im Ordner der Tabelle. Falls es mehrere Dateien sind, trennen Sie sie mit | oder Zeilenumbrüchen.',
  },
  'picture-not-file': {
    en: 'is not a file. Enter the name of a file.',
    de: 'ist keine Datei. Geben Sie den Namen einer Datei ein.',
  },
  'picture-empty': {
    en: 'is an empty file. Export it again.',
    de: 'ist eine leere Datei. Exportieren Sie sie noch einmal.',
  },
  'picture-too-large': {
    en: 'has {size} MB, and at most {max} MB are possible here. Export it smaller.',
    de: 'hat {size} MB; hier sind höchstens {max} MB möglich. Exportieren Sie die Datei kleiner.',
  },
  'picture-too-many-pixels': {
    en: 'has {count:count} megapixels, and at most {max:count} are possible. Export the picture smaller.',
    de: 'hat {count:count} Megapixel; möglich sind höchstens {max:count}. Exportieren Sie das Bild kleiner.',
  },
  'sound-unknown': {
    en: 'is not a sound. MP3, M4A, WAV, OGG and WebM are possible.',
    de: 'ist keine Tondatei. Möglich sind MP3, M4A, WAV, OGG und WebM.',
  },
  'sound-codec': {
    en: 'is a sound in the format {codec}, which cannot be played. Export it as MP3 or WAV.',
    de: 'ist eine Tondatei im Format {codec}, das sich nicht abspielen lässt. Exportieren Sie sie als MP3 oder WAV.',
  },
  'sound-too-long': {
    en: 'lasts {minutes:count} minutes, and at most {max:count} are possible. Export a shorter part.',
    de: 'dauert {minutes:count} Minuten; möglich sind höchstens {max:count}. Exportieren Sie einen kürzeren Teil.',
  },
  'clip-unknown': {
    en: 'is not a clip. MP4, MOV, WebM and MKV are possible.',
    de: 'ist kein Videoclip. Möglich sind MP4, MOV, WebM und MKV.',
  },
  'clip-incomplete': {
    en: 'is a clip whose end is missing. Copy or export it again.',
    de: 'ist ein Videoclip, dessen Ende fehlt. Kopieren oder exportieren Sie ihn noch einmal.',
  },
  'clip-damaged': {
    en: 'is a clip whose index is damaged. Export it again.',
    de: 'ist ein Videoclip mit beschädigtem Index. Exportieren Sie ihn noch einmal.',
  },
  'clip-without-pictures': {
    en: 'has sound only. Enter a file with pictures.',
    de: 'enthält nur Ton. Geben Sie eine Datei mit Bildern an.',
  },
  'clip-without-sound': {
    en: 'has no sound. Turn its sound off, or enter a clip that has sound.',
    de: 'hat keinen Ton. Schalten Sie seinen Ton aus oder geben Sie einen Videoclip mit Ton an.',
  },
  'clip-sound-codec': {
    en: 'has sound in the format {codec}, which cannot be played. Turn its sound off, or export it with AAC sound.',
    de: 'hat Ton im Format {codec}, das sich nicht abspielen lässt. Schalten Sie seinen Ton aus oder exportieren Sie den Videoclip mit AAC-Ton.',
  },
  'clip-codec': {
    en: 'is a clip in the format {codec}. Export it as H.264.',
    de: 'ist ein Videoclip im Format {codec}. Exportieren Sie ihn als H.264.',
  },
  'clip-hdr': {
    en: 'has HDR colours, which would look pale. Export it in SDR.',
    de: 'hat HDR-Farben, die im Video blass wirken würden. Exportieren Sie den Videoclip in SDR.',
  },
  'clip-alpha': {
    en: 'has transparent parts. Export it without transparency.',
    de: 'hat durchsichtige Stellen. Exportieren Sie den Videoclip ohne Transparenz.',
  },
  'clip-too-large': {
    en: 'has {width} × {height} pixels, and at most {longer} × {shorter} are possible. Export it smaller.',
    de: 'hat {width} × {height} Pixel; möglich sind höchstens {longer} × {shorter}. Exportieren Sie den Videoclip kleiner.',
  },
  'clip-without-key-frame': {
    en: 'has no key frame and so cannot be shown. Export it again.',
    de: 'hat kein Keyframe und kann deshalb nicht gezeigt werden. Exportieren Sie den Videoclip noch einmal.',
  },
  'clip-from-after-end': {
    en: 'is after the end of the clip, which lasts {seconds} seconds.',
    de: 'liegt nach dem Ende des Videoclips, der {seconds} Sekunden dauert.',
  },
  'clip-to-before-from': {
    en: 'must be later than {from} seconds, where the clip begins.',
    de: 'muss später sein als {from} Sekunden, wo der Videoclip beginnt.',
  },
  'clip-part-too-long': {
    en: 'is too late: at most {max} seconds of a clip can be shown.',
    de: 'ist zu spät: Von einem Videoclip lassen sich höchstens {max} Sekunden zeigen.',
  },
  'picture-unknown': {
    en: 'is not a picture. PNG, JPEG, WebP, AVIF and SVG are possible.',
    de: 'ist kein Bild. Möglich sind PNG, JPEG, WebP, AVIF und SVG.',
  },
  'picture-format': {
    en: 'is a picture in the format {format}. Save it as PNG, JPEG or WebP.',
    de: 'ist ein Bild im Format {format}. Speichern Sie es als PNG, JPEG oder WebP.',
  },
  'picture-active': {
    en: 'is an SVG drawing with scripts, or with references to other files. Export it as PNG.',
    de: 'ist eine SVG-Zeichnung mit Skripten oder mit Verweisen auf andere Dateien. Exportieren Sie sie als PNG.',
  },
  'picture-alpha': {
    en: 'has transparent parts, which this service does not take. Save it without transparency.',
    de: 'hat durchsichtige Stellen, die dieser Dienst nicht nimmt. Speichern Sie es ohne Transparenz.',
  },
  'picture-fitted': {
    en: 'is {from} with {width} × {height} pixels. It is sent as {to} with at most {newWidth} × {newHeight}.',
    de: 'ist {from} mit {width} × {height} Pixeln. Gesendet wird {to} mit höchstens {newWidth} × {newHeight}.',
  },
  'picture-not-fitted': {
    en: 'The picture “{name}” could not be converted to what the service takes. Export it smaller, as JPEG or PNG.',
    de: 'Das Bild „{name}“ ließ sich nicht so umwandeln, wie der Dienst es nimmt. Exportieren Sie es kleiner, als JPEG oder PNG.',
  },
  'picture-incomplete': {
    en: 'is a picture whose end is missing. Copy or export it again.',
    de: 'ist ein Bild, dessen Ende fehlt. Kopieren oder exportieren Sie es noch einmal.',
  },
  'picture-animated': {
    en: 'is an animation. Export one of its pictures.',
    de: 'ist eine Animation. Exportieren Sie eines ihrer Bilder.',
  },
  'picture-cmyk': {
    en: 'has colours for printing (CMYK). Export it with RGB colours.',
    de: 'hat Druckfarben (CMYK). Exportieren Sie es mit RGB-Farben.',
  },
  'picture-changing': {
    en: 'is being changed. Check again when it is complete.',
    de: 'wird gerade geändert. Prüfen Sie noch einmal, wenn es fertig ist.',
  },
  'picture-forbidden': {
    en: 'cannot be read by Spool. Change the permissions of the file.',
    de: 'darf von Spool nicht gelesen werden. Ändern Sie die Rechte der Datei.',
  },
  'picture-unreadable': {
    en: 'could not be read. Check the disk that it is on.',
    de: 'ließ sich nicht lesen. Prüfen Sie das Laufwerk, auf dem es liegt.',
  },
  'picture-needs-address': {
    en: 'is a file, but this service only takes an address that begins with https://.',
    de: 'ist eine Datei, dieser Dienst nimmt aber nur eine Adresse, die mit https:// beginnt.',
  },
  'file-not-taken': {
    en: 'is a file that this service does not take. Render this row on this computer, or empty the cell.',
    de: 'ist eine Datei, die dieser Dienst nicht annimmt. Rendern Sie diese Zeile auf diesem Computer oder leeren Sie die Zelle.',
  },
  'picture-not-address': {
    en: 'is an address. Save the picture beside the table, and enter the name of its file.',
    de: 'ist eine Adresse. Speichern Sie das Bild neben der Tabelle und geben Sie den Namen der Datei ein.',
  },
  'picture-differs': {
    en: 'The file “{name}” is not the one that was checked. Restore it and release this video, or cancel it and add the table again.',
    de: 'Die Datei „{name}“ ist nicht mehr die geprüfte. Stellen Sie sie wieder her und geben Sie das Video frei, oder brechen Sie es ab und fügen Sie die Tabelle noch einmal hinzu.',
  },
  'pictures-too-large-together': {
    en: 'The pictures of this video have more than {max} MB together. Make them smaller.',
    de: 'Die Bilder dieses Videos sind zusammen größer als {max} MB. Verkleinern Sie sie.',
  },
  'pictures-too-many-pixels-together': {
    en: 'has pictures of more than {max} megapixels together. Make them smaller, or remove some.',
    de: 'hat Bilder von zusammen mehr als {max} Megapixeln. Verkleinern oder entfernen Sie einige.',
  },
  'file-not-uploadable': {
    en: 'This service takes no files such as “{name}”. Render this video on this computer, or remove the file from its row.',
    de: 'Dieser Dienst nimmt keine Dateien wie „{name}“ an. Rendern Sie dieses Video auf diesem Computer oder entfernen Sie die Datei aus der Zeile.',
  },
  'picture-upload-refused': {
    en: 'The service does not take the file “{name}”. Use another one, or remove it from this row.',
    de: 'Der Dienst nimmt die Datei „{name}“ nicht an. Verwenden Sie eine andere oder entfernen Sie sie aus der Zeile.',
  },
  'upload-missing': {
    en: '{host} takes no files at {path} (status {status}). Correct the service’s profile (“upload”), and release this video.',
    de: '{host} nimmt unter {path} keine Dateien an (Status {status}). Korrigieren Sie das Profil des Dienstes („upload“) und geben Sie dieses Video frei.',
  },
  'upload-origin-of-any': {
    en: 'Enter the service’s own address (“api.origin”) as well: its key is sent to this one.',
    de: 'Geben Sie auch die Adresse des Dienstes selbst an („api.origin“): Sein Schlüssel wird hierhin gesendet.',
  },
  'picture-not-uploaded': {
    en: '{host} did not accept a file.',
    de: '{host} hat eine Datei nicht angenommen.',
  },
  'picture-now-unusable': {
    en: 'The file “{name}”',
    de: 'Die Datei „{name}“',
  },
} as const;
