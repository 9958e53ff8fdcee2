import { createCanvas } from '@napi-rs/canvas';
import { describe, expect, it } from 'vitest';
import { embeddedPreview } from '../../../../src/engine/pictures/jpeg-header.ts';
import { readPictureHeader } from '../../../../src/engine/pictures/picture-header.ts';
import { jpegWithPreview, noisePng, turnedJpeg } from '../../../rigs/pictures.ts';

const JPEG = createCanvas(40, 20).toBuffer('image/jpeg');

function svg(content: string, attributes = 'width="40" height="20"') {
  return readPictureHeader(
    Buffer.from(
      `<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg" ${attributes}>${content}</svg>\n`,
    ),
  );
}

it.each([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])(
  'a JPEG has the orientation %d, if there is such',
  (said) => {
    const orientation = said === 0 || said === 9 ? 1 : said;
    for (const jpeg of [turnedJpeg(JPEG, said), jpegWithPreview(JPEG, JPEG, said)])
      expect(readPictureHeader(jpeg)).toMatchObject({ width: 40, orientation });
  },
);

it('what a photo contains in a smaller size is turned as the photo', () => {
  const small = createCanvas(20, 10).toBuffer('image/jpeg');
  const preview = embeddedPreview(jpegWithPreview(JPEG, small, 8));
  expect(readPictureHeader(preview!)).toMatchObject({ width: 20, height: 10, orientation: 8 });
  expect(embeddedPreview(JPEG)).toBeUndefined();
  expect(embeddedPreview(turnedJpeg(JPEG, 6))).toBeUndefined();
});

it('a photo cut off anywhere is read without an error', () => {
  const photo = jpegWithPreview(JPEG, createCanvas(20, 10).toBuffer('image/jpeg'), 8);
  for (let length = 0; length < photo.length; length += 1) {
    const cut = photo.subarray(0, length);
    embeddedPreview(cut);
    expect(readPictureHeader(cut)?.isComplete ?? false).toBe(false);
  }
});

it('transparent parts are possible in some PNG and WebP pictures', () => {
  expect(readPictureHeader(createCanvas(9, 9).toBuffer('image/png'))?.hasAlpha).toBe(true);
  expect(readPictureHeader(noisePng(9, 9))?.hasAlpha).toBe(false);
  expect(readPictureHeader(createCanvas(9, 9).toBuffer('image/webp'))?.hasAlpha).toBe(true);
  expect(readPictureHeader(JPEG)?.hasAlpha).toBe(false);
});

describe('a drawing', () => {
  it.each([
    ['width="40" height="20"', 40, 20],
    ['width="40px" height="20.5px"', 40, 21],
    ['viewBox="0 0 300 150"', 300, 150],
    ['width="100%" viewBox="0,0,300,150"', 300, 150],
    ['', 512, 512],
  ])('has the size that %s says', (attributes, width, height) => {
    expect(svg('', attributes)).toMatchObject({ format: 'svg', width, height, isActive: false });
  });

  it.each([
    '<script>x</script>',
    '<SCRIPT href="a.js"/>',
    '<foreignObject><p>x</p></foreignObject>',
    '<rect onclick="x()"/>',
    '<image href="file:///etc/passwd"/>',
    '<image xlink:href="http://127.0.0.1/a.png"/>',
    '<image href=a.png />',
    '<use href="other.svg#a"/>',
    '<style>@import "a.css";</style>',
    '<rect fill="url(http://a.example/x)"/>',
    '<a href="javascript:x">x</a>',
  ])('with %s is active', (content) => {
    expect(svg(content)?.isActive).toBe(true);
  });

  it.each([
    '<defs><path id="a" d="M0 0h9"/></defs><use href="#a"/>',
    '<rect fill="url(#gradient)"/>',
    '<image href="data:image/png;base64,AAAA"/>',
    '<text>on air = now</text>',
  ])('with %s is not', (content) => {
    expect(svg(content)?.isActive).toBe(false);
  });

  it('with entities is active', () => {
    const text = '<!DOCTYPE svg [<!ENTITY a "b">]><svg xmlns="http://www.w3.org/2000/svg"></svg>';
    expect(readPictureHeader(Buffer.from(text))?.isActive).toBe(true);
  });

  const DRAWING = '<svg xmlns="http://www.w3.org/2000/svg"></svg>';

  it.each([
    'text about <svg> drawings',
    '<svg xmlns="http://www.w3.org/2000/svg" width="0" height="20"></svg>',
    '<html><p>',
    `<html>${DRAWING}`,
    `<!-- ${DRAWING} --><html></html>`,
    `<!doctype html><body>${DRAWING}`,
  ])('is not %s', (text) => {
    expect(readPictureHeader(Buffer.from(text))).toBeUndefined();
  });

  it.each([
    `\ufeff\n${DRAWING}`,
    `<?xml version="1.0"?><!-- <html> -->${DRAWING}`,
    `<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/svg11.dtd">${DRAWING}`,
  ])('is %s', (text) => {
    expect(readPictureHeader(Buffer.from(text))).toMatchObject({ format: 'svg', isActive: false });
  });
});

it('an AVIF whose pixels are cut off is incomplete', () => {
  const avif = createCanvas(40, 20).toBuffer('image/avif');
  expect(readPictureHeader(avif)).toMatchObject({ width: 40, isComplete: true });
  expect(readPictureHeader(avif.subarray(0, avif.length - 1))).toMatchObject({ isComplete: false });
});

it('a PNG whose text speaks of an animation is none', () => {
  const png = noisePng(8, 8);
  const text = Buffer.from('About\0acTL, tRNS', 'latin1');
  const chunk = Buffer.alloc(12 + text.length);
  chunk.writeUInt32BE(text.length, 0);
  chunk.write('tEXt', 4, 'latin1');
  text.copy(chunk, 8);
  const noted = Buffer.concat([png.subarray(0, 33), chunk, png.subarray(33)]);
  expect(readPictureHeader(noted)).toMatchObject({
    isAnimated: false,
    hasAlpha: false,
    isComplete: true,
  });
});
