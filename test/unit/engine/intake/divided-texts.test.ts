/** Texts that a separator or a line break in them divides, since no quotation marks enclose them. */
import { describe, expect, it } from 'vitest';
import { textsOf } from '../../../../src/engine/intake/cell.ts';
import { findDividedTexts } from '../../../../src/engine/intake/tables/divided-texts.ts';
import { askedIn, askedRows, readTableText as read } from '../../../rigs/asked-rows.ts';

const H = 'title,message,subtitle\n';

const ASKED: Readonly<Record<string, readonly [content: string, asked: readonly string[]]>> = {
  'a sentence of which the comma takes the place of a missing cell': [
    `${H}One,a,x\nBig sale, today only,Come by\nThree,c,z\n`,
    ['divided 3'],
  ],
  'a sentence in the only row': [`${H}Big sale, today only,Come by\n`, ['divided 2']],
  'a sentence without its message': ['title,message\nHello, world\nTwo,b\n', ['divided 2']],
  'a sentence with a semicolon': [
    'Titel;Nachricht;Untertitel\nEins;a;x\nHeute; nur hier;b\n',
    ['divided 3'],
  ],
  'a price whose decimal comma takes the place of a missing cell': [
    `${H}One,a,x\nNur 19,90 €,Jetzt\nThree,c,z\n`,
    ['divided 3'],
  ],
  'a price with thousands, in a table that encloses others': [
    `${H}"A, b",x,y\nJetzt 1.299,00 €,z\nC,d,e\n`,
    ['divided 3'],
  ],
  'a price with an apostrophe': [`${H}One,a,x\nNur 1'299,50 CHF,z\nC,d,e\n`, ['divided 3']],
  'thousands after a currency': [`${H}One,a,x\nSale $1,299,Now\nC,d,e\n`, ['divided 3']],
  'thousands with a comma': [`${H}One,a,x\nOver 1,000 views,Watch\nThree,c,z\n`, ['divided 3']],
  'a sentence in a table that encloses others': [
    `${H}"One, two",a,x\nBig sale, today only,Come by\nThree,c,z\n`,
    ['divided 3'],
  ],
  'a comma without a space': [
    `${H}One,A dog,X\nBig sale,today only,Come by\nThree,Cats,Z\nFour,Dogs,Y\n`,
    ['divided 3'],
  ],
  'a comma without a space in two columns': [
    'title,message\nOne,A dog\nHello,world\nThree,Über alles\nFour,Dogs\n',
    ['divided 3'],
  ],
  'a message of two lines': [
    'title,message,seconds\nOne,a,4\nTwo,first line\nsecond line,5\nThree,c,6\n',
    ['divided 3-4'],
  ],
  'a message of four lines, one of them empty': [
    'title,message,seconds\nOne,a,4\nTwo,first line\nsecond\n\nfourth line,5\nThree,c,6\n',
    ['divided 3-6'],
  ],
  'a message of two lines between texts only': [
    `${H}One,a,x\nTwo,first line\nsecond line,y\nThree,c,z\nFour,d,w\nFive,e,v\n`,
    ['divided 3-4'],
  ],
  'a last text of three lines': [
    'title,message\nOne,first line\nsecond line\nthird line\nTwo,b\nThree,c\nFour,d\nFive,e\n',
    ['divided 3-4'],
  ],
  'a title of two lines': [
    'title,message\nOne,a\nfirst line\nsecond line,b\nThree,c\nFour,d\n',
    ['divided 3'],
  ],
  'two lines that tabs separate': [
    'title\tmessage\tsubtitle\nOne\ta\tx\nTwo\tfirst line\nsecond line\ty\nThree\tc\tz\nFour\td\tz\nFive\te\tz\n',
    ['divided 3-4'],
  ],
};

describe('asks about', () => {
  it.each(Object.entries(ASKED))('%s', (_, [content, asked]) => {
    const reading = read(content);
    expect(askedIn(reading)).toEqual(asked);
    const numbers = askedRows(reading);
    const named = reading.errors.filter(({ kind }) => kind === 'row-is-divided');
    expect(numbers).toEqual(expect.arrayContaining(named.map(({ row }) => row)));
    expect(named.length).toBeGreaterThan(0);
    expect(askedIn(read(content, { keepRows: numbers }))).toEqual([]);
    expect(askedIn(read(content, { skipRows: numbers }))).toEqual([]);
  });
});

const VIDEOS: Readonly<Record<string, string>> = {
  'cells that spaces separate as well': 'title, message, seconds\nOne, a, 4\nTwo, b, 5\n',
  'spaces in most rows': 'title,message\nOne, a\nTwo, b\nThree,c\n',
  'texts in quotation marks that begin with a space': `${H}One,a,x\n"Two"," b","y"\nThree,c,z\n`,
  'a space before a quotation mark': `${H}One,a,x\nTwo, "b",y\nThree,c,z\n`,
  'a space that a spreadsheet keeps before a text': `${H}"One, two",a,x\nTwo, Hello,y\nThree,c,z\n`,
  'a space before a value that other rows have': 'title,accent\nOne,blue\nTwo, blue\nThree,red\n',
  'a space before a number': 'title,seconds\nOne,5\nTwo, 6\nThree,7\n',
  'a text that ends with a backslash': `${H}One\\,a,x\nTwo,b,y\n`,
  'short rows that are whole': 'title,message,seconds\nOne,a\nTwo,b\nThree,c,6\nFour\nFive,e,4\n',
  'short rows without their last text': `${H}One,a\nTwo,b\nThree,c,x\nFour,d\n`,
  'a word in lower case among others': `${H}One,A dog,X\nTwo,a cat,Y\nThree,a cow,Z\nFour,Dogs,Y\n`,
  'a word in lower case among few': `${H}One,A dog,X\nTwo,a cat,Y\nThree,Cows,Z\n`,
  'a name in lower case': `${H}One,A dog,X\nTwo,iPhone 17,Y\nThree,Cows,Z\nFour,Dogs,Y\n`,
  'an address': `${H}One,A dog,X\nTwo,shop.example,Y\nThree,Cows,Z\nFour,Dogs,Y\n`,
  'lower case after the end of a sentence': `${H}One,A dog,X\nTwo!,today only,Y\nThree,Cows,Z\nFour,Dogs,Y\n`,
  'lower case in a table that encloses texts': `${H}"One, two",A dog,X\nTwo,today only,Y\nThree,Cows,Z\nFour,Dogs,Y\n`,
  'titles alone': 'title,message\nOne\nTwo\nThree,c\n',
  'lengths below lengths': 'title,seconds\nLevel 5,30\nLevel 6,40\n',
  'numbers beside words that begin with numbers': `${H}Top 5,3 reasons,x\nTop 10,10 ways,y\n`,
  'numbers that are enclosed': `${H}"Top 10","200 views","x"\n"Top 5","Watch now","y"\n`,
  'prices that are enclosed': `${H}"A","1.299,00","99 €"\n"Nur 5","20 € sparen","c"\n`,
  'folders of Windows': 'title,file,message\nOne,C:\\videos\\,a\nTwo,D:\\,b\n',
};

describe('does not ask about', () => {
  it.each(Object.entries(VIDEOS))('%s', (_, content) => {
    expect(askedIn(read(content))).toEqual([]);
  });
});

describe('texts that a database wrote', () => {
  it.each([
    [
      'with line breaks and tabs',
      'title\tmessage\nOne\tfirst\\\nsecond\nTwo\ta\\\tb\nThree\t\\N\nFour\tC:\\\\new\n',
      ['2 One | first\nsecond', '3 Two | a\tb', '4 Three | ', '5 Four | C:\\new'],
    ],
    [
      'with commas',
      'title,message\r\nBig\\, bigger,One\\\r\ntwo\r\nNext,b\r\n',
      ['2 Big, bigger | One\r\ntwo', '3 Next | b'],
    ],
  ])('arrive %s', (_, content, rows) => {
    const { errors, warnings, rows: found, files } = read(content);
    expect([errors, warnings]).toEqual([[], []]);
    expect(files[0]?.reading?.quotes).toBe('backslash');
    expect(
      found.map(({ row, values }) => {
        const { title = '', message = '' } = textsOf(values);
        return `${row} ${title} | ${message}`;
      }),
    ).toEqual(rows);
  });

  it('are asked about when backslashes are also elsewhere', () => {
    const reading = read('title\tmessage\nOne\tfirst\\\nsecond\nTwo\tb\nThree\tends\\\n');
    expect(askedIn(reading)).toEqual(['divided 3']);
  });
});

describe('the search for divided texts', () => {
  it.each([
    ['sentences', (at: number) => (at % 3 === 0 ? ['a', ` b${at}`, 'c'] : ['a', 'b', 'c'])],
    ['numbers', () => ['Nur 19', '90 €', 'c']],
    ['lines', (at: number) => (at % 4 === 0 ? ['a', 'b'] : ['a', 'b', 'c'])],
  ])('reads each row a few times only: %s', (_, cellsOf) => {
    let reads = 0;
    const rows = Array.from({ length: 2000 }, (_each, at) => ({
      row: at + 2,
      get cells() {
        reads += 1;
        return at === 1999 ? ['end', 'words only', 'c'] : cellsOf(at);
      },
    }));
    const header = ['title', 'message', 'subtitle'];
    const table = {
      headerRow: 1,
      header,
      rows,
      leftOut: [],
      undecided: [],
      gap: null,
      isSideways: false,
    };
    const spaced = new Set(rows.map(({ row }) => row));
    findDividedTexts(
      table,
      { separator: ',', spaced, encloses: false, lineOf: () => 'Nur 19,90 €,c' },
      {},
    );
    expect(reads).toBeLessThan(30 * rows.length);
  });
});
