import { hash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { GlobalFonts } from '@napi-rs/canvas';
import { expect, it } from 'vitest';
import { familyOf } from '../../../../src/local-service/rendering/own-font.ts';
import {
  drawPoster,
  renderToFiles,
} from '../../../../src/local-service/rendering/render-to-files.ts';
import { rectangles, sfnt } from '../../../rigs/fonts.ts';
import { storyboard } from '../../../rigs/storyboards.ts';
import { temporaryFolder } from '../../../rigs/temporary-folder.ts';

const FONTS = path.join(import.meta.dirname, '../../../../resources/fonts');
const SERIF = { own: path.join(FONTS, 'newsreader-latin.woff2') };
const font = { asset: 'own' };

const poster = (fields: Record<string, unknown>, imageFiles = {}) =>
  drawPoster({ storyboard: storyboard(fields), imageFiles, memoryBytes: Infinity });
const titled = (text: string) => ({ scenes: [{ kind: 'title', text, seconds: 2 }] });

it('a font of the user’s own is that of every text, in the preview and in the video', async () => {
  const plain = await poster(titled('Hamburg'));
  const drawn = await poster({ ...titled('Hamburg'), font }, SERIF);
  expect(drawn.equals(plain)).toBe(false);
  const folder = temporaryFolder();
  const [videoPath, posterPath] = [path.join(folder, 'v.mp4'), path.join(folder, 'v.jpg')];
  await renderToFiles(
    {
      storyboard: storyboard({ ...titled('Hamburg'), font }),
      imageFiles: SERIF,
      memoryBytes: Infinity,
      videoPath,
      posterPath,
    },
    () => undefined,
    new AbortController().signal,
  );
  expect(readFileSync(posterPath).equals(drawn)).toBe(true);
  expect(GlobalFonts.has(familyOf('own'))).toBe(false);
});

it('characters that it lacks are drawn as without it', async () => {
  const plain = await poster(titled('ΩμέγαПривет🚀'));
  expect((await poster({ ...titled('ΩμέγαПривет🚀'), font }, SERIF)).equals(plain)).toBe(true);
});

it('captions stay in a font that is easy to read', async () => {
  const fields = { ...titled('Ωμέγα'), captions: 'Hamburg' };
  expect((await poster({ ...fields, font }, SERIF)).equals(await poster(fields))).toBe(true);
});

it('a damaged font is an error before anything is drawn', async () => {
  const file = path.join(temporaryFolder(), 'font');
  for (const [bytes, reason] of [
    [Buffer.concat([Buffer.from('OTTO'), Buffer.alloc(500, 7)]), 'is damaged'],
    [Buffer.from('RIFF'), 'is not a font, or too large'],
  ] as const) {
    writeFileSync(file, bytes);
    await expect(poster({ ...titled('A'), font }, { own: file })).rejects.toThrow(
      `The file of the font ${reason}.`,
    );
  }
});

const BOX = { left: 50, bottom: 0, right: 550, top: 700 };

it('a font whose letters are not seen, or hide others, is an error instead of an empty picture', async () => {
  const folder = temporaryFolder();
  const drawn = (tables: ReturnType<typeof rectangles>) => {
    const bytes = sfnt(tables);
    // As uploads, each has a name that no other has.
    const asset = hash('sha1', bytes);
    const file = path.join(folder, asset);
    writeFileSync(file, bytes);
    return poster({ ...titled('A B'), font: { asset } }, { [asset]: file });
  };
  const dash = { ...BOX, bottom: 300, top: 340 };
  for (const box of [BOX, dash]) await expect(drawn(rectangles(box))).resolves.toBeDefined();
  for (const tables of [
    rectangles(null),
    rectangles(BOX, 0),
    rectangles({ ...BOX, right: 55, top: 5 }),
    rectangles({ ...BOX, bottom: -3000, top: 4000 }),
  ]) {
    await expect(drawn(tables)).rejects.toThrow('its letters cannot be seen');
  }
});
