import path from 'node:path';
import { expect } from 'vitest';
import { PAGES } from '../../../src/contract/computer.ts';
import {
  addressKind,
  checkLink,
  PUBLIC_ONLY,
  withoutQuery,
} from '../../../src/engine/downloads/address-policy.ts';
import { DownloadRefusedError } from '../../../src/engine/downloads/download-failures.ts';
import { MAX_NAME_BYTES, safeName, withNumber } from '../../../src/engine/downloads/file-name.ts';
import { MAX_BATCH_FILES } from '../../../src/contract/batch-limits.ts';
import { linkRequiredPage } from '../../../src/host/link-page.ts';
import { BATCH_EXTENSIONS, openedByArguments, openedByLink } from '../../../src/main/opened.ts';
import { fuzz, textOf } from './fuzz.ts';

const LINKS = ['spool://add', 'spool:queue', 'spool://show/timeline/', 'spool://saved'];
const LINK_TOKENS = ['spool:', '//', 'show/', ...PAGES, 'add', '?', '#', '%00'];

fuzz('openedByLink', {
  seeds: LINKS,
  tokens: LINK_TOKENS,
  parse: (bytes) => openedByLink(textOf(bytes)),
  check(opened, bytes) {
    if (opened === null) return;
    expect(opened.kind).toMatch(/^(?:page|add)$/);
    if (opened.kind === 'page') expect(PAGES).toContain(opened.page);
    expect(textOf(bytes)).toMatch(/^spool:[a-z/]+$/);
  },
});

for (const [system, paths, folder] of [
  ['Windows', path.win32, 'C:\\Users\\vic'],
  ['Linux', path.posix, '/home/vic'],
] as const) {
  fuzz(`openedByArguments on ${system}`, {
    seeds: [
      ...LINKS,
      'batch.csv\n--hidden\n/home/vic/week.jsonl',
      'C:\\Users\\vic\\week.csv\nfile:///C:/week.tsv',
      '\\\\host\\share\\week.csv\n//host/share/week.csv\nfile://host/week.csv',
      '\\\\?\\UNC\\host\\week.csv\n\\??\\C:\\week.csv\nC:week.csv\nNUL.csv',
    ],
    tokens: [
      ...LINK_TOKENS,
      'file:',
      'file:////',
      '\\\\',
      '\\??\\',
      'UNC',
      '.csv',
      ':',
      'C:',
      '..',
    ],
    parse: (bytes) => openedByArguments(textOf(bytes).split('\n'), folder, paths),
    check(opened) {
      const files = opened.filter(({ kind }) => kind === 'batch-file').length;
      expect(files).toBeLessThanOrEqual(MAX_BATCH_FILES);
      const beyond = opened.filter(({ kind }) => kind === 'too-many-files').length;
      expect(beyond).toBeLessThanOrEqual(files === MAX_BATCH_FILES ? 1 : 0);
      expect(opened.length - files - beyond).toBeLessThanOrEqual(20);
      for (const each of opened) {
        if (each.kind !== 'batch-file') continue;
        expect(paths.isAbsolute(each.path)).toBe(true);
        expect(each.path).not.toMatch(/^(?:[\\/]{2}|[\\/]\?\?[\\/])|\p{Cc}/u);
        expect(BATCH_EXTENSIONS).toContain(paths.extname(each.path).slice(1).toLowerCase());
      }
    },
  });
}

fuzz('checkLink', {
  seeds: [
    'https://files.example.com/v.mp4?signature=1',
    'https://2130706433/a',
    'https://[::ffff:127.0.0.1]/',
    'https://user:pw@files.example.com/',
    'https://169.254.169.254/latest',
  ],
  tokens: [
    'https:',
    '//',
    '@',
    '127.0.0.1',
    '0x7f.1',
    '[::1]',
    'localhost',
    '。',
    '%2e',
    '\\',
    ':443',
  ],
  found: {
    'A host that is only a dot, which no name server resolves, was accepted as an address (seed 424118505)':
      'https:./user:pw@files.example.com/',
    'A number followed by two dots, a name to the URL parser, was accepted as an address (seed 424118500)':
      'https://169../user:pw@files.example.com/',
  },
  throws: [DownloadRefusedError],
  parse: (bytes) => checkLink(textOf(bytes), PUBLIC_ONLY),
  check(url) {
    expect(url.protocol + url.username + url.password).toBe('https:');
    expect(url.hostname).not.toMatch(/^localhost\.?$|\.localhost\.?$/);
    const address = url.hostname.replace(/^\[|\]$/g, '');
    if (/^\d+(?:\.\d+){3}$|:/.test(address)) expect(addressKind(address)).toBe('public');
  },
});

fuzz('withoutQuery', {
  seeds: ['https://a.example/b?signature=secret#hash', 'https://u:p@a.example/?x'],
  parse: (bytes) => withoutQuery(textOf(bytes)),
  found: {
    'An address of another scheme was logged with its user name and password (seed 1)':
      'h:ttps://u:p@a.example/?x',
  },
  check(text) {
    expect(text).not.toMatch(/[?#]/);
    const url = URL.parse(text);
    if (url !== null) expect(url.username + url.password).toBe('');
  },
});

const DEVICE = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(?:\.|$)/i;

fuzz('safeName', {
  seeds: ['Launch week', 'NUL.tar.mp4', 'a/../b', 'com¹ .mp4', '\u202egnp.exe', 'x'.repeat(300)],
  tokens: ['CON', 'nul', 'COM1', 'LPT¹', 'CONIN$', '.', ' ', ':', '/', '\\', '..', 'é'.repeat(200)],
  parse(bytes) {
    const name = safeName(textOf(bytes), '.mp4');
    return { name, numbered: withNumber(name, 2), again: safeName(name.slice(0, -4), '.mp4') };
  },
  check({ name, numbered, again }) {
    for (const each of [name, numbered]) {
      expect(Buffer.byteLength(each)).toBeLessThanOrEqual(MAX_NAME_BYTES);
      expect(each).not.toMatch(/[<>:"/\\|?*\p{Cc}]|^\.|[. ]$|^ /u);
      expect(each).not.toMatch(DEVICE);
      expect(each.isWellFormed() && each.normalize('NFC') === each).toBe(true);
    }
    expect(again).toBe(name);
  },
});

fuzz('linkRequiredPage', {
  seeds: ['Open Spool with its link', '<script>alert(1)</script>'],
  tokens: ['<', '>', '"', '&', '</p>', '<!--', '&lt;'],
  parse: (bytes) => linkRequiredPage('en', textOf(bytes), textOf(bytes)),
  check({ body }) {
    const [, heading = '', text = ''] = /<h1>(.*)<\/h1><p>(.*)<\/p>/su.exec(body) ?? [];
    expect(heading + text).not.toMatch(/[<>"]/);
  },
});
