import type { IpcMainEvent } from 'electron';
import { describe, expect, it } from 'vitest';
import { isAppAddress } from '../../../src/main/app-origin.ts';
import { byteRange } from '../../../src/main/byte-range.ts';
import { isPermitted } from '../../../src/main/permissions.ts';
import { isTrustedSender } from '../../../src/main/trusted-sender.ts';

describe('the app’s own addresses', () => {
  it.each([
    ['spool-app://app/', true],
    ['spool-app://app/assets/index.js', true],
    ['spool-app://app.evil.example/', false],
    ['spool-app://other/', false],
    ['https://app/', false],
    ['file:///etc/passwd', false],
    ['javascript:alert(1)', false],
    ['', false],
  ])('%s: %s', (address, isOurs) => {
    expect(isAppAddress(address)).toBe(isOurs);
  });
});

describe('the permissions of a page', () => {
  it.each([
    ['clipboard-sanitized-write', 'spool-app://app/', true],
    ['fullscreen', 'spool-app://app', true],
    ['clipboard-read', 'spool-app://app/', false],
    ['media', 'spool-app://app/', false],
    ['geolocation', 'spool-app://app/', false],
    ['fullscreen', 'https://evil.example/', false],
    ['fullscreen', 'spool-app://app.evil.example', false],
    ['fullscreen', '', false],
  ])('%s for %s: %s', (permission, address, is) => {
    expect(isPermitted(permission, address)).toBe(is);
  });
});

// abuse.md 14
describe('a message to the main process', () => {
  const page = { url: 'spool-app://app/' };
  const from = (senderFrame: object | null, mainFrame: object) =>
    ({ senderFrame, sender: { mainFrame } }) as unknown as IpcMainEvent;

  it('is trusted from the app’s page', () => {
    expect(isTrustedSender(from(page, page))).toBe(true);
  });

  it('is not trusted from a frame inside of it, from another page, or from a closed one', () => {
    const foreign = { url: 'https://evil.example/' };
    expect(isTrustedSender(from({ ...page }, page))).toBe(false);
    expect(isTrustedSender(from(foreign, foreign))).toBe(false);
    expect(isTrustedSender(from(null, page))).toBe(false);
  });
});

describe('the byte range that a player requests', () => {
  it.each([
    ['bytes=0-', { start: 0, end: 99 }],
    ['bytes=10-19', { start: 10, end: 19 }],
    ['bytes=90-500', { start: 90, end: 99 }],
    ['bytes=-10', { start: 90, end: 99 }],
    ['bytes=-500', { start: 0, end: 99 }],
    ['bytes=100-', null],
    ['bytes=20-10', null],
    ['bytes=0-1,5-6', null],
    ['bytes=-', null],
    ['lines=0-1', null],
    [null, null],
  ])('%s of 100 bytes', (header, range) => {
    expect(byteRange(header, 100)).toEqual(range);
  });
});
