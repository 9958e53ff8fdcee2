import { describe, expect, it } from 'vitest';
import { readBatch } from '../../src/engine/intake/read-batch.ts';
import { storyboardProfile } from '../../src/engine/profiles/storyboard.ts';
import { storyboardSchema } from '../../src/local-service/rendering/storyboard.ts';

const { request } = storyboardProfile;

/** What is wrong with one video, before it is added. */
function errorsOf(row: object) {
  const content = JSON.stringify([{ title: 'A title', ...row }]);
  return readBatch({ name: 'one.json', content }, request, {}).errors;
}

/** Whether the service on this computer renders it. */
function isRendered(aspect: string, resolution: number, duration: number): boolean {
  const scenes = [{ kind: 'title', text: 'A title' }];
  return storyboardSchema.safeParse({ title: 'A title', aspect, resolution, duration, scenes })
    .success;
}

/** The longest video that the service renders, in seconds. */
function longest(aspect: string, resolution: number): number {
  let seconds = 600;
  while (!isRendered(aspect, resolution, seconds)) seconds -= 1;
  return seconds;
}

const options = (name: string): readonly (string | number)[] => {
  const column = request.columns[name];
  return column?.type === 'choice' ? column.options : [];
};
const SIZES = options('aspect').flatMap((aspect) =>
  options('resolution').map((resolution) => [String(aspect), Number(resolution)] as const),
);

describe('a plan refuses what this computer would not render', () => {
  it.each(SIZES)('%s at %i: the longest video, and no longer one', (aspect, resolution) => {
    const seconds = longest(aspect, resolution);
    expect(errorsOf({ aspect, resolution, seconds })).toEqual([]);
    if (seconds === 600) return;
    expect(errorsOf({ aspect, resolution, seconds: seconds + 1 })).toMatchObject([
      { column: 'seconds', cell: String(seconds + 1), kind: 'cell-above-with' },
    ]);
  });

  it('says the most, and with what', () => {
    const [error] = errorsOf({ Resolution: '4k', 'Length in seconds': 600 });
    expect(error?.message).toContain(
      '“600” is too much with Resolution 2160, aspect 16:9: at most 75.',
    );
  });
});
