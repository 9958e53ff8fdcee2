import iconv from 'iconv-lite';
import { expect, it } from 'vitest';
import { ENCODINGS } from '../../../src/contract/text-reading.ts';
import { encodingSamples } from '../../../src/renderer/state/encoding-samples.ts';

it.each([
  ['windows-1252', 'Grüße aus Köln'],
  ['windows-1250', 'Příliš žluťoučký'],
  ['windows-1251', 'Привет, мир'],
  ['macintosh', 'Straße'],
  ['cp850', 'Grüße ½ ³'],
  ['cp852', 'Łódź žluťoučký'],
  ['cp866', 'Привет'],
  ['koi8-r', 'Привет'],
  ['windows-1253', 'Ελλάδα'],
  ['windows-1254', 'İstanbul ğış'],
  ['windows-1255', 'שלום'],
  ['windows-1256', 'مرحبا'],
  ['windows-1257', 'ąčęėįšų'],
  ['windows-874', 'สวัสดี'],
  ['iso-8859-2', 'świętuje'],
  ['iso-8859-15', '5 €'],
  ['shift_jis', '日本語'],
  ['euc-jp', '日本語'],
  ['gb18030', '中文字'],
  ['big5', '中文字'],
  ['euc-kr', '한국어'],
  ['utf-8', 'Grüße'],
] as const)('the sample of %s shows the words as they were written', (encoding, words) => {
  const bytes = iconv.encode(`title;n\r\n${words.replace(',', '')};4\r\n`, encoding);
  expect(encodingSamples(bytes)[encoding]).toBe(words.replace(',', ''));
});

it('shows text that was encoded twice as it was meant', () => {
  const twice = Buffer.from(Buffer.from('München').toString('latin1'));
  expect(encodingSamples(twice)).toMatchObject({ 'utf-8': 'MÃ¼nchen', 'utf-8-twice': 'München' });
});

it('marks encodings that cannot have these bytes', () => {
  const samples = encodingSamples(Buffer.from('Grüße', 'latin1'));
  for (const encoding of ['utf-8', 'utf-16le', 'utf-16be', 'utf-8-twice'] as const) {
    expect(samples[encoding], encoding).toContain('\ufffd');
  }
});

it('reads UTF-16 with and without a mark', () => {
  const text = 'title\r\nMünchen';
  expect(encodingSamples(Buffer.from(`\ufeff${text}`, 'utf16le'))['utf-16le']).toContain('München');
  expect(encodingSamples(Buffer.from(text, 'utf16le'))['utf-16le']).toContain('München');
});

it('is empty for ASCII, and for nothing', () => {
  expect(encodingSamples(Buffer.from('title\nOne'))).toEqual({});
  expect(encodingSamples(new Uint8Array())).toEqual({});
});

it('has a sample of every encoding for any bytes', () => {
  for (let byte = 128; byte < 256; byte += 1) {
    const samples = encodingSamples(Uint8Array.of(0x61, byte, 0x62, byte, 0x0a));
    expect(Object.keys(samples)).toEqual([...ENCODINGS]);
  }
});
