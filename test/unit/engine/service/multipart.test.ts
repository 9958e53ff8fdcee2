import { describe, expect, it } from 'vitest';
import { toMultipart } from '../../../../src/engine/service/multipart.ts';

/** The parts of a body by their names. */
function partsOf(json: string): Readonly<Record<string, string>> {
  const { contentType, body } = toMultipart(json);
  const boundary = contentType.replace('multipart/form-data; boundary=', '');
  const parts = body.split(`--${boundary}\r\n`).slice(1);
  return Object.fromEntries(
    parts.map((part) => {
      const [, name = '', value = ''] =
        /name="([^"]*)"\r\n\r\n(.*?)\r\n(?:--.*--\r\n)?$/s.exec(part) ?? [];
      return [name, value];
    }),
  );
}

describe('a JSON object as multipart', () => {
  it('keeps strings as they are, and writes other values as JSON', () => {
    expect(
      partsOf('{"text":"a \\"b\\"","seconds":8,"on":true,"none":null,"list":["a",1]}'),
    ).toEqual({
      text: 'a "b"',
      seconds: '8',
      on: 'true',
      none: 'null',
      list: '["a",1]',
    });
  });

  it.each([
    ['{"seed":9007199254740993}', '9007199254740993'],
    ['{"seed":{"value":9007199254740993}}', '{"value":9007199254740993}'],
    [
      '{"seed":[18446744073709551615,"9007199254740993"]}',
      '[18446744073709551615,"9007199254740993"]',
    ],
    ['{"seed":-9007199254740993}', '-9007199254740993'],
    ['{"seed":{"fits":9007199254740991,"part":0.5}}', '{"fits":9007199254740991,"part":0.5}'],
    ['{"seed":{"9007199254740993":1}}', '{"9007199254740993":1}'],
  ])('keeps the digits of the numbers in %s', (json, seed) => {
    expect(partsOf(json)).toEqual({ seed });
  });
});
