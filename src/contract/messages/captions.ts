/** Captions that a table names. Sentences begin with the place of their cell. */
export const captionMessages = {
  'captions-unknown': {
    en: 'is not a caption file. SRT and VTT are possible.',
    de: 'ist keine Untertiteldatei. Möglich sind SRT und VTT.',
  },
  'captions-empty': {
    en: 'has no caption with text. Export it again.',
    de: 'enthält keinen Untertitel mit Text. Exportieren Sie die Datei noch einmal.',
  },
  'captions-too-many': {
    en: 'has too many captions or too much text. At most {max:count} captions with {characters:count} characters are possible.',
    de: 'hat zu viele Untertitel oder zu viel Text. Möglich sind höchstens {max:count} Untertitel mit {characters:count} Zeichen.',
  },
  'captions-too-large': {
    en: 'has more than {max} MB, which is too large for captions. Check that it is the right file.',
    de: 'hat mehr als {max} MB und ist damit zu groß für Untertitel. Prüfen Sie, ob es die richtige Datei ist.',
  },
  'captions-damaged': {
    en: 'has characters that cannot be read. Save it as UTF-8.',
    de: 'enthält Zeichen, die nicht lesbar sind. Speichern Sie die Datei als UTF-8.',
  },
  'captions-too-late': {
    en: 'goes on until {at}. A video can last {max} at most.',
    de: 'reicht bis {at}. Ein Video kann höchstens {max} dauern.',
  },
  'captions-after-end': {
    en: 'goes on after the length of {seconds} s. Later captions are not shown.',
    de: 'reicht über die Länge von {seconds} s hinaus. Spätere Untertitel werden nicht gezeigt.',
  },
  'caption-too-long': {
    en: 'has a caption of more than {max} characters in line {line}. Divide it.',
    de: 'hat in Zeile {line} einen Untertitel mit mehr als {max} Zeichen. Teilen Sie ihn auf.',
  },
  'caption-time': {
    en: 'has a time that cannot be read in line {line}: “{text}”. Write times as 00:01:02,500 --> 00:01:04,000.',
    de: 'hat in Zeile {line} eine Zeit, die nicht lesbar ist: „{text}“. Zeiten sehen so aus: 00:01:02,500 --> 00:01:04,000.',
  },
  'caption-backward': {
    en: 'has a caption in line {line} that does not end after it begins. Correct its times.',
    de: 'hat in Zeile {line} einen Untertitel, der endet, bevor er beginnt, oder keine Dauer hat. Korrigieren Sie die Zeiten.',
  },
} as const;
