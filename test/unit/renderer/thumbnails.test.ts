import { expect, it } from 'vitest';
import type { Thumbnail } from '../../../src/contract/thumbnail.ts';
import { Thumbnails } from '../../../src/renderer/state/thumbnails.svelte.ts';

function rig() {
  const asked: string[] = [];
  const answers: PromiseWithResolvers<Thumbnail>[] = [];
  const thumbnail = ({ picture }: { picture: string }): Promise<Thumbnail> => {
    const answer = Promise.withResolvers<Thumbnail>();
    asked.push(picture);
    answers.push(answer);
    return answer.promise;
  };
  const client = { preview: { thumbnail } };
  return { asked, answers, thumbnails: new Thumbnails(client) };
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

it('a screen is filled from the top, and rows that are no longer shown are not requested', async () => {
  const { asked, answers, thumbnails } = rig();
  const ends = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((picture) => thumbnails.want(picture));
  await settled();
  expect(asked).toEqual(['a', 'b', 'c', 'd']);
  ends[4]!();
  answers[0]!.resolve({ kind: 'made', webp: 'QQ==' });
  await settled();
  expect(asked).toEqual(['a', 'b', 'c', 'd', 'f']);
  expect(thumbnails.urlOf('a')).toBe('data:image/webp;base64,QQ==');
  expect(thumbnails.urlOf('e')).toBeUndefined();
});

it('the rows that were shown last come before those that wait', async () => {
  const { asked, answers, thumbnails } = rig();
  for (const picture of ['a', 'b', 'c', 'd', 'e', 'f']) thumbnails.want(picture);
  await settled();
  for (const picture of ['k', 'l']) thumbnails.want(picture);
  await settled();
  for (const answer of answers.slice()) answer.resolve({ kind: 'none' });
  await settled();
  expect(asked).toEqual(['a', 'b', 'c', 'd', 'k', 'l', 'e', 'f']);
});

it('one picture of several rows is requested once', async () => {
  const { asked, answers, thumbnails } = rig();
  for (const picture of ['u', 'v', 'w', 'x']) thumbnails.want(picture);
  await settled();
  const [first, second] = [thumbnails.want('a'), thumbnails.want('a')];
  first();
  answers[0]!.resolve({ kind: 'none' });
  await settled();
  expect(asked).toEqual(['u', 'v', 'w', 'x', 'a']);
  expect(thumbnails.urlOf('u')).toBeNull();
  second();
  answers[4]!.resolve({ kind: 'made', webp: 'QQ==' });
  await settled();
  thumbnails.want('a');
  expect(asked).toEqual(['u', 'v', 'w', 'x', 'a']);
});

it('a lost connection leaves the others', async () => {
  const { answers, thumbnails } = rig();
  thumbnails.want('a');
  thumbnails.want('b');
  await settled();
  answers[0]!.reject(new Error('Lost.'));
  answers[1]!.resolve({ kind: 'made', webp: 'QQ==' });
  await settled();
  expect([thumbnails.urlOf('a'), thumbnails.urlOf('b')]).toEqual([
    null,
    'data:image/webp;base64,QQ==',
  ]);
});

it('keeps the latest 600', async () => {
  const { answers, thumbnails } = rig();
  for (let index = 0; index < 700; index += 1) {
    thumbnails.want(`picture ${index}`);
    await settled();
    answers.at(-1)!.resolve({ kind: 'made', webp: 'QQ==' });
    await settled();
  }
  expect(thumbnails.urlOf('picture 0')).toBeUndefined();
  expect(thumbnails.urlOf('picture 699')).toBeDefined();
});
