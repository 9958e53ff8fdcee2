import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { documentationPages } from '../../../src/host/settings/service-offers.ts';
import { mayOpenExternally } from '../../../src/main/external-links.ts';
import { openedByArguments, openedByLink } from '../../../src/main/opened.ts';

const file = (name: string) => ({ kind: 'batch-file', path: name });

// abuse.md 29
describe('the arguments of a start', () => {
  it('open batches by their path, relative to the folder where the program was started', () => {
    expect(openedByArguments(['/b/week.csv', 'more.JSONL'], '/home/ana')).toEqual([
      file('/b/week.csv'),
      file('/home/ana/more.JSONL'),
    ]);
  });

  it.each([
    'week.xlsx',
    'week.xls',
    'week.ods',
    'week.fods',
    'week.txt',
    'week.html',
    'week.tsv',
    'week.json',
  ])('open a table in any format: %s', (name) => {
    expect(openedByArguments([name], '/b')).toEqual([file(`/b/${name}`)]);
  });

  it('open every kind of table that is registered with the system', () => {
    const [, associations = ''] =
      /^fileAssociations:$(.*?)^\w/ms.exec(readFileSync('build/electron-builder.yml', 'utf8')) ??
      [];
    const names = Array.from(associations.matchAll(/ext: (\w+)/g), ([, ext = '']) => `a.${ext}`);
    expect(names).toEqual(expect.arrayContaining(['a.xlsx', 'a.xls', 'a.ods', 'a.fods']));
    expect(openedByArguments(names, '/b')).toEqual(names.map((name) => file(`/b/${name}`)));
  });

  it.each([
    ['a switch', '--inspect'],
    ['a switch with a file', '--load-extension=/x.csv'],
    ['a file of another kind', '/b/run.sh'],
    ['a file with no kind', '/etc/passwd'],
    ['a file on a server', '//evil.example/share/week.csv'],
    ['a file on a Windows server', '\\\\evil.example\\share\\week.csv'],
    ['a web address', 'https://evil.example/week.csv'],
    ['the address of a file on a server', 'file://evil.example/share/week.csv'],
    ['the address of a file on a server in its path', 'file:////evil.example/share/week.csv'],
    ['the address of another kind of file', 'file:///b/run.sh'],
    ['an address with a line break in it', 'file:///b/we%0Aek.csv'],
    ['an address with an encoded slash', 'file:///b%2Fweek.csv'],
    ['a script', 'javascript:alert(1).csv'],
    ['a name with a line break', '/b/we\nek.csv'],
    ['a very long path', `/${'a'.repeat(5000)}.csv`],
    ['nothing', ''],
  ])('do nothing for %s', (_what, argument) => {
    expect(openedByArguments([argument], '/home/ana')).toEqual([]);
  });

  it('open a hundred files at most, and report how many are left out', () => {
    const many = Array.from({ length: 100_000 }, (_, index) => `${index}.csv`);
    const opened = openedByArguments([...many, ...many.map(() => 'spool://saved')], '/home/ana');
    const links = opened.filter(({ kind }) => kind === 'page');
    const files = opened.filter(({ kind }) => kind === 'batch-file');
    expect([links.length, files.length]).toEqual([20, 100]);
    expect(files[99]).toEqual(file('/home/ana/99.csv'));
    expect(opened.slice(120)).toEqual([{ kind: 'too-many-files', count: 99_900 }]);
  });

  it('may be addresses of files, as Linux desktops pass them', () => {
    expect(openedByArguments(['file:///b/my%20week.csv', 'FILE:///b/w.csv'], '/home/ana')).toEqual([
      file('/b/my week.csv'),
      file('/b/w.csv'),
    ]);
  });

  it('may be paths on drives of Windows, but not on a server', () => {
    expect(openedByArguments(['C:\\b\\week.csv'], 'C:\\', path.win32)).toEqual([
      file('C:\\b\\week.csv'),
    ]);
    expect(openedByArguments(['week.csv'], '\\\\evil.example\\share', path.win32)).toEqual([]);
  });

  it('may be a link, as Windows and Linux pass it', () => {
    expect(openedByArguments(['spool://saved'], '/')).toEqual([{ kind: 'page', page: 'saved' }]);
  });
});

// abuse.md 29
describe('a link to Spool', () => {
  it.each([
    ['spool://queue', { kind: 'page', page: 'queue' }],
    ['spool://activity', { kind: 'page', page: 'activity' }],
    ['spool://show/limits', { kind: 'page', page: 'limits' }],
    ['spool:settings/', { kind: 'page', page: 'settings' }],
    ['spool://add', { kind: 'add' }],
  ])('%s opens a page', (link, opened) => {
    expect(openedByLink(link)).toEqual(opened);
  });

  it.each([
    'spool://add?file=/etc/passwd',
    'spool://add/..%2f..',
    'spool://open//evil.example/x.csv',
    'spool://constructor',
    'spool://__proto__',
    'spool://QUEUE',
    'spool://queue#x',
    'spoolx://queue',
    'spool://',
  ])('%s does nothing', (link) => {
    expect(openedByLink(link)).toBeNull();
  });
});

// abuse.md 10
describe('an address for the system’s browser', () => {
  const origin = 'https://api.example.com';

  it.each([
    ['https://api.example.com/studio', true],
    ['https://docs.dev.runwayml.com/api', true],
    ['https://docs.dev.runwayml.com/', false],
    ['https://docs.dev.runwayml.com/api?next=https://evil.example', false],
    ['https://user@docs.dev.runwayml.com/api', false],
    ['https://api.example.com:8443/', false],
    ['https://evil.example/', false],
    ['https://api.example.com.evil.example/', false],
    ['https://user:secret@api.example.com/', false],
    ['http://api.example.com/', false],
    ['javascript:alert(1)', false],
    ['file:///etc/passwd', false],
    ['ms-settings:privacy', false],
    ['spool://add', false],
    ['', false],
  ])('%s: %s', (address, may) => {
    expect(mayOpenExternally(address, origin, documentationPages())).toBe(may);
  });
});
