import { expect, test } from 'vitest';
import type { JobCounts } from '../../../../src/contract/batch.ts';
import { noCounts } from '../../../../src/engine/jobs/state-counts.ts';
import { ServiceList } from '../../../../src/engine/view/service-list.ts';

const A = 'https://a.example';
const B = 'https://b.example';

function setUp() {
  const database: { origin: string; counts: JobCounts }[] = [
    { origin: A, counts: { ...noCounts(), queued: 2 } },
  ];
  const list = new ServiceList({ counts: () => structuredClone(database) });
  const shown = (...open: Parameters<ServiceList['all']>[0]): unknown[] =>
    list.all(open).map(({ name, origin, counts }) => [name, origin, counts.queued]);
  return { list, database, shown };
}

test('a service that is set up keeps its name and shows its stored jobs; another one is named by its host', () => {
  const { list, shown } = setUp();
  expect(shown()).toEqual([['a.example', A, 2]]);

  list.setKnown([
    { name: 'Studio', origin: A, isLocal: false },
    { name: 'This computer', origin: B, isLocal: true },
  ]);
  expect(shown()).toEqual([
    ['Studio', A, 2],
    ['This computer', B, 0],
  ]);
  expect(list.all([]).map(({ isLocal }) => isLocal)).toEqual([false, true]);
});

test('jobs of a service without a session are counted again when a session opens or closes', () => {
  const { list, database, shown } = setUp();
  const open = { name: 'Open', origin: B, isLocal: false, flow: null, batches: [] };
  expect(shown()).toEqual([['a.example', A, 2]]);
  database[0] = { origin: A, counts: { ...noCounts(), queued: 1 } };
  expect(shown({ ...open, counts: { ...noCounts(), queued: 7 } })).toEqual([
    ['a.example', A, 2],
    ['Open', B, 7],
  ]);

  list.sessionsChanged();
  expect(shown()).toEqual([['a.example', A, 1]]);
});

test('only a change of the services that are set up is one', () => {
  const { list } = setUp();
  const known = { name: 'Studio', origin: A, isLocal: false };
  expect(list.setKnown([known])).toBe(true);
  expect(list.setKnown([{ ...known }])).toBe(false);
  expect(list.setKnown([{ ...known, name: 'Mine' }])).toBe(true);
});
