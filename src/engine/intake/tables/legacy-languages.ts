/**
 * Encodings of one byte a character, each with the languages that are written in it: their letters
 * beyond ASCII, the most frequent first.
 */
import type { Encoding } from '../../../contract/text-reading.ts';

const WESTERN = [
  // English and others without accents: punctuation only.
  '',
  'üäöß',
  'éèàêçùâîôûïëœæü',
  'óíáéñúü',
  'ãçáéóíêõâúàô',
  'èàòùìéî',
  'äåöé',
  'øåæéö',
  'íáðóþéúýöæ',
  'ëéïöüèó',
  'àóèéíçúòïü',
  // Several of these languages in one table.
  'éüäöáèàçêñóíßâîôûùëïãõúåøæòì',
];

const CENTRAL = [
  'łóżęąśćźń',
  'íáéěšřčžýůúťóňď',
  'íáéčžýšúťľôäňóďĺŕ',
  'áéöóőüíűú',
  'ăîşâţșț',
  'čšžćđ',
  'üäöß',
];

const RUSSIAN = 'оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъё';

const CYRILLIC = [RUSSIAN, 'оанивітерсклудмпзьябгчйхцжюєїфшщґ', 'аиоенртсвукјдпмгзлбчшжцћњљхђфџ'];

/** Of equally likely encodings the first is taken, so those that are used most come first. */
export const SINGLE_BYTE = {
  'windows-1252': WESTERN,
  'windows-1250': CENTRAL,
  'windows-1251': CYRILLIC,
  macintosh: WESTERN,
  cp850: WESTERN,
  'iso-8859-15': WESTERN,
  'windows-1254': ['ıüğşçöİâî'],
  'windows-1257': ['ėšžųįąčūę', 'āīēšūķžļņčģ', 'äõüöšž'],
  'windows-1253': ['αοιεητσνρπκυμλςωάθόγδχέίήφβύξώζψϊϋ'],
  'windows-1255': ['יוהלאמרתשבנםכקעדחפסטגזןךצףץ'],
  'windows-1256': ['ايلنومرتبةعدسفهكقأحجشطصخذىءئزثغإضآؤظ،؟؛'],
  'windows-874': ['านรกอเงมย่วลด้สทตะปบิคีหแจัพชื์ูใไโุขณศธซำฟถผฉษภึญฐ็ฤๆ'],
  'iso-8859-2': CENTRAL,
  'koi8-r': [RUSSIAN],
  cp852: CENTRAL,
  cp866: CYRILLIC,
} as const satisfies Partial<Record<Encoding, readonly string[]>>;
