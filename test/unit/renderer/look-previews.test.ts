import { describe, expect, it } from 'vitest';
import type { Frame } from '../../../src/contract/frame.ts';
import { LookPreviews } from '../../../src/renderer/state/look-previews.svelte.ts';
import { FAKE_FRAME } from '../../rigs/fake-frame.ts';

/** Previews with answers that the test gives. */
function rig() {
  const asked: unknown[] = [];
  const answers: PromiseWithResolvers<Frame>[] = [];
  const frame = ({ request }: { request: unknown }): Promise<Frame> => {
    const answer = Promise.withResolvers<Frame>();
    asked.push(request);
    answers.push(answer);
    return answer.promise;
  };
  return { asked, answers, previews: new LookPreviews({ preview: { frame } }) };
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('the looks of a request', () => {
  it('are drawn one at a time, whatever look the request has', async () => {
    const { asked, answers, previews } = rig();
    const shown = previews.show({ title: 'A', look: 'stage' }, ['market', 'stage']);
    expect(asked).toEqual([{ title: 'A', look: 'market' }]);
    answers[0]!.resolve(FAKE_FRAME);
    await settled();
    expect([...previews.frames.keys()]).toEqual(['market']);
    answers[1]!.reject(new Error('gone'));
    await shown;
    expect(previews.frames.get('stage')).toEqual({ kind: 'unavailable' });
    // Another look of the same video changes no frame.
    await previews.show({ title: 'A', look: 'market' }, ['market', 'stage']);
    expect(asked).toHaveLength(2);
  });

  it('are abandoned when another request is shown', async () => {
    const { asked, answers, previews } = rig();
    const first = previews.show({ title: 'A' }, ['market', 'stage']);
    void previews.show({ title: 'B' }, ['market']);
    answers[0]!.resolve(FAKE_FRAME);
    await first;
    expect([...previews.frames]).toEqual([]);
    answers[1]!.resolve(FAKE_FRAME);
    await settled();
    expect([...previews.frames.keys()]).toEqual(['market']);
    expect(asked).toEqual([
      { title: 'A', look: 'market' },
      { title: 'B', look: 'market' },
    ]);
  });
});
