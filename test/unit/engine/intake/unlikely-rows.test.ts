/** Rows that are probably no videos: headings between videos, notes below them, other tables. */
import { describe, expect, it } from 'vitest';
import { askedIn, askedRows, readTableText as read } from '../../../rigs/asked-rows.ts';

const ASKED: Readonly<Record<string, readonly [content: string, asked: readonly string[]]>> = {
  'weeks between videos': [
    'title,message\nWeek 48,\nOne,a\nTwo,b\nWeek 49,\nThree,c\n',
    ['section 2', 'section 5'],
  ],
  'a total in one column': ['title\nOne\nTwo\nTotal\n', ['total 4']],
  'a total with its number in one column': ['Titel\nEins\nZwei\n\nSumme: 2 Videos\n', ['total 5']],
  'how many there are in one column': ['title\nOne\nTwo\n2 videos\n', ['total 4']],
  'a footer in one column': ['title\nOne\nTwo\n\nGenerated on 2026-11-26\n', ['note 5']],
  'weeks in German': [
    'Titel;Nachricht\nKW 48;\nEins;a\nKW 49;\nZwei;b\n',
    ['section 2', 'section 4'],
  ],
  'a month above a week': [
    'title,message\nNovember 2026,\nWeek 48,\nOne,a\nDecember 2026,\nWeek 49,\nTwo,b\n',
    ['section 2', 'section 3', 'section 5', 'section 6'],
  ],
  'days and dates': [
    'title,message\nMonday,\nOne,a\n"Tuesday, 24 Nov",\nTwo,b\n25.11.2026,\nThree,c\n',
    ['section 2', 'section 4', 'section 6'],
  ],
  'lines drawn around a word': [
    'title,message\n--- Newsletter ---,\nOne,a\n== Social ==,\nTwo,b\n',
    ['section 2', 'section 4'],
  ],
  'a word with a colon': ['title,message\nNewsletter:,\nOne,a\n', ['section 2']],
  'words that divide rows of three texts each': [
    'title,message,seconds\nNewsletter,,\nOne,a,4\nTwo,b,5\nSocial,,\nThree,c,6\n',
    ['section 2', 'section 5'],
  ],
  'a word below an empty line': [
    'title,message\nOne,a\nTwo,b\n\nNewsletter,\nThree,c\nFour,d\n',
    ['section 5'],
  ],
  'a week in a separate column': ['Nr,title,message\nWeek 48,,\n1,One,a\n2,Two,b\n', ['section 2']],
  'a cell across all columns': [
    '<table><tr><td>title</td><td>message</td></tr><tr><td colspan="2">Newsletter</td></tr><tr><td>One</td><td>a</td></tr></table>',
    ['section 2'],
  ],
  'a note below an empty line': [
    'title,message\nOne,a\nTwo,b\n\nPlease ask Anna first,\n',
    ['note 5'],
  ],
  'several lines of notes': [
    'Titel;Nachricht\nEins;a\nZwei;b\n\nBitte Anna fragen;\nFarben noch offen;\n',
    ['note 5', 'note 6'],
  ],
  'columns in another order': [
    'title,message\nOne,a\nmessage,title\nb,Two\nc,Three\n',
    ['other-table 3-5'],
  ],
  'another table with known headers': [
    'title,message\nOne,a\n\ntitle,accent\nTwo,#ff0000\n',
    ['other-table 4-5'],
  ],
  'a narrower table below an empty line': [
    'title,message,subtitle\nOne,a,x\nTwo,b,y\n\nName,Role,\nAnna,Editor,\nJo,Camera,\n',
    ['other-table 5-7'],
  ],
  'another table with a title': [
    'title,message,subtitle\nOne,a,x\nTwo,b,y\n\nTeam,,\nName,Role,\nAnna,Editor,\n',
    ['other-table 5-7'],
  ],
  'another table as wide as the first': [
    'title,message\nOne,a\nTwo,b\n\nName,Phone\nAnna,123\nJo,456\n',
    ['other-table 5-7'],
  ],
  'two more tables': [
    'title,message,subtitle\nOne,a,x\nTwo,b,y\n\nName,Role\nAnna,Editor\n\nColour,Use\nRed,Sale\n',
    ['other-table 5-6', 'other-table 8-9'],
  ],
};

describe('asks about', () => {
  it.each(Object.entries(ASKED))('%s', (_, [content, asked]) => {
    const reading = read(content);
    expect(askedIn(reading)).toEqual(asked);
    // Unattended, each of the rows is an error.
    const numbers = askedRows(reading);
    const named = new Set(
      reading.errors.filter(({ kind }) => kind.startsWith('row-is-')).map(({ row }) => row),
    );
    expect([...named]).toEqual(numbers);
    const without = read(content, { skipRows: numbers });
    expect(without.errors).toEqual([]);
    expect(without.rows.length).toBe(reading.rowCount - numbers.length);
    expect(askedIn(read(content, { keepRows: numbers }))).toEqual([]);
  });
});

const VIDEOS: Readonly<Record<string, string>> = {
  'titles without messages': 'title,message\nOne,\nTwo,\nThree,c\n',
  'a title alone in a table of two columns': 'title,message\nOne,a\nTwo,b\nThree,\n',
  'a list of parts': 'title,message\nPart 1,\nPart 2,\nPart 3,\nPart 4,d\n',
  'one column': 'title\nWeek 48\nOne\n\nPlease ask Anna first\n',
  'a title with the word of a total': 'title\nOne\nTwo\nTotal eclipse\n',
  'the word of a total alone': 'title\nTotal\n',
  'the word of a total among others': 'title\nTotal\nOne\nTwo\n',
  'a number in the last title': 'title\nOne\nTwo\n3 tips\n',
  'empty lines between all rows': 'title,message\n\nOne,a\n\nTwo,\n\nThree,c\n\nFour,\n',
  'groups between empty lines': 'title,message\nOne,a\nTwo,b\n\nThree,c\nFour,d\n',
  'a title with a colon inside': 'title,message\nOne,a\nNew: shoes,\nTwo,b\n',
  'a message that is a week': 'title,message\nWeek 48,All news\nWeek 49,More news\n',
  'a title alone among rows of three texts each':
    'title,message,seconds\nOne,a,4\nTwo,,\nThree,c,6\nFour,d,4\n',
  'the first title alone': 'title,message,seconds\nOne,,\nTwo,b,5\nThree,c,6\nFour,d,4\n',
  'the last titles alone': 'title,message,seconds\nOne,a,4\nTwo,b,5\nThree,c,6\nFour,,\nFive,,\n',
  'several titles alone':
    'title,message,seconds\nOne,a,4\nTwo,,\nThree,c,6\nFour,,\nFive,e,4\nSix,f,4\n',
  'a part among parts': 'title,message\nPart 1,a\nPart 2,\nPart 3,c\n',
  'a week among weeks': 'title,message,subtitle\nWeek 47,a,x\nWeek 48,,\nWeek 49,c,z\n',
  'a colon among colons': 'title,message\nNow new:,a\nOnly today:,\nFor you:,c\n',
  'fewer texts below an empty line':
    'title,message,subtitle\nOne,a,x\nTwo,b,y\n\nThree,c,\nFour,d,\n',
  'optional texts below an empty line':
    'title,message,subtitle\nOne,a,x\nTwo,b,\n\nThree,c,\nFour,d,\n',
};

describe('makes videos of', () => {
  it.each(Object.entries(VIDEOS))('%s', (_, content) => {
    const reading = read(content);
    expect(askedIn(reading)).toEqual([]);
    expect(reading.errors).toEqual([]);
    expect(reading.rows.length).toBe(reading.rowCount);
  });
});

it('asks about a table with another order of columns only once it knows the columns', () => {
  // The same columns in other words are the header again.
  expect(askedIn(read('Titel,Nachricht\nOne,a\ntitle,message\nTwo,b\n'))).toEqual([]);
});
