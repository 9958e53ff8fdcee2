import fc from 'fast-check';

/** Changes bytes. */
export type Mutation = (bytes: Buffer) => Buffer;

/** Larger inputs find nothing that these do not, and take longer. */
export const MAX_INPUT_BYTES = 64 * 1024;

/** Boundary values for binary readers. */
const NUMBERS = [
  0, 1, 2, 7, 8, 9, 15, 16, 17, 31, 32, 127, 128, 255, 256, 0x7fff, 0x8000, 0xffff, 0x1_0000,
  0x7fff_ffff, 0x8000_0000, 0xffff_fffe, 0xffff_ffff,
];
const LONG_NUMBERS = [
  ...NUMBERS.map(BigInt),
  2n ** 53n - 1n,
  2n ** 53n,
  2n ** 63n - 1n,
  2n ** 63n,
  2n ** 64n - 1n,
];

const position = fc.nat(0xffff_ffff);

/** Mutations for bytes: flipped bits, and numbers of all widths. */
const ofBytes: fc.Arbitrary<Mutation>[] = [
  fc.tuple(position, fc.nat(7)).map(([at, bit]) =>
    edited((bytes) => {
      const index = at % bytes.length;
      bytes[index] = (bytes[index] ?? 0) ^ (1 << bit);
    }),
  ),
  fc.tuple(position, fc.nat(255)).map(([at, value]) =>
    edited((bytes) => {
      bytes[at % bytes.length] = value;
    }),
  ),
  fc.tuple(position, fc.constantFrom(...NUMBERS), fc.boolean()).map(([at, value, isLittle]) =>
    edited((bytes) => {
      if (bytes.length < 4) return;
      const index = at % (bytes.length - 3);
      if (isLittle) bytes.writeUInt32LE(value, index);
      else bytes.writeUInt32BE(value, index);
    }),
  ),
  fc.tuple(position, fc.constantFrom(...LONG_NUMBERS)).map(([at, value]) =>
    edited((bytes) => {
      if (bytes.length >= 8) bytes.writeBigUInt64BE(value, at % (bytes.length - 7));
    }),
  ),
];

/** Mutations for all inputs: pieces removed, inserted, repeated and moved. */
function ofPieces(tokens: readonly Buffer[], seeds: readonly Buffer[]): fc.Arbitrary<Mutation>[] {
  const length = fc.oneof(fc.nat(16), fc.nat(4096));
  return [
    position.map((at) => (bytes) => bytes.subarray(0, at % (bytes.length + 1))),
    fc.tuple(position, length).map(([at, count]) => (bytes) => {
      const start = at % (bytes.length + 1);
      return Buffer.concat([bytes.subarray(0, start), bytes.subarray(start + count)]);
    }),
    fc
      .tuple(position, fc.constantFrom(...tokens), fc.boolean())
      .map(([at, token, isOver]) => (bytes) => {
        const start = at % (bytes.length + 1);
        const rest = bytes.subarray(isOver ? start + token.length : start);
        return Buffer.concat([bytes.subarray(0, start), token, rest]);
      }),
    // Once for a duplicate piece, many times for nested or endless input.
    fc
      .tuple(
        position,
        length,
        position,
        fc.oneof(fc.constant(1), fc.integer({ min: 2, max: 3000 })),
      )
      .map(([at, count, to, times]) => (bytes) => {
        const start = at % (bytes.length + 1);
        const piece = bytes.subarray(start, start + count);
        const target = to % (bytes.length + 1);
        const room = Math.floor(MAX_INPUT_BYTES / Math.max(1, piece.length));
        const copies = Array.from({ length: Math.min(times, room) }, () => piece);
        return Buffer.concat([bytes.subarray(0, target), ...copies, bytes.subarray(target)]);
      }),
    fc.tuple(position, position, fc.constantFrom(...seeds)).map(([at, from, other]) => (bytes) => {
      const head = bytes.subarray(0, at % (bytes.length + 1));
      return Buffer.concat([head, other.subarray(from % (other.length + 1))]);
    }),
  ];
}

function edited(edit: (bytes: Buffer) => void): Mutation {
  return (bytes) => {
    if (bytes.length === 0) return bytes;
    const copy = Buffer.from(bytes);
    edit(copy);
    return copy;
  };
}

export interface InputParts {
  /** Inputs that are valid, or once failed. */
  readonly seeds: readonly Buffer[];
  /** Tokens that a reader searches for. */
  readonly tokens: readonly Buffer[];
  /** Format-specific mutations. */
  readonly mutations: readonly fc.Arbitrary<Mutation>[];
}

/** Inputs that are nearly valid, made of tokens, or random. */
export function inputs({ seeds, tokens, mutations }: InputParts): fc.Arbitrary<Buffer> {
  const mutation = fc.oneof(
    ...ofBytes.map((arbitrary) => ({ arbitrary, weight: 1 })),
    ...ofPieces(tokens, seeds).map((arbitrary) => ({ arbitrary, weight: 2 })),
    ...mutations.map((arbitrary) => ({ arbitrary, weight: 3 })),
  );
  const mutated = fc
    .tuple(fc.constantFrom(...seeds), fc.array(mutation, { maxLength: 6 }))
    .map(([seed, steps]) => steps.reduce((bytes, step) => step(bytes), seed));
  const bytes = fc.uint8Array({ maxLength: 64 }).map((array) => Buffer.from(array));
  const tokenMix = fc
    .array(fc.oneof({ arbitrary: fc.constantFrom(...tokens), weight: 5 }, bytes))
    .map((pieces) => Buffer.concat(pieces));
  return fc
    .oneof({ arbitrary: mutated, weight: 7 }, { arbitrary: tokenMix, weight: 2 }, bytes)
    .map((input) => input.subarray(0, MAX_INPUT_BYTES));
}

/** A piece that is repeated between a beginning and an end. */
export interface Growing {
  readonly head: Buffer;
  readonly piece: Buffer;
  readonly tail: Buffer;
}

/** Inputs in which one part grows. */
export function growing(parts: InputParts): fc.Arbitrary<Growing> {
  return fc
    .tuple(inputs(parts), position, fc.integer({ min: 1, max: 200 }))
    .filter(([input]) => input.length > 0)
    .map(([input, at, length]) => {
      const start = at % input.length;
      return {
        head: input.subarray(0, start),
        piece: input.subarray(start, start + length),
        tail: input.subarray(start + length, start + length + 256),
      };
    });
}

/** An input of about this many bytes. */
export function grown({ head, piece, tail }: Growing, size: number): Buffer {
  const length = Math.max(piece.length, size - head.length - tail.length);
  return Buffer.concat([head, Buffer.alloc(length - (length % piece.length), piece), tail]);
}

/** Boundary values for readers of JSON. */
const JSON_VALUES: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  0.5,
  1e21,
  2 ** 53,
  '',
  ' ',
  'null',
  [],
  {},
  [[]],
  [null],
  [{}],
  '\0',
  '\u202e',
  '\ud800',
  '__proto__',
  'x'.repeat(5000),
  'https://a.example/?s=1',
  '{{a}}',
];
const JSON_KEYS = ['__proto__', 'constructor', 'toString', '', '0', 'length', '\u202e', 'a.b[0]'];

/** Changes of one value in a JSON text, which stays valid JSON; other texts are unchanged. */
export const ofJson: fc.Arbitrary<Mutation>[] = [
  fc
    .tuple(position, fc.constantFrom(...JSON_VALUES))
    .map(([at, value]) => inJson(at, () => JSON.stringify(value))),
  // Deeper than the stack of a recursive parser.
  fc
    .tuple(position, fc.integer({ min: 1, max: 20_000 }), fc.constantFrom('[]', '{"a":}'))
    .map(([at, depth, around]) =>
      inJson(at, (value) => {
        const [open, close] = [around.slice(0, -1), around.slice(-1)];
        const room = Math.floor((MAX_INPUT_BYTES - value.length - 4096) / around.length);
        const levels = Math.max(0, Math.min(depth, room));
        return open.repeat(levels) + value + close.repeat(levels);
      }),
    ),
  fc.tuple(position, fc.integer({ min: 2, max: 2000 })).map(([at, count]) =>
    inJson(at, (value) => {
      const room = Math.ceil(MAX_INPUT_BYTES / (value.length + 1));
      return `[${Array(Math.min(count, room)).fill(value).join(',')}]`;
    }),
  ),
  fc
    .tuple(position, fc.constantFrom(...JSON_KEYS))
    .map(([at, key]) => inJson(at, (value) => `{${JSON.stringify(key)}:${value}}`)),
  fc.tuple(position, fc.constantFrom(...JSON_KEYS), position).map(([at, key, from]) =>
    inJson(at, (value, all) => {
      if (!value.startsWith('{')) return value;
      const members = value.slice(1);
      const separator = /^\s*\}/.test(members) ? '' : ',';
      return `{${JSON.stringify(key)}:${all[from % all.length]}${separator}${members}`;
    }),
  ),
];

/** JSON texts in which one value each is replaced by `by`. */
export function withEachReplaced(bytes: Buffer, by: string): Buffer[] {
  const text = bytes.toString('utf8');
  if (!isJson(text)) return [];
  return valuesOf(text).map(([start, end]) =>
    Buffer.from(text.slice(0, start) + by + text.slice(end)),
  );
}

/** @param change gets the text of a value, and those of the first values of the document */
function inJson(at: number, change: (value: string, all: readonly string[]) => string): Mutation {
  return (bytes) => {
    const text = bytes.toString('utf8');
    if (!isJson(text)) return bytes;
    const values = valuesOf(text);
    const chosen = values[at % values.length];
    if (chosen === undefined) return bytes;
    const [start, end] = chosen;
    const all = values.slice(0, 50).map((each) => text.slice(...each));
    const changed = change(text.slice(start, end), all);
    return Buffer.from(text.slice(0, start) + changed + text.slice(end));
  };
}

/**
 * The start and end of each value in a JSON text. Values are replaced in the text itself:
 * `JSON.stringify` compares each object with all its ancestors, which takes most of a second if
 * thousands are nested.
 */
function valuesOf(json: string): [start: number, end: number][] {
  const values: [number, number][] = [];
  const open: [number, number][] = [];
  for (const { 0: token, index } of json.matchAll(/[[\]{}:]|"(?:[^"\\]|\\.)*"|[^\s[\]{}:,"]+/g)) {
    // The token before a colon was a key.
    if (token === ':') values.pop();
    else if (token === ']' || token === '}') open.pop()![1] = index + 1;
    else {
      const value: [number, number] = [index, index + token.length];
      values.push(value);
      if (token === '[' || token === '{') open.push(value);
    }
  }
  return values;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
