import { expect, test } from 'vitest';
import { type Link, SignedUrls } from '../../../src/local-service/videos/signed-urls.ts';
import { ManualClock } from '../../integration/local-service/rig.ts';

const MINUTE = 60_000;
const ID = `vid_${'a'.repeat(22)}`;

function openLinks() {
  const clock = new ManualClock();
  const links = new SignedUrls(Buffer.alloc(32, 1), clock);
  const check = ({ pathAndQuery }: Link): string => {
    const { pathname, searchParams } = new URL(pathAndQuery, 'https://localhost');
    const [, , kind, id = ''] = pathname.split('/');
    return links.check({
      kind: kind === 'video' ? 'video' : 'poster',
      id,
      expiresAt: Number(searchParams.get('expires')),
      signature: searchParams.get('signature') ?? '',
    });
  };
  return { clock, links, check };
}

test('the link to a poster stays the same for a minute, and is always valid for another hour', () => {
  const { clock, links, check } = openLinks();
  const first = links.toPoster(ID);
  clock.advance(MINUTE / 2);
  expect(links.toPoster(ID)).toEqual(first);
  for (let minute = 0; minute < 90; minute += 1) {
    clock.advance(MINUTE);
    const link = links.toPoster(ID);
    expect(check(link)).toBe('valid');
    expect(link.expiresAt - clock.now()).toBeGreaterThanOrEqual(60 * MINUTE);
    expect(link.expiresAt - clock.now()).toBeLessThan(61 * MINUTE);
  }
  expect(check(first)).toBe('expired');
});

test('each poster has its own link, however many there are', () => {
  const { links, check } = openLinks();
  const ids = Array.from({ length: 1100 }, (_, n) => `vid_${String(n).padStart(22, '0')}`);
  const all = ids.map((id) => links.toPoster(id));
  expect(new Set(all.map(({ pathAndQuery }) => pathAndQuery)).size).toBe(1100);
  for (const link of all) expect(check(link)).toBe('valid');
});
