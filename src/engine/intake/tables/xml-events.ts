/** Reads XML part by part of a workbook, in pieces, so that its text is never in memory as a whole. */
import { Parser } from 'htmlparser2';
import { ArchiveError } from './archive.ts';

/** Where a tag is, in characters. */
export interface XmlPlace {
  readonly start: number;
  /** After its `>`. */
  readonly end: number;
}

export interface XmlEvents {
  /** @param name without its namespace's prefix */
  readonly open?: (
    name: string,
    attributes: Readonly<Record<string, string>>,
    place: XmlPlace,
  ) => void;
  /** A text may come in several pieces. */
  readonly text?: (text: string) => void;
  readonly close?: (name: string, place: XmlPlace) => void;
}

const PIECE = 64 * 1024;

/** Workbooks nest a few dozen elements; the parser's work for each grows with the depth. */
const MAX_DEPTH = 256;

/**
 * @param encoding `latin1` counts places in bytes, and gives wrong texts
 * @throws {ArchiveError} for elements that are nested too deep, and for a document type, which may
 *   define entities; no workbook has one
 * @throws whatever an event throws, which ends the reading
 */
export function readXml(
  bytes: Uint8Array,
  { open, text, close }: XmlEvents,
  encoding: 'utf-8' | 'latin1' = 'utf-8',
): void {
  let depth = 0;
  const place = (): XmlPlace => ({ start: parser.startIndex, end: parser.endIndex + 1 });
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        depth += 1;
        if (depth > MAX_DEPTH) throw new ArchiveError('damaged');
        open?.(localName(name), attributes, place());
      },
      onprocessinginstruction(name) {
        if (name.toLowerCase() === '!doctype') throw new ArchiveError('damaged');
      },
      ontext: (piece) => text?.(piece),
      onclosetag(name) {
        depth -= 1;
        close?.(localName(name), place());
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  const decoder = new TextDecoder(encoding);
  for (let at = 0; at < bytes.length; at += PIECE) {
    parser.write(decoder.decode(bytes.subarray(at, at + PIECE), { stream: true }));
  }
  parser.end(decoder.decode());
}

function localName(name: string): string {
  const colon = name.indexOf(':');
  return colon < 0 ? name : name.slice(colon + 1);
}
