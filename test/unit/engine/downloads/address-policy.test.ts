import { describe, expect, it } from 'vitest';
import {
  allowHost,
  AddressRefusedError,
  checkLink,
  PUBLIC_ONLY,
  type RefusalCode,
} from '../../../../src/engine/downloads/address-policy.ts';

/** What a link is refused for; `null` when it may be followed. */
function refusal(link: string, policy = PUBLIC_ONLY): RefusalCode | null {
  try {
    checkLink(link, policy);
    return null;
  } catch (error) {
    if (error instanceof AddressRefusedError) return error.code;
    throw error;
  }
}

// abuse.md 3
describe('a link that is no https address', () => {
  it.each([
    ['file:///etc/passwd', 'link-not-https'],
    ['data:video/mp4;base64,AAAA', 'link-not-https'],
    ['http://files.example/v.mp4', 'link-not-https'],
    ['ftp://files.example/v.mp4', 'link-not-https'],
    ['javascript:alert(1)', 'link-not-https'],
    ['blob:https://files.example/1', 'link-not-https'],
    ['/v.mp4', 'link-invalid'],
    ['https://', 'link-invalid'],
    ['https://user:word@files.example/v.mp4', 'link-invalid'],
  ])('%s is refused', (link, code) => {
    expect(refusal(link)).toBe(code);
  });
});

// abuse.md 4
describe('a link to an address', () => {
  it.each([
    ...['127.0.0.1', '127.9.9.9', '0.0.0.0', '10.1.2.3', '172.16.0.1', '192.168.1.1'],
    ...['169.254.169.254', '100.64.0.1', '100.100.100.200', '224.0.0.1', '255.255.255.255'],
    // The same ones as nobody honest writes them.
    ...['2130706433', '0x7f000001', '0x7f.1', '0177.0.0.1', '127.1', '127.0.0.1.'],
    ...['[::1]', '[::]', '[::ffff:127.0.0.1]', '[::ffff:8.8.8.8]', '[::127.0.0.1]'],
    ...[
      '[64:ff9b::7f00:1]',
      '[2002:7f00:1::]',
      '[2001:0:7f00:1::]',
      '[fe80::1]',
      '[fd00:ec2::254]',
    ],
    ...['localhost', 'LOCALHOST', 'localhost.', 'files.localhost'],
    // Public, but disguised.
    ...['134744072', '0x08080808'],
  ])('of this computer, its network or a cloud is refused: %s', (host) => {
    expect(refusal(`https://${host}/v.mp4`)).toBe('address-refused');
    expect(refusal(`https://${host}:8443/v.mp4`)).toBe('address-refused');
  });

  it.each(['8.8.8.8', '[2606:4700::1111]', 'files.example', 'localhost.example'])(
    'of the public internet is followed: %s',
    (host) => {
      expect(refusal(`https://${host}/v.mp4`)).toBeNull();
    },
  );

  it('of the one service that is allowed is followed, and nothing beside it', () => {
    const policy = { exceptions: [{ origin: 'https://127.0.0.1:8443' }] };
    expect(refusal('https://127.0.0.1:8443/v.mp4', policy)).toBeNull();
    expect(refusal('https://127.0.0.1:8444/v.mp4', policy)).toBe('address-refused');
    expect(refusal('https://127.0.0.2:8443/v.mp4', policy)).toBe('address-refused');
    expect(refusal('http://127.0.0.1:8443/v.mp4', policy)).toBe('link-not-https');
    expect(allowHost('127.0.0.1:8443')).toEqual({ origin: 'https://127.0.0.1:8443' });
  });
});
