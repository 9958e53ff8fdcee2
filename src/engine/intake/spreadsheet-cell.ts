/**
 * What spreadsheets leave in a cell instead of its text: error values, formulas, and marks that keep
 * a text from being calculated.
 */
import { userMessage, type UserMessage } from '../../contract/user-message.ts';
import { quotable } from './quotable.ts';

/**
 * Error values of Excel, Google Sheets and LibreOffice in English, German, French, Spanish, Italian
 * and Portuguese, then Dutch, Polish, Swedish, Danish and Norwegian, Finnish, Czech, Hungarian,
 * Russian and Turkish.
 */
const ERROR_VALUES = `
  #N/A #REF! #VALUE! #NAME? #DIV/0! #NULL! #NUM! #ERROR! #SPILL! #CALC! #FIELD! #BLOCKED! #CONNECT!
  #UNKNOWN! #BUSY! #PYTHON! #EXTERNAL! #GETTING_DATA
  #NV #BEZUG! #WERT! #ZAHL! #ÜBERLAUF! #KALK! #FELD! #BLOCKIERT! #VERBINDEN! #UNBEKANNT!
  #DATEN_ABRUFEN
  #VALEUR! #NOM? #NUL! #NOMBRE! #PROPAGATION! #EPARS! #CHAMP! #BLOQUE! #CONNEXION! #INCONNU!
  #N/D #¡REF! #¡VALOR! #¿NOMBRE? #¡DIV/0! #¡NULO! #¡NUM! #¡DESBORDAMIENTO! #¡CALC! #¡CAMPO!
  #RIF! #VALORE! #NOME? #VALOR! #NULO!
  #N/B #VERW! #WAARDE! #NAAM? #DEEL/0! #LEEG! #GETAL! #OVERLOOP!
  #N/D! #ADR! #ARG! #NAZWA? #DZIEL/0! #ZERO! #LICZBA! #ROZLANIE!
  #SAKNAS! #REFERENS! #VÄRDEFEL! #NAMN? #DIVISION/0! #SKÄRNING! #OGILTIGT!
  #I/T #REFERENCE! #VÆRDI! #VERDI! #NAVN?
  #PUUTTUU! #VIITTAUS! #ARVO! #NIMI? #JAKO/0! #TYHJÄ! #LUKU!
  #NENÍ_K_DISPOZICI #ODKAZ! #HODNOTA! #NÁZEV? #DĚLENÍ_NULOU! #ČÍSLO!
  #HIÁNYZIK #HIV! #ÉRTÉK! #NÉV? #ZÉRÓOSZTÓ! #NULLA! #SZÁM!
  #Н/Д #ССЫЛКА! #ЗНАЧ! #ИМЯ? #ДЕЛ/0! #ПУСТО! #ЧИСЛО!
  #YOK #BAŞV! #DEĞER! #AD? #SAYI/0! #BOŞ! #SAYI!
`
  .trim()
  .split(/\s+/);

const KNOWN_ERRORS: ReadonlySet<string> = new Set(ERROR_VALUES);

/** An error value of LibreOffice by its number: `Err:502`, `Fehler:502`. */
const NUMBERED_ERROR = /^(?:Err|Fehler|Erreur) ?:\d{3}$/;

/** Shown where a column is too narrow for its number. */
const HASHES = /^#{3,}$/;

/** Begins with a function, a reference or a text, as no sentence does: `=SUM(A1)`, `=B2&" today"`. */
const FORMULA =
  /^=\s*[-+(]*(?:\p{L}[\p{L}\d._]*\(|\$?[A-Z]{1,3}\$?\d|'[^']+'!|"|[\p{L}\d._]+!\$?[A-Z]+\$?\d)/u;
/** `=5*3`, `=100` */
const CALCULATION = /^=[-+]?\d[\d\s.,+\-*/()%^]*$/;
const NUMBER_AS_FORMULA = /^=([-+]?\d+(?:[.,]\d+)?)$/;

/** How exports keep a text from being calculated: `="00123"`. */
const TEXT_AS_FORMULA = /^="((?:[^"]|"")*)"$/;

/** What a cell has instead of a text, and what was probably meant. */
export interface CellArtefact {
  /** Completes a sentence that begins with the cell's place. */
  readonly what: UserMessage;
  readonly fix?: string;
}

/**
 * The text of a spreadsheet's cell, without the marks that are certainly not part of it.
 * @param text trimmed
 */
export function spreadsheetText(text: string): string {
  const plain = text.includes('_x') ? withoutEscapes(text) : text;
  if (plain.startsWith('=')) {
    const quoted = TEXT_AS_FORMULA.exec(plain)?.[1];
    return quoted?.replaceAll('""', '"') ?? plain;
  }
  return isEscaped(plain) ? plain.slice(1) : plain;
}

/**
 * Finds what a cell has instead of a text.
 * @param text as the file has it, trimmed
 */
export function findArtefact(text: string): CellArtefact | null {
  const first = text.charCodeAt(0);
  if (first === 0x23 /* # */) {
    if (KNOWN_ERRORS.has(text.toUpperCase())) return artefact('cell-is-error-value', text);
    return HASHES.test(text) ? artefact('cell-too-narrow', text) : null;
  }
  if (NUMBERED_ERROR.test(text)) return artefact('cell-is-error-value', text);
  if (first !== 0x3d /* = */ || TEXT_AS_FORMULA.test(text)) return null;
  if (!FORMULA.test(text) && !CALCULATION.test(text)) return null;
  const number = NUMBER_AS_FORMULA.exec(text)?.[1];
  return {
    ...artefact('cell-is-formula', text),
    ...(number === undefined ? {} : { fix: number.replace(/^\+/, '') }),
  };
}

/** The error value in the middle of a text, such as `Total: #REF!`; `null` for none. */
export function errorValueIn(text: string): string | null {
  if (!text.includes('#')) return null;
  return (
    text
      .split(/\s+/)
      .map((word) => word.replace(/[.,;:)]+$/, ''))
      .find((word) => KNOWN_ERRORS.has(word)) ?? null
  );
}

/**
 * An apostrophe that a spreadsheet, or an export that is safe against formulas, puts before what
 * would be calculated. One before two digits may be that of a year: ’90.
 */
function isEscaped(text: string): boolean {
  return /^'(?:[=+\-@]|\d(?!\d?$)[\d.,:/]*$)/.test(text) && !text.endsWith("'");
}

/** Control characters as workbooks write them; a carriage return before a line feed is dropped. */
function withoutEscapes(text: string): string {
  return text
    .replace(/_x000D_(?=\r?\n|_x000A_)/gi, '')
    .replace(/_x000[AD]_/gi, '\n')
    .replace(/_x0009_/gi, '\t')
    .trim();
}

function artefact(
  sentence: 'cell-is-error-value' | 'cell-too-narrow' | 'cell-is-formula',
  text: string,
): CellArtefact {
  return { what: userMessage(sentence, { text: quotable(text) }) };
}
