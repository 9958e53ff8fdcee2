import { describe, expect, it } from 'vitest';
import { searchList } from '../../../../src/engine/flow/list-search.ts';
import type { ListedVideo, ListOutcome } from '../../../../src/engine/service/outcomes.ts';

const SENT = Date.UTC(2026, 4, 4, 9);
const RESPONSE = { status: 200, headers: {}, body: '', sentAt: 0, receivedAt: 0 };

function video(remoteId: string, ownId: string | null = null, createdAt: number | null = null) {
  return { remoteId, ownId, createdAt };
}

/** A list of these pages, and the requested cursors. */
function listOf(pages: readonly (readonly ListedVideo[])[]) {
  const asked: (string | null)[] = [];
  const page = (cursor: string | null): Promise<ListOutcome> => {
    asked.push(cursor);
    const index = Number(cursor ?? 0);
    const next = index + 1 < pages.length ? String(index + 1) : null;
    const videos = pages[index] ?? [];
    return Promise.resolve({ kind: 'page', videos, cursor: next, response: RESPONSE });
  };
  return { asked, page };
}

describe('searchList', () => {
  it('finds our video among those of others, on any page', async () => {
    const { page } = listOf([
      [video('a', 'theirs'), video('b')],
      [video('c', 'OURS'), video('d', 'ours')],
    ]);
    const reading = await searchList(new Set(['ours']), SENT, page);
    expect(reading).toMatchObject({ kind: 'read', reachesBack: true, videos: 4 });
    if (reading.kind === 'read') {
      expect([...reading.found.keys()]).toEqual(['ours']);
      expect(reading.found.get('ours')?.map(({ remoteId }) => remoteId)).toEqual(['d']);
    }
  });

  it('stops after a page that has only earlier videos', async () => {
    const { page, asked } = listOf([
      [video('a', null, SENT + 1), video('old', null, SENT - 1)],
      [video('b', null, SENT - 2), video('c', null, SENT - 3)],
      [video('d', 'ours', SENT - 4)],
    ]);
    const reading = await searchList(new Set(['ours']), SENT, page);
    expect(reading).toMatchObject({ kind: 'read', reachesBack: true });
    expect(asked).toEqual([null, '1']);
  });

  it('continues if times are missing, and after an empty page', async () => {
    const { page, asked } = listOf([[], [video('b', null, null)], [video('d', 'ours')]]);
    const reading = await searchList(new Set(['ours']), SENT, page);
    expect(reading.kind === 'read' && reading.found.size).toBe(1);
    expect(asked).toHaveLength(3);
  });

  it('lists a video on two pages once, and every video with our identifier', async () => {
    const { page } = listOf([[video('a', 'ours'), video('b', 'ours')], [video('a', 'ours')]]);
    const reading = await searchList(new Set(['ours']), SENT, page);
    expect(reading.kind === 'read' && reading.found.get('ours')).toHaveLength(2);
  });

  it('stops at a repeated cursor, and does not report the whole list as read', async () => {
    let asked = 0;
    const reading = await searchList(new Set(['ours']), SENT, (cursor) => {
      asked += 1;
      const next = cursor === 'x' ? 'y' : 'x';
      return Promise.resolve({ kind: 'page', videos: [], cursor: next, response: RESPONSE });
    });
    expect(reading).toMatchObject({ kind: 'read', reachesBack: false });
    expect(asked).toBe(3);
  });

  it.each([
    ['pages without an end', 1, 50],
    ['huge pages', 5000, 2],
  ])('reads a bounded part of %s', async (_name, size, pages) => {
    let asked = 0;
    const reading = await searchList(new Set(['ours']), SENT, () => {
      asked += 1;
      const videos = Array.from({ length: size }, (_, index) => video(`${asked}-${index}`));
      return Promise.resolve({ kind: 'page', videos, cursor: String(asked), response: RESPONSE });
    });
    expect(reading).toMatchObject({ kind: 'read', reachesBack: false });
    expect(asked).toBe(pages);
  });

  it('reports no findings when a page could not be read', async () => {
    const { page } = listOf([[video('a', 'ours')], []]);
    const trouble = { kind: 'rate-limited', response: RESPONSE } as const;
    const reading = await searchList(new Set(['ours']), SENT, (cursor) =>
      cursor === null ? page(null) : Promise.resolve(trouble),
    );
    expect(reading).toEqual(trouble);
    const stopped = await searchList(new Set(['ours']), SENT, () => Promise.resolve(null));
    expect(stopped).toEqual({ kind: 'stopped' });
  });
});
