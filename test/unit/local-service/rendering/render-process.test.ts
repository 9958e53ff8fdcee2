import { describe, expect, it } from 'vitest';
import { isCrash } from '../../../../src/local-service/rendering/render-process.ts';

describe('the end of a render process', () => {
  it.each([
    ['a signal of native code', null, 'SIGSEGV'],
    ['an abort', null, 'SIGABRT'],
    ['an access violation on Windows', 0xc0000005, null],
    ['a heap corruption on Windows', 0xc0000374, null],
    ['the lowest error status of Windows', 0xc0000000, null],
  ] as const)('by %s is a crash', (_what, code, signal) => {
    expect(isCrash(code, signal)).toBe(true);
  });

  it.each([
    ['a kill', null, 'SIGKILL'],
    ['a request to end', null, 'SIGTERM'],
    ['an exit', 0, null],
    ['an uncaught error', 1, null],
    ['a warning status of Windows', 0x80000003, null],
    ['no code', null, null],
  ] as const)('by %s is none', (_what, code, signal) => {
    expect(isCrash(code, signal)).toBe(false);
  });
});
