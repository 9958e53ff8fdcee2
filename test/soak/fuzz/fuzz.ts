import { inspect } from 'node:util';
import { getHeapStatistics } from 'node:v8';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_RATIO, ratioOf } from '../../rigs/growth.ts';
import { fuzzing } from '../long-form.ts';
import {
  growing,
  grown,
  inputs,
  type Growing,
  type InputParts,
  type Mutation,
  withEachReplaced,
} from './mutations.ts';

export interface Parser<Result> {
  /** Reads an input, which may be any bytes. */
  readonly parse: (input: Buffer) => Result;
  /** Invariants of every result. */
  readonly check?: (result: Awaited<Result>, input: Buffer) => unknown;
  /** The documented errors. Any other is a defect. */
  readonly throws?: readonly (abstract new (...args: never[]) => Error)[];
  /** Valid inputs. */
  readonly seeds: readonly (string | Buffer)[];
  /** Tokens that the parser searches for in an input. */
  readonly tokens?: readonly (string | Buffer)[];
  /** Format-specific mutations. */
  readonly mutations?: readonly fc.Arbitrary<Mutation>[];
  /** Inputs that once failed, by the defect and the seed that found it. */
  readonly found?: Readonly<Record<string, string | Buffer>>;
  /**
   * Bytes of the largest input whose time is measured; smaller if the parser refuses larger ones,
   * and 0 if the time depends on something else, such as a disk.
   */
  readonly largest?: number;
  /** Inputs per round; the short form has one round. */
  readonly runs?: number;
}

/** Milliseconds of processor time for one input of at most 64 KiB, far more than any takes. */
const MAX_WORK_MS = 3000;
/** Memory that is in use after reading one input, most of it garbage. */
const MAX_MEMORY_BYTES = 256 * 1024 * 1024;
const INPUTS_A_ROUND = 200;
const GROWTHS_A_ROUND = 2;

/**
 * An object whose `length` cannot be converted to a number. Zod 4.6 compares the length of every
 * value that has one, even if a text or a list is expected, and throws a `TypeError`.
 */
export const UNUSABLE_LENGTH = '{"length":{"toString":0}}';

const SHARED_TOKENS = [
  '',
  '\0',
  '\n',
  '\r\n',
  ' ',
  ',',
  ';',
  ':',
  '=',
  '"',
  "'",
  '\\',
  '/',
  '.',
  '-',
  '%',
  '&',
  '[',
  ']',
  '{',
  '}',
  '<',
  '>',
  '__proto__',
  'constructor',
  'toString',
  'null',
  'true',
  '0',
  '-1',
  '1e999',
  '9007199254740993',
  '99999999999999999999',
  '\ufeff',
  '\u202e',
  '\u0085',
  'é',
  'ｅ\u0301',
  '😀',
  '\u2028',
  '/../',
  '\\\\host\\share',
  'https://a.example/?signature=1',
];

/**
 * Tests a parser with generated inputs: it throws only its documented errors, its time grows
 * linearly and its memory is bounded; its results satisfy their invariants.
 */
export function fuzz<Result>(name: string, parser: Parser<Result>): void {
  describe(name, () => {
    it.each(Object.entries(parser.found ?? {}))('reads an input that once failed: %s', (_, input) =>
      checkInput(parser, bytesOf(input)),
    );

    it('reads its seeds', async () => {
      for (const seed of parser.seeds) await checkInput(parser, bytesOf(seed));
    });

    const lengths = parser.seeds.flatMap((seed) =>
      withEachReplaced(bytesOf(seed), UNUSABLE_LENGTH),
    );
    if (lengths.length > 0) {
      it('reads lengths that are not numbers', async () => {
        for (const input of lengths) await checkInput(parser, input);
      });
    }

    it('reads generated inputs', () => readGenerated(name, parser));
  });
}

/** A round of inputs, or as many rounds as fit into the time of the long form. */
export async function readGenerated<Result>(name: string, parser: Parser<Result>): Promise<void> {
  const parts: InputParts = {
    seeds: [...parser.seeds, ...Object.values(parser.found ?? {})].map(bytesOf),
    tokens: [...SHARED_TOKENS, ...(parser.tokens ?? [])].map(bytesOf),
    mutations: parser.mutations ?? [],
  };
  const run = fuzzing();
  const numRuns = parser.runs ?? INPUTS_A_ROUND;
  let count = 0;
  for (let seed = run.firstSeed; count === 0 || run.hasTime; seed += 1) {
    await fc.assert(
      fc.asyncProperty(printable(inputs(parts)), (input) => checkInput(parser, input)),
      { seed, numRuns },
    );
    if (run.isLong && parser.largest !== 0) {
      await fc.assert(
        fc.asyncProperty(growing(parts), (growth) => checkGrowth(parser, growth)),
        // A smaller input would be measured for minutes, and show no more.
        { seed, numRuns: GROWTHS_A_ROUND, endOnFailure: true },
      );
    }
    count += numRuns;
  }
  if (run.isLong) console.log(`${name}: ${count} inputs from seed ${run.firstSeed} on`);
}

/** @throws for an undeclared error, too much time or memory, or an invalid result */
async function checkInput<Result>(parser: Parser<Result>, input: Buffer): Promise<void> {
  const before = memoryInUse();
  const started = process.threadCpuUsage();
  // A copy, so that the caller's input stays unchanged if the parser writes to it.
  const reading = await read(parser, Buffer.from(input));
  const { user, system } = process.threadCpuUsage(started);
  expect((user + system) / 1000, 'milliseconds of processor time').toBeLessThan(MAX_WORK_MS);
  expect(memoryInUse() - before, 'bytes of memory').toBeLessThan(MAX_MEMORY_BYTES);
  if (reading !== null) await parser.check?.(reading.result, input);
}

/** `null` for an input that is refused with a documented error. */
async function read<Result>({ parse, throws = [] }: Parser<Result>, input: Buffer) {
  try {
    return { result: await parse(input) };
  } catch (error) {
    if (throws.some((declared) => error instanceof declared)) return null;
    throw error;
  }
}

/** @throws when twice the input takes more than three times as long */
async function checkGrowth<Result>(
  { parse, largest = 512 * 1024 }: Parser<Result>,
  growth: Growing,
): Promise<void> {
  const ratio = await ratioOf(parse, (size) => grown(growth, size), largest);
  expect(ratio, 'times as long for twice the input').toBeLessThanOrEqual(MAX_RATIO);
}

/** As in `process.memoryUsage()`, which also reads a file of the system to measure more. */
function memoryInUse(): number {
  const { used_heap_size: heapUsed, external_memory: external } = getHeapStatistics();
  return heapUsed + external;
}

/** Prints the bytes of a failure as a text to paste into a test. */
function printable(arbitrary: fc.Arbitrary<Buffer>): fc.Arbitrary<Buffer> {
  return arbitrary.map((bytes) =>
    Object.assign(Buffer.from(bytes), {
      [fc.toStringMethod]: () => `Buffer.from(${inspect(bytes.toString('latin1'))}, 'latin1')`,
    }),
  );
}

function bytesOf(input: string | Buffer): Buffer {
  return typeof input === 'string' ? Buffer.from(input) : input;
}

/**
 * The input as a text. One that begins with a NUL byte is read as UTF-16, so that texts with
 * unpaired surrogates occur too.
 */
export function textOf(input: Buffer): string {
  if (input[0] !== 0) return input.toString('utf8');
  // From a new buffer: for a slice that is not aligned, Node 24.21 writes beyond its memory.
  return Buffer.from(input.subarray(1)).toString('utf16le');
}
