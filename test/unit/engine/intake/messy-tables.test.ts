/** Messy tables of kinds that creators have, with what a person reads in them. */
import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';
import type { ReadingChoices, TableReading } from '../../../../src/contract/table-reading.ts';
import { textsOf } from '../../../../src/engine/intake/cell.ts';
import { readBatch } from '../../../../src/engine/intake/read-batch.ts';
import { storyboardProfile } from '../../../../src/engine/profiles/storyboard.ts';

interface Expected {
  /** Row number, title and message of each video, and the values of other columns that are named. */
  readonly rows: readonly string[];
  /** The beginnings of the errors, without the file's name. */
  readonly errors?: readonly string[];
  readonly warnings?: readonly string[];
  readonly how?: Partial<TableReading>;
  /** Columns that are shown after title and message. */
  readonly columns?: readonly string[];
  readonly reading?: ReadingChoices;
}

type Case = readonly [content: string | Buffer, expected: Expected];

const cp = (encoding: string, text: string): Buffer => iconv.encode(text, encoding);

const CASES: Readonly<Record<string, Case>> = {
  'a title line with a date, and a table below an empty line': [
    'Campaign plan Q4,,\nStatus: 27.11.2026,,\n,,\ntitle,message,seconds\nOne,Hello,5\n',
    { rows: ['5 One | Hello'], how: { headerRow: 4, leftOutCount: 2 } },
  ],
  'title lines as wide as the table': [
    'Marketing,Autumn,Draft\ntitle,message,seconds\nOne,Hello,5\n',
    { rows: ['3 One | Hello'], how: { headerRow: 2 } },
  ],
  'a line of units below the header': [
    'title,message,seconds,accent\n(text),(text),[s],(hex)\nOne,Hello,5,#ff0000\n',
    { rows: ['3 One | Hello'], how: { leftOutCount: 1 } },
  ],
  'a line of hints in German below the header': [
    'Titel;Nachricht;Sekunden\n(Pflichtfeld);(optional);(s)\nEins;Hallo;5\n',
    { rows: ['3 Eins | Hallo'], how: { leftOutCount: 1 } },
  ],
  'a header that three joined files repeat': [
    'title,message\nOne,a\ntitle,message\nTwo,b\nTitle, Message\nThree,c\n',
    { rows: ['2 One | a', '4 Two | b', '6 Three | c'], how: { leftOutCount: 2 } },
  ],
  'a total in English': [
    'title,seconds\nOne,5\nTwo,6\nTotal,11\n',
    { rows: ['2 One | ', '3 Two | ', '4 Total | '], errors: ['Row 4 looks like a total'] },
  ],
  'a total whose sum is an error value': [
    'title,message,seconds\nOne,,5\nTwo,,#N/A\nSumme,,#WERT!\n',
    { rows: ['2 One | '], errors: ['Row 3, seconds: “#N/A”', 'Row 4 looks like a total'] },
  ],
  'a total whose formula is shown, between parts': [
    'title,message,seconds\nOne,,5\nTwo,,6\nSum,,=SUM(C2:C3)\nThree,,7\nFour,,8\nFive,,8\nSix,,8\nSeven,,8\nEight,,8\n',
    {
      rows: [
        '2 One | ',
        '3 Two | ',
        '5 Three | ',
        '6 Four | ',
        '7 Five | ',
        '8 Six | ',
        '9 Seven | ',
        '10 Eight | ',
      ],
      errors: ['Row 4 looks like a total'],
    },
  ],
  'a total in German below an empty line': [
    'Titel;Sekunden\nEins;5\nZwei;6\n;\nGesamt;11\n',
    { rows: ['2 Eins | ', '3 Zwei | ', '5 Gesamt | '], errors: ['Row 5 looks like a total'] },
  ],
  'a line right below a total': [
    'Titel;Sekunden\nEins;5\nZwei;6\nSumme;11\nStand: 12.11.2026;\n',
    {
      rows: ['2 Eins | ', '3 Zwei | ', '4 Summe | ', '5 Stand: 12.11.2026 | '],
      errors: ['Row 4 looks like a total', 'Row 5 looks like a note'],
    },
  ],
  'a line right below a total that is left out': [
    'Titel;Sekunden\nEins;5\nZwei;6\nSumme;11\nStand: 12.11.2026;\n',
    {
      reading: { skipRows: [4] },
      rows: ['2 Eins | ', '3 Zwei | ', '5 Stand: 12.11.2026 | '],
      errors: ['Row 5 looks like a note'],
      how: { leftOutCount: 1 },
    },
  ],
  'a total in French': [
    'title;seconds\nUn;5\nDeux;6\nTotal général;11\n',
    { rows: ['2 Un | ', '3 Deux | ', '4 Total général | '], errors: ['Row 4 looks like a total'] },
  ],
  'a total in Dutch': [
    'title,seconds\nOne,5\nTwo,6\nTotaal,11\n',
    { rows: ['2 One | ', '3 Two | ', '4 Totaal | '], errors: ['Row 4 looks like a total'] },
  ],
  'a total in Swedish': [
    'title,seconds\nOne,5\nTwo,6\nTotalt,11\n',
    { rows: ['2 One | ', '3 Two | ', '4 Totalt | '], errors: ['Row 4 looks like a total'] },
  ],
  'an average below the total': [
    'title,seconds\nOne,5\nTwo,6\nTotal,11\nAverage,5.5\n',
    {
      rows: ['2 One | ', '3 Two | ', '4 Total | ', '5 Average | '],
      errors: ['Row 4 looks like a total', 'Row 5 looks like a total'],
    },
  ],
  'a total in Japanese': [
    'title,seconds\nA,5\nB,6\n合計,11\n',
    { rows: ['2 A | ', '3 B | ', '4 合計 | '], errors: ['Row 4 looks like a total'] },
  ],
  'a total in French, in one word': [
    'title,seconds\nA,5\nB,6\nSomme,11\n',
    { rows: ['2 A | ', '3 B | ', '4 Somme | '], errors: ['Row 4 looks like a total'] },
  ],
  'a total named by its sign': [
    'title,seconds\nA,5\nB,6\nΣ,11\n',
    { rows: ['2 A | ', '3 B | ', '4 Σ | '], errors: ['Row 4 looks like a total'] },
  ],
  'a total of other rows than those that are left': [
    'Titel;Sekunden\nEins;5,25\nZwei;6,33\nSumme (3 Videos);47\n',
    {
      rows: ['2 Eins | ', '3 Zwei | ', '4 Summe (3 Videos) | '],
      errors: ['Row 4 looks like a total'],
    },
  ],
  'a total length with its unit': [
    'Titel;Dauer\nEins;5\nZwei;6\nGesamtdauer;11 s\n',
    { rows: ['2 Eins | ', '3 Zwei | ', '4 Gesamtdauer | '], errors: ['Row 4 looks like a total'] },
  ],
  'a number of videos': [
    'Titel;Dauer\nEins;5\nZwei;6\nAnzahl;2\n',
    { rows: ['2 Eins | ', '3 Zwei | ', '4 Anzahl | '], errors: ['Row 4 looks like a total'] },
  ],
  'a total below an empty line with a number in words': [
    'title,message,seconds\nOne,a,5\nTwo,b,6\n\nGrand total,2 videos,11\n',
    {
      rows: ['2 One | a', '3 Two | b', '5 Grand total | 2 videos'],
      errors: ['Row 5 looks like a total'],
    },
  ],
  'totals between parts': [
    'title,message,seconds\nOne,a,5\nTwo,b,6\nSubtotal week 48,,11\nThree,c,4\nSumme:,,4\nFour,d,3\nFive,e,3\nSix,f,3\nSeven,g,3\nEight,h,3\nNine,i,3\n',
    {
      rows: [
        '2 One | a',
        '3 Two | b',
        '4 Subtotal week 48 | ',
        '5 Three | c',
        '6 Summe: | ',
        ...['7 Four | d', '8 Five | e', '9 Six | f', '10 Seven | g', '11 Eight | h', '12 Nine | i'],
      ],
      errors: ['Row 4 looks like a total', 'Row 6 looks like a total'],
    },
  ],
  'a video whose name begins with Total': [
    'title,seconds\nOne,5\nTotal War,7\nTotal eclipse 2026,8\n',
    { rows: ['2 One | ', '3 Total War | ', '4 Total eclipse 2026 | '] },
  ],
  'footers of several programs': [
    'title,message\nOne,a\n\n*** End of report ***\nLegend: * = optional\n(1 row)\n© 2026 Example GmbH\n',
    { rows: ['2 One | a'], how: { leftOutCount: 4 } },
  ],
  'a line about rights right below the table': [
    'title,message\nOne,a\nTwo,b\n"© 2026 Example GmbH, all rights reserved",\n',
    { rows: ['2 One | a', '3 Two | b'], how: { leftOutCount: 1 } },
  ],
  'units as words below the header': [
    'Titel;Dauer;Auflösung\n;in Sekunden;Pixel\nEins;5;1080\n',
    { rows: ['3 Eins | '], how: { leftOutCount: 1 } },
  ],
  'numbers of columns below the header': [
    'title,message,seconds\n1,2,3\nOne,a,5\n',
    { rows: ['3 One | a'], how: { leftOutCount: 1 } },
  ],
  'a header that another file has in other words': [
    'Titel,Nachricht\nOne,a\ntitle,message\nTwo,b\n',
    {
      rows: ['2 One | a', '4 Two | b'],
      how: { leftOut: [{ row: 3, reason: 'repeated-header', text: 'title · message' }] },
    },
  ],
  'a table that a database printed': [
    ' title | message \n-------+---------\n One   | Hello\n Two   | World\n(2 rows)\n',
    { rows: ['3 One | Hello', '4 Two | World'], how: { leftOutCount: 2 } },
  ],
  'a table that a database drew': [
    '+-------+---------+\n| title | message |\n+-------+---------+\n| One   | Hello   |\n+-------+---------+\n',
    { rows: ['4 One | Hello'] },
  ],
  'a video that is called Total': [
    'title,message\nTotal,All you need\nTotal eclipse,Watch it\n',
    { rows: ['2 Total | All you need', '3 Total eclipse | Watch it'] },
  ],
  'a footer of an export': [
    'title,message\nOne,a\n\nGenerated by Report 4.2 on 2026-11-27\n',
    { rows: ['2 One | a'], how: { leftOutCount: 1 } },
  ],
  'a header with notes for the people who fill it in': [
    'Title (max. 200 characters),Message *,Seconds [s]\nOne,Hello,5\n',
    { rows: ['2 One | Hello 5'], columns: ['seconds'] },
  ],
  'a header on two lines within its cells': [
    '"Titel\n(Pflicht)","Nachricht\n(optional)"\nEins,Hallo\n',
    { rows: ['2 Eins | Hallo'] },
  ],
  'a header with no-break spaces and soft hyphens': [
    '\u00a0Title\u00a0,Mes\u00adsage\nOne,Hello\n',
    { rows: ['2 One | Hello'] },
  ],
  'the labels of forms in German as headers': [
    'Titel;Überschrift der Nachricht;Nachricht;Zitat;Zitat von;Countdown ab;Schlusstitel;Länge in Sekunden;Bilder pro Sekunde\nEins;H;N;Z;V;3;S;20;25\n',
    {
      rows: ['2 Eins | N H V 3 S 20 25'],
      columns: ['heading', 'by', 'countdown', 'closing', 'seconds', 'fps'],
    },
  ],
  'the labels of forms in English as headers': [
    'Title,Message heading,Message,Countdown from,Closing title,Length in seconds,Frames per second\nOne,H,M,3,C,20,25\n',
    {
      rows: ['2 One | M H 3 C 20 25'],
      columns: ['heading', 'countdown', 'closing', 'seconds', 'fps'],
    },
  ],
  'the labels of choices in German': [
    'Titel;Stil;Musik;Bewegung\nEins;Markt;Ruhig;Reduziert\n',
    { rows: ['2 Eins |  market calm reduced'], columns: ['look', 'soundtrack', 'motion'] },
  ],
  'a header without umlauts': [
    'Ueberschrift;Aufloesung;Laenge;Seitenverhaeltnis\nEins;1080p;5;1:1\n',
    { rows: ['2 Eins |  1080 5 1:1'], columns: ['resolution', 'seconds', 'aspect'] },
  ],
  'a header in the style of programs': [
    'video_title,subTitle,aspectRatio,accentColor,callToAction\nOne,s,1:1,red,Buy\n',
    {
      rows: ['2 One |  s 1:1 #ff0000 Buy'],
      columns: ['subtitle', 'aspect', 'accent', 'closing'],
    },
  ],
  'a header with emoji, numbers, stars and quotation marks': [
    '🎬 Title,2. Message,⏱ Seconds,**Quote**,„Schluss“\nOne,a,5,q,c\n',
    { rows: ['2 One | a 5 q c'], columns: ['seconds', 'quote', 'closing'] },
  ],
  'a header in two languages, with units': [
    'Titel / Title;Dauer in Sekunden;Auflösung (px)\nEins;5;1080 px\n',
    { rows: ['2 Eins |  5 1080'], columns: ['seconds', 'resolution'] },
  ],
  'a header that another column has exactly': ['Title!,Title\nOne,Two\n', { rows: ['2 Two | '] }],
  'invisible characters around values': [
    'title,seconds,aspect,accent,resolution\nOne,\u200e5\u200b,\u200f9:16,#ff0000\u200b,\u2060720\n',
    {
      rows: ['2 One |  5 9:16 #ff0000 720'],
      columns: ['seconds', 'aspect', 'accent', 'resolution'],
    },
  ],
  'words of people for a missing text': [
    'title,message\nOne,N/A\nTwo,n/a\nThree,k. A.\nFour,-\nFive,—\nSix,TBD\nSeven,…\nEight,?\nNine,A/B\n',
    {
      rows: [
        '2 One | N/A',
        '3 Two | n/a',
        '4 Three | k. A.',
        '5 Four | -',
        '6 Five | —',
        '7 Six | TBD',
        '8 Seven | …',
        '9 Eight | ?',
        '10 Nine | A/B',
      ],
      warnings: [
        'Row 2, message: “N/A” usually stands for a missing text.',
        ...[3, 4, 5, 6, 7, 8, 9].map((row) => `Row ${row}, message`),
      ],
    },
  ],
  'rows that only have the boxes of a list to tick': [
    'Title,Message,Use\nOne,a,TRUE\nTwo,b,FALSE\n,,FALSE\n,,FALSE\n',
    {
      rows: ['2 One | a', '3 Two | b'],
      how: { leftOut: [4, 5].map((row) => ({ row, reason: 'unfilled', text: 'FALSE' })) },
    },
  ],
  'rows that are numbered and not filled': [
    'Nr;Titel;Status\n1;Eins;offen\n2;Zwei;fertig\n3;;offen\n4;;offen\n',
    { rows: ['2 Eins | ', '3 Zwei | '], how: { leftOutCount: 2 } },
  ],
  'a numbered row with a note': [
    'Nr;Titel;Notiz\n1;Eins;\n2;;kommt noch\n3;;\n',
    {
      rows: ['2 Eins | '],
      errors: ['Row 3, Titel: is empty'],
      how: { leftOutCount: 1 },
    },
  ],
  'rows that a program enclosed as a whole': [
    '"title,message"\r\n"One,""a, b"""\r\n"Two,""c\nd"""\r\n',
    { rows: ['2 One | a, b', '3 Two | c\nd'], how: { separator: ',' } },
  ],
  'rows that a program enclosed as a whole, but for the header': [
    'title,message\n"One,a"\n"Two,""b, c"""\n',
    { rows: ['2 One | a', '3 Two | b, c'] },
  ],
  'one column in which all texts have a comma': [
    '"Titel, Zeile 1"\n"Hello, you"\n"Two, three"\n',
    { rows: [], errors: ['There is no “title” column. The columns are: Titel, Zeile 1.'] },
  ],
  'columns that spaces align': [
    'Titel          Nachricht            Sekunden\n-------------  -------------------  --------\nEins, zwei     Hallo  Welt                 5\nZwei                                      12\nDrei           "Ende"\n',
    {
      rows: ['3 Eins, zwei | Hallo  Welt 5', '4 Zwei |  12', '5 Drei | "Ende" '],
      columns: ['seconds'],
      how: { separator: '\t', headerRow: 1 },
    },
  ],
  'rows that another character separates': [
    'title;message;seconds\nOne,Hello,5\nTwo;b;6\n',
    {
      rows: ['2 One | Hello', '3 Two | b'],
      warnings: ['In “Videos”, the cells of some rows are separated by another character'],
    },
  ],
  'digits of other scripts': [
    'title,seconds\nA,٥\nB,۶\nC,７\nD,०8\n',
    { rows: ['2 A |  5', '3 B |  6', '4 C |  7', '5 D |  8'], columns: ['seconds'] },
  ],
  'words of programs for a missing text': [
    'title,message\nOne,NULL\nTwo,\\N\nThree,Loading...\nNull island,None of this\n',
    {
      rows: ['2 One | NULL', '3 Two | \\N', '4 Three | Loading...', '5 Null island | None of this'],
      warnings: ['Row 2, message: “NULL”', 'Row 3, message', 'Row 4, message: “Loading...”'],
    },
  ],
  'a formula in lower case': [
    'title,message\nOne,"=summe(A1;A2)"\n',
    { rows: [], errors: ['Row 2, message: “=summe(A1;A2)” is a formula'] },
  ],
  'times with the first day of a spreadsheet': [
    'title,aspect,seconds\nOne,1899-12-30 16:09:00,1899-12-30T00:00:15.000Z\nTwo,30.12.1899 09:16,31.12.1899 0:15\n',
    { rows: ['2 One |  16:9 15', '3 Two |  9:16 15'], columns: ['aspect', 'seconds'] },
  ],
  'lengths with seconds after midnight, and with marks for minutes': [
    'title,seconds\nOne,12:00:15 AM\nTwo,1′30″\nThree,15″\n',
    {
      rows: ['3 Two |  90', '4 Three |  15'],
      errors: ['Row 2, seconds: “12:00:15 AM” is not a number.'],
      columns: ['seconds'],
    },
  ],
  'a header in capitals with underscores': [
    'TITLE,PRIMARY_COLOR,TEXT\nOne,#ff0000,Hello\n',
    { rows: ['2 One | Hello #ff0000'], columns: ['accent'] },
  ],
  'MacRoman by an old Mac': [
    cp('macintosh', 'Titel;Nachricht\rGrüße;Schöne Aussichten für Ihr Büro\r'),
    {
      rows: ['2 Grüße | Schöne Aussichten für Ihr Büro'],
      how: { encoding: 'macintosh', separator: ';' },
    },
  ],
  'cp850 by an old program': [
    cp('cp850', 'Titel;Nachricht\r\nGrüße;Schöne Aussichten für Ihr Büro\r\n\u001a'),
    { rows: ['2 Grüße | Schöne Aussichten für Ihr Büro'], how: { encoding: 'cp850' } },
  ],
  'Shift-JIS with a comma within a character': [
    cp('shift_jis', 'title,message\n表の予約,ソフト能力\n新製品,ありがとうございます\n'),
    {
      rows: ['2 表の予約 | ソフト能力', '3 新製品 | ありがとうございます'],
      how: { encoding: 'shift_jis' },
    },
  ],
  GB18030: [
    cp('gb18030', 'title,message\n新品发布,欢迎来到我们的商店\n'),
    { rows: ['2 新品发布 | 欢迎来到我们的商店'], how: { encoding: 'gb18030' } },
  ],
  Big5: [
    cp('big5', 'title,message\n新產品發表,歡迎來到我們的商店\n'),
    { rows: ['2 新產品發表 | 歡迎來到我們的商店'], how: { encoding: 'big5' } },
  ],
  'EUC-KR': [
    cp('euc-kr', 'title,message\n새로운 제품,여름 할인 행사가 시작되었습니다\n'),
    { rows: ['2 새로운 제품 | 여름 할인 행사가 시작되었습니다'], how: { encoding: 'euc-kr' } },
  ],
  'Windows-1252 with euro, dash and quotation marks': [
    cp('windows-1252', 'title,message\nNur 5 €,„Angebot“ – heute\n'),
    { rows: ['2 Nur 5 € | „Angebot“ – heute'], how: { encoding: 'windows-1252' } },
  ],
  'KOI8-R by an old program': [
    cp('koi8-r', 'title;message\nЛетняя распродажа;Скидки до половины на все товары\n'),
    {
      rows: ['2 Летняя распродажа | Скидки до половины на все товары'],
      how: { encoding: 'koi8-r' },
    },
  ],
  'cp852 by an old program': [
    cp('cp852', 'title;message\r\nŁódź świętuje;Zapraszamy wszystkich gości\r\n'),
    { rows: ['2 Łódź świętuje | Zapraszamy wszystkich gości'], how: { encoding: 'cp852' } },
  ],
  'cp866 by an old program': [
    cp('cp866', 'title;message\r\nЛетняя распродажа;Скидки до половины\r\n'),
    { rows: ['2 Летняя распродажа | Скидки до половины'], how: { encoding: 'cp866' } },
  ],
  'ISO 8859-2 by a Unix program': [
    cp('iso-8859-2', 'title;message\nŁódź świętuje;Zapraszamy gości\n'),
    { rows: ['2 Łódź świętuje | Zapraszamy gości'], how: { encoding: 'iso-8859-2' } },
  ],
  'a euro in ISO 8859-15': [
    cp('iso-8859-15', 'title;message\nNur 5 €;Grüße\n'),
    { rows: ['2 Nur 5 € | Grüße'], how: { encoding: 'iso-8859-15' } },
  ],
  'Greek by Excel': [
    cp('windows-1253', 'title;message\nΚαλοκαιρινές εκπτώσεις;Έως 50 τοις εκατό\n'),
    { rows: ['2 Καλοκαιρινές εκπτώσεις | Έως 50 τοις εκατό'], how: { encoding: 'windows-1253' } },
  ],
  'Turkish by Excel': [
    cp('windows-1254', 'title;message\nİstanbul’da güneş;Şimdi alışveriş, çok ucuz\n'),
    {
      rows: ['2 İstanbul’da güneş | Şimdi alışveriş, çok ucuz'],
      how: { encoding: 'windows-1254' },
    },
  ],
  'Hebrew by Excel': [
    cp('windows-1255', 'title;message\nשלום עולם;מבצע מיוחד היום\n'),
    { rows: ['2 שלום עולם | מבצע מיוחד היום'], how: { encoding: 'windows-1255' } },
  ],
  'Arabic by Excel': [
    cp('windows-1256', 'title;message\nمرحبا بالعالم;خصم اليوم فقط\n'),
    { rows: ['2 مرحبا بالعالم | خصم اليوم فقط'], how: { encoding: 'windows-1256' } },
  ],
  'Lithuanian by Excel': [
    cp(
      'windows-1257',
      'title;message\nVasaros išpardavimas jau prasidėjo;Ačiū, kad esate su mumis\n',
    ),
    {
      rows: ['2 Vasaros išpardavimas jau prasidėjo | Ačiū, kad esate su mumis'],
      how: { encoding: 'windows-1257' },
    },
  ],
  'Thai by Excel': [
    cp('windows-874', 'title;message\nสวัสดีชาวโลก;ส่วนลดวันนี้\n'),
    { rows: ['2 สวัสดีชาวโลก | ส่วนลดวันนี้'], how: { encoding: 'windows-874' } },
  ],
  'EUC-JP by a Unix program': [
    cp('euc-jp', 'title,message\n新商品のご案内,今日だけ半額です\n'),
    { rows: ['2 新商品のご案内 | 今日だけ半額です'], how: { encoding: 'euc-jp' } },
  ],
  'Shift-JIS with katakana of half the width': [
    cp('shift_jis', 'title,message\nｷｬﾝﾍﾟｰﾝ,ﾎﾟｲﾝﾄ2倍 今日まで\n'),
    { rows: ['2 ｷｬﾝﾍﾟｰﾝ | ﾎﾟｲﾝﾄ2倍 今日まで'], how: { encoding: 'shift_jis' } },
  ],
  'English by Excel, with typographic apostrophes only': [
    cp('windows-1252', 'title,message\nIt’s on,Don’t miss it\n'),
    { rows: ['2 It’s on | Don’t miss it'], how: { encoding: 'windows-1252' } },
  ],
  'English by a Mac, with typographic apostrophes only': [
    cp('macintosh', 'title,message\rIt’s on,Don’t miss it\r'),
    { rows: ['2 It’s on | Don’t miss it'], how: { encoding: 'macintosh' } },
  ],
  'English by Excel, with a euro only': [
    cp('windows-1252', 'title,message\nSale,Only 5€ today\n'),
    { rows: ['2 Sale | Only 5€ today'], how: { encoding: 'windows-1252' } },
  ],
  'a mark of UTF-8 before text in another encoding': [
    Buffer.concat([
      Buffer.of(0xef, 0xbb, 0xbf),
      cp('windows-1252', 'title,message\nGrüße,a\nTwo,b\n'),
    ]),
    {
      rows: ['3 Two | b'],
      errors: ['Row 2, title: has damaged characters.'],
      how: { encoding: 'utf-8' },
    },
  ],
  'double-encoded text in one cell': [
    'title,message\nOne,MÃ¼nchen\nTwo,Köln\n',
    { rows: ['2 One | MÃ¼nchen', '3 Two | Köln'] },
  ],
  'a file of double-encoded text': [
    Buffer.from('title,message\nOne,MÃ¼nchen grÃ¼ÃŸt\n'),
    {
      rows: ['2 One | MÃ¼nchen grÃ¼ÃŸt'],
      errors: ['was probably saved in the wrong encoding'],
    },
  ],
  'double-encoded text, with the encoding chosen': [
    Buffer.from('title,message\nOne,MÃ¼nchen grÃ¼ÃŸt\n'),
    { rows: ['2 One | München grüßt'], reading: { encoding: 'utf-8-twice' } },
  ],
  'double-encoded text by a Mac': [
    Buffer.from('title,message\nOne,M√ºnchen gr√º√üt – Caf√©\n'),
    {
      rows: ['2 One | M√ºnchen gr√º√üt – Caf√©'],
      errors: ['was probably saved in the wrong encoding'],
    },
  ],
  'double-encoded text by a Mac, with the encoding chosen': [
    Buffer.from('title,message\nOne,M√ºnchen gr√º√üt‚Äôs\n'),
    { rows: ['2 One | München grüßt’s'], reading: { encoding: 'utf-8-twice' } },
  ],
  'typographic quotation marks before accents': [
    Buffer.from('title,message\n„Öffnung“ «école» “Über uns” ‚Äpfel‘,√4 ≈ 2 ƒ\n'),
    { rows: ['2 „Öffnung“ «école» “Über uns” ‚Äpfel‘ | √4 ≈ 2 ƒ'] },
  ],
  'double-encoded punctuation': [
    Buffer.from('title,message\nOne,Itâ€™s here â€“ now\n'),
    { rows: ['2 One | Itâ€™s here â€“ now'], errors: ['was probably saved in the wrong encoding'] },
  ],
  ...Object.fromEntries(
    (['utf-32le', 'utf-32be'] as const).map((encoding): [string, Case] => [
      `text in ${encoding.toUpperCase()}`,
      [cp(encoding, '\ufefftitle,message\nGrüße,🎉\n'), { rows: ['2 Grüße | 🎉'] }],
    ]),
  ),
  'Japanese in ISO 2022': [
    'title,message\n\u001b$B%F%9%H\u001b(B,a\n',
    { rows: [], errors: ['Row 2, title: has damaged characters.'] },
  ],
  'German in UTF-7, and a number of a telephone': [
    'title,message\nGr+APwA3w-e,a\nCall +4930-1,b\nA+b-c +ABC- +120- +Pro-Line,c\n',
    {
      rows: ['3 Call +4930-1 | b', '4 A+b-c +ABC- +120- +Pro-Line | c'],
      errors: ['Row 2, title: has damaged characters.'],
    },
  ],
  'Chinese in HZ': [
    'title,message\n~{VPND~},a\n~{b,c\n',
    { rows: ['3 ~{b | c'], errors: ['Row 2, title: has damaged characters.'] },
  ],
  'a page with choices in its cells': [
    '<table><tr><td>title</td><td>message</td></tr><tr><td>One</td><td><select><option>Draft</option><option selected>Done</option></select> today</td></tr><tr><td>Two</td><td><select><option>Draft<option>Done</select></td></tr></table>',
    { rows: ['2 One | Done today', '3 Two | Draft'] },
  ],
  'a table of Jira': [
    '||title||message||\n|One|a|\n|Two|b|\n',
    { rows: ['2 One | a', '3 Two | b'], how: { separator: '|' } },
  ],
  'the last lines of two databases': [
    'title\tmessage\nOne\ta\n\\.\n',
    { rows: ['2 One | a'], how: { leftOutCount: 1 } },
  ],
  'an answer of a chat with its fences and sentences': [
    'Here is your table:\n\n```\ntitle,message\nOne,a\nTwo,b\n```\n\nLet me know, if you need more!\n',
    {
      rows: ['5 One | a', '6 Two | b', '9 Let me know | if you need more!'],
      errors: ['Row 9 looks like a note'],
    },
  ],
  'pages with their numbers and the header again': [
    'title,message\nOne,a\nPage 1,\ntitle,message\nTwo,b\nPage 2,\n',
    {
      rows: ['2 One | a', '3 Page 1 | ', '5 Two | b', '6 Page 2 | '],
      errors: ['Row 3 looks like a heading', 'Row 6 looks like a heading'],
    },
  ],
  'line ends of all three kinds': [
    'title,message\r\nOne,a\nTwo,b\rThree,c\r\n\r\n',
    { rows: ['2 One | a', '3 Two | b', '4 Three | c'] },
  ],
  'line separators of Unicode within a cell': [
    'title,message\nOne,"a\u2028b"\n',
    { rows: ['2 One | a\u2028b'] },
  ],
  'sep= in quotation marks, with Windows line ends': [
    '"sep=;"\r\ntitle;message\r\nOne;a, b\r\n',
    { rows: ['3 One | a, b'], how: { separator: ';' } },
  ],
  'a separator at the end of each line': [
    'title;message;\nOne;a;\nTwo;b;\n',
    { rows: ['2 One | a', '3 Two | b'] },
  ],
  'a trailing separator in the rows only': [
    'title,message\nOne,a,\nTwo,b,\n',
    { rows: ['2 One | a', '3 Two | b'] },
  ],
  'empty columns and rows at the edges': [
    ',,,\n,title,message,\n,One,a,\n,,,\n,Two,b,\n,,,\n',
    { rows: ['3 One | a', '5 Two | b'], how: { headerRow: 2 } },
  ],
  'apostrophes around every text': [
    "'title','message'\n'It''s on','a, b'\n",
    { rows: ["2 It's on | a, b"], how: { quotes: 'single' } },
  ],
  'apostrophes around a text with commas and line breaks, beside inches': [
    "'title','message'\r\n'Bigger, better\r\nand closer',a\r\n5\" screen,b\r\n",
    { rows: ['2 Bigger, better\r\nand closer | a', '3 5" screen | b'], how: { quotes: 'single' } },
  ],
  'typographic quotation marks around a text with a comma': [
    'title,message\n“One”,Hello\n',
    { rows: ['2 “One” | Hello'] },
  ],
  'a quotation mark for inches beside an enclosed text': [
    'title,message\n"27"" monitor","19"" rack, black"\n5" tablet,ok\n',
    { rows: ['2 27" monitor | 19" rack, black', '3 5" tablet | ok'] },
  ],
  'error values of a German spreadsheet': [
    'Titel;Nachricht\nEins;#WERT!\n#NV;Zwei\nDrei;#BEZUG!\n',
    {
      rows: [],
      errors: ['Row 2, Nachricht: “#WERT!”', 'Row 3, Titel: “#NV”', 'Row 4, Nachricht: “#BEZUG!”'],
    },
  ],
  'error values of a Dutch, a Polish and a Swedish spreadsheet': [
    'title;message\nA;#WAARDE!\nB;#ARG!\nC;#VÄRDEFEL!\n',
    { rows: [], errors: ['Row 2, message', 'Row 3, message', 'Row 4, message'] },
  ],
  'hashes where a column was too narrow': [
    'title,message,seconds\nOne,########,5\nTwo,ok,###\n',
    { rows: [], errors: ['Row 2, message: “########”', 'Row 3, seconds: “###”'] },
  ],
  'texts that an export keeps from being calculated': [
    'title,message\n"=""00123""","=""+49 170"""\n\'=1+1,\'+1\n',
    { rows: ['2 00123 | +49 170', '3 =1+1 | +1'] },
  ],
  'carriage returns as workbooks write them': [
    'title,message\nOne,a_x000D_\n"Two","a_x000D_\nb"\n',
    { rows: ['2 One | a', '3 Two | a\nb'] },
  ],
  'aspect ratios that became times': [
    'title,aspect\nOne,9:16 AM\nTwo,16:09:00\nThree,4:09 PM\nFour,01:01\n',
    {
      rows: ['2 One |  9:16', '3 Two |  16:9', '4 Three |  16:9', '5 Four |  1:1'],
      columns: ['aspect'],
    },
  ],
  'aspect ratios that became dates': [
    'Titel;Format\nEins;09.16\nZwei;16. Sep\nDrei;9-16\nVier;16/9\n',
    {
      rows: ['2 Eins |  9:16', '4 Drei |  9:16', '5 Vier |  16:9'],
      errors: ['Row 3, Format: “16. Sep”'],
      columns: ['aspect'],
    },
  ],
  'lengths as people write them': [
    'title,Dauer\nOne,3s\nTwo,0:04\nThree,5 Sek.\nFour,"7,5"\nFive,1 min\nSix,00:00:08\nSeven,0:12 min\n',
    {
      rows: [
        '2 One |  3',
        '3 Two |  4',
        '4 Three |  5',
        '5 Four |  7.5',
        '6 Five |  60',
        '7 Six |  8',
        '8 Seven |  12',
      ],
      warnings: ['Row 6, Dauer: 60 s is far'],
      columns: ['seconds'],
    },
  ],
  'a header of two words for the message': [
    'Headline,Body text\nOne,Hello\n',
    { rows: ['2 One | Hello'] },
  ],
  'colours as people write them': [
    'title,Hauptfarbe\nOne,Dunkelblau\nTwo,2a6f97\nThree,"rgb(42, 111, 151)"\nFour,#ABC\nFive,#2A6F97 \nSix,Bordeaux\nSeven,lime green\nEight,dunkelbraun\n',
    {
      rows: [
        '2 One |  #00008b',
        '3 Two |  #2a6f97',
        '4 Three |  #2a6f97',
        '5 Four |  #aabbcc',
        '6 Five |  #2a6f97',
        '7 Six |  #800020',
        '8 Seven |  #32cd32',
      ],
      errors: ['Row 9, Hauptfarbe: “dunkelbraun” is not a colour'],
      columns: ['accent'],
    },
  ],
  'JSON with a key twice': [
    '[{"title":"One","title":"Two"},{"title":"Three","title":"Three"}]',
    { rows: ['1 Two | ', '2 Three | '], errors: ['Entry 1, title: has two different values.'] },
  ],
  'JSON Lines with a broken line': [
    '{"title":"One"}\n{"title":"Two"\n{"title":"Three"}\n',
    { rows: ['1 One | ', '3 Three | '], errors: ['Line 2 is not valid JSON from column 15 on.'] },
  ],
  'JSON Lines with commas at the ends': [
    '{"title":"One"},\n{"title":"Two"},\n',
    { rows: [], errors: ['Line 1 is not valid JSON', 'Line 2 is not valid JSON'] },
  ],
  'a list that JSON wraps': [
    '{"videos":[{"title":"One"}]}',
    { rows: ['1 One | '], how: { kind: 'json', list: 'videos', rows: 1 } },
  ],
  'an answer of a service in JSON': [
    '{"status":"ok","data":{"total":2,"tags":["a"],"items":[\n{"title":"One","message":"19.90"},\n{"title":"Two"}]}}',
    { rows: ['1 One | 19.90', '2 Two | '], how: { list: 'data.items' } },
  ],
  'a list in lines that JSON wraps': [
    '{"name":"Spring","videos":[\n{"title":"One","message":"a"},\n{"title":"Two","title":"Three"}\n]}',
    {
      rows: ['1 One | a', '2 Three | '],
      errors: ['Entry 2, title: has two different values.'],
      how: { list: 'videos' },
    },
  ],
  'two lists in JSON': [
    '{"videos":[{"title":"One"}],"people":[{"name":"Ann"}]}',
    { rows: [], errors: ['is not a JSON list of videos'] },
  ],
  'a video in JSON with a list of its scenes': [
    '{"title":"One","scenes":[{"kind":"title","text":"One"}]}',
    { rows: [], errors: ['is not a JSON list of videos'] },
  ],
  'an export of Airtable, with cells of several lines': [
    '\ufeffName,Notes,Attachments,Tags\nOne,"First\nSecond, ""third""",,"a,b"\nTwo,,,\n',
    { rows: ['2 One | ', '3 Two | '] },
  ],
  'an export of Notion': [
    '\ufeffName,Created time,Text,Status\n"One, with comma","November 27, 2026 9:41 AM",Hello,Done\nTwo,"November 27, 2026 9:42 AM",World,\n',
    { rows: ['2 One, with comma | Hello', '3 Two | World'] },
  ],
  'answers of Google Forms': [
    'Timestamp,Title,Message\n11/27/2026 9:41:00,One,"Hello,\nworld"\n11/27/2026 9:42:00,Two,Second\n',
    { rows: ['2 One | Hello,\nworld', '3 Two | Second'] },
  ],
  'a table that a browser copied as HTML': [
    '<meta charset="utf-8"><google-sheets-html-origin><table><tbody><tr><td>title</td><td>message</td></tr><tr><td>One &amp; only</td><td>a<br>b</td></tr></tbody></table>',
    { rows: ['2 One & only | a\nb'], how: { kind: 'html' } },
  ],
  'a page with a style and a comment before its table': [
    '<html xmlns:x="urn:schemas-microsoft-com:office:excel"><head><style>td{mso-number-format:"\\@"}</style></head><!-- x --><body><table><tr><th>Titel</th><th>Nachricht</th></tr><tr><td>Eins</td><td>00123</td></tr></table></body></html>',
    { rows: ['2 Eins | 00123'], how: { kind: 'html' } },
  ],
  'a cell of a page that spans two rows': [
    '<table><tr><td>title</td><td>message</td></tr><tr><td>One</td><td rowspan="2">Both</td></tr><tr><td>Two</td></tr></table>',
    { rows: ['2 One | Both', '3 Two | Both'] },
  ],
  'a page with paragraphs, lists and scripts in its cells': [
    '<table><tr><td>title<style>td{}</style></td><td>message</td><td>points</td></tr><tr><td><p>One</p> <p>two</p></td><td>a<div>b</div>c<script>alert(1)</script></td><td><ul><li>x</li><li>y</li></ul></td></tr></table>',
    { rows: ['2 One\ntwo | a\nb\nc x | y'], columns: ['points'] },
  ],
  'a page with a table for its layout': [
    '<table><tr><td>Menu</td><td><table><tr><th>title</th><th>message</th></tr><tr><td>One</td><td>a</td></tr></table></td></tr></table>',
    { rows: ['2 One | a'] },
  ],
  'a page with another table before': [
    '<table><tr><td>Plan</td><td>2026</td></tr><tr><td>by</td><td>Jo</td></tr></table><table><tr><th>title</th><th>message</th></tr><tr><td>One</td><td>a</td></tr></table>',
    { rows: ['2 One | a'] },
  ],
  'a page with the videos in two tables': [
    '<table><tr><th>title</th><th>message</th></tr><tr><td>One</td><td>a</td></tr></table><p>More</p><table><tr><th>title</th><th>message</th></tr><tr><td>Two</td><td>b <img alt="🎉"></td></tr></table>',
    { rows: ['2 One | a', '5 Two | b 🎉'], how: { leftOutCount: 1 } },
  ],
  'a page whose filter hides rows': [
    '<table><tr><td>title</td></tr><tr style="display:none"><td>Hidden</td></tr><tr><td>One</td></tr></table>',
    { rows: ['2 Hidden | ', '3 One | '], how: { hiddenRows: 1 } },
  ],
  'a declared separator that the file does not have': [
    'sep=,\ntitle;message\nOne;a\n',
    { rows: ['3 One | a'], how: { separator: ';' } },
  ],
  'backslashes before quotation marks, also before the last one': [
    'title,message\n"He said \\"go\\"","a, \\"b\\""\n',
    { rows: ['2 He said "go" | a, "b"'] },
  ],
  'JSON with invisible characters in its keys': [
    '[{"\u200btitle":"One","message\u00a0":"a"}]',
    { rows: ['1 One | a'] },
  ],
  'JSON with several titles in one entry': [
    '{"title":["One","Two"],"message":["a"]}',
    { rows: [], errors: ['Entry 1, title: has 2 values, but takes one.'] },
  ],
  'a table in Markdown': [
    '| title | message |\n|-------|:-------:|\n| One | Hello |\n| Two | World |\n',
    { rows: ['3 One | Hello', '4 Two | World'] },
  ],
  'columns that a line of a database shows': [
    'TITLE MESSAGE    SECONDS\n----- ---------- -------\nOne   Hello you        5\nTwo                   12\n\n2 rows selected.\n',
    {
      rows: ['3 One | Hello you 5', '4 Two |  12'],
      columns: ['seconds'],
      how: {
        leftOut: [
          { row: 2, reason: 'comment', text: '----- · ---------- · -------' },
          { row: 6, reason: 'footer', text: '2 rows selected.' },
        ],
      },
    },
  ],
  'columns that spaces align, but for a text that is too wide': [
    'Titel     Nachricht\nEins      Hallo\nZwei und mehr Text\n',
    { rows: [], errors: ['Spool cannot tell what separates the columns'] },
  ],
  'a table with its column names in the first column': [
    'Titel;Eins;Zwei\nNachricht;a;b\nSekunden;4;5\n',
    {
      rows: [],
      errors: ['In “Videos”, the names of the columns are in the first column instead of'],
    },
  ],
  'one text a line without a header': [
    'Launch week\nBig sale\n',
    { rows: [], errors: ['There is no “title” column.'] },
  ],
  'a number that a spreadsheet shortened': [
    'title,message\nOne,"1,23457E+11"\n',
    { rows: ['2 One | 1,23457E+11'], warnings: ['Row 2, message: “1,23457E+11” is how'] },
  ],
  'letters that another program lost': [
    'title,message\n?????,M?nchen\n',
    {
      rows: ['2 ????? | M?nchen'],
      warnings: ['Row 2, title: “?????” has question', 'Row 2, message: “M?nchen” has question'],
    },
  ],
  'replacement characters': [
    'title,message\nOne,M\ufffdnchen\n',
    { rows: [], errors: ['Row 2, message: has damaged characters.'] },
  ],
  'one damaged byte in UTF-8': [
    Buffer.concat([
      Buffer.from('title,message\nGrüße,a\nZwei,b'),
      Buffer.of(0xff),
      Buffer.from('c\n'),
    ]),
    { rows: ['2 Grüße | a'], errors: ['Row 3, message: has damaged characters.'] },
  ],
};

describe('a messy table', () => {
  it.each(Object.entries(CASES))('%s', (_, [content, { rows, errors = [], ...expected }]) => {
    const { columns = [], warnings = [], how = {}, reading } = expected;
    const read = readBatch({ name: 'Videos', content }, storyboardProfile.request, {
      language: 'en',
      ...(reading === undefined ? {} : { reading }),
    });
    const begins = (part: string): unknown => expect.stringContaining(part);
    expect({
      rows: read.rows.map(({ row, values }) => {
        const texts = textsOf(values);
        const others = columns.map((name) => ` ${texts[name] ?? ''}`).join('');
        return `${row} ${texts.title ?? ''} | ${texts.message ?? ''}${others}`;
      }),
      errors: read.errors.map(({ message }) => message),
      warnings: read.warnings.map(({ message }) => message),
    }).toEqual({ rows, errors: errors.map(begins), warnings: warnings.map(begins) });
    if (Object.keys(how).length > 0) expect(read.files[0]?.reading).toMatchObject(how);
  });
});
