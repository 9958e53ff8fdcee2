import { describe, expect, it } from 'vitest';
import {
  addressKind,
  allowHost,
  checkLink,
  PUBLIC_ONLY,
} from '../../../../src/engine/downloads/address-policy.ts';
import {
  DownloadRefusedError,
  type FailureCode,
} from '../../../../src/engine/downloads/download-failures.ts';

/** What a link is refused for; `null` when it may be followed. */
function refusal(link: string, policy = PUBLIC_ONLY): FailureCode | null {
  try {
    checkLink(link, policy);
    return null;
  } catch (error) {
    if (error instanceof DownloadRefusedError) return error.code;
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
    '127.0.0.1',
    '127.9.9.9',
    '0.0.0.0',
    '10.1.2.3',
    '172.16.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '100.100.100.200',
    '224.0.0.1',
    '255.255.255.255',
    // The same ones in notations that legitimate links do not use.
    '2130706433',
    '0x7f000001',
    '0x7f.1',
    '0177.0.0.1',
    '127.1',
    '127.0.0.1.',
    '[::1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[::ffff:8.8.8.8]',
    '[::127.0.0.1]',
    '[64:ff9b::7f00:1]',
    '[2002:7f00:1::]',
    '[2001:0:7f00:1::]',
    '[fe80::1]',
    '[fd00:ec2::254]',
    'localhost',
    'LOCALHOST',
    'localhost.',
    'files.localhost',
    // Public, but disguised.
    '134744072',
    '0x08080808',
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

  it('of the one allowed service is followed, and no other', () => {
    const policy = { exceptions: [{ origin: 'https://127.0.0.1:8443' }] };
    expect(refusal('https://127.0.0.1:8443/v.mp4', policy)).toBeNull();
    expect(refusal('https://127.0.0.1:8444/v.mp4', policy)).toBe('address-refused');
    expect(refusal('https://127.0.0.2:8443/v.mp4', policy)).toBe('address-refused');
    expect(refusal('http://127.0.0.1:8443/v.mp4', policy)).toBe('link-not-https');
    expect(allowHost('127.0.0.1:8443')).toEqual({ origin: 'https://127.0.0.1:8443' });
  });
});

// abuse.md 46
describe('an address that a name resolves to', () => {
  it.each(['198.18.0.0', '198.18.0.7', '198.19.255.255', '64:ff9b::808:808', '64:ff9b::8.8.8.8'])(
    'of a VPN, or of NAT64 around a public one, is neither public nor private: %s',
    (address) => {
      expect(addressKind(address)).toBe('vpn');
    },
  );

  it.each([
    // Just outside 64:ff9b::/96.
    '64:ff9a::808:808',
    '64:ff9b:0:0:0:1:808:808',
    // NAT64 around addresses that are not public, including a VPN's.
    '64:ff9b::7f00:1',
    '64:ff9b::127.0.0.1',
    '64:ff9b::10.0.0.1',
    '64:ff9b::192.168.1.1',
    '64:ff9b::a9fe:a9fe',
    '64:ff9b::100.64.0.1',
    '64:ff9b::198.18.0.1',
    '64:ff9b::224.0.0.1',
    '64:ff9b::',
    '64:ff9b::1',
    '64:ff9b::ffff:ffff',
    '64:ff9b::808:808%eth0',
    // Prefixes of NAT64 that an operator chooses (RFC 8215), and a VPN's address in disguise.
    '64:ff9b:1::808:808',
    '64:ff9b:1:fffe::808:808',
    '::ffff:198.18.0.1',
    '2002:c612:1::',
    '127.0.0.1',
    '10.0.0.1',
    '169.254.169.254',
    'fdfe:dcba:9876::1',
    '::1',
    'files.example',
  ])('of any other special kind is private: %s', (address) => {
    expect(addressKind(address)).toBe('private');
  });

  it.each(['198.17.255.255', '198.20.0.0', '8.8.8.8', '2606:4700::1111'])(
    'of the internet is public: %s',
    (address) => {
      expect(addressKind(address)).toBe('public');
    },
  );
});

// abuse.md 46
describe('with addresses of VPNs and NAT64 allowed', () => {
  const policy = { exceptions: [], allowVpnAddresses: true };

  it.each(['198.18.0.7', '[64:ff9b::808:808]', '127.0.0.1', '192.168.1.1', 'localhost'])(
    'a link with a literal address is still refused: %s',
    (host) => {
      expect(refusal(`https://${host}/v.mp4`, policy)).toBe('address-refused');
    },
  );
});
