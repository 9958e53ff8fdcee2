import { describe, expect, it } from 'vitest';
import type { Frame } from '../../../src/contract/frame.ts';
import { FramePreview } from '../../../src/renderer/state/frame-preview.svelte.ts';
import { FAKE_FRAME } from '../../rigs/fake-frame.ts';

/** A preview with answers that the test resolves. */
function rig() {
  const asked: unknown[] = [];
  const answers: PromiseWithResolvers<Frame>[] = [];
  const frame = ({ request }: { request: unknown }): Promise<Frame> => {
    const answer = Promise.withResolvers<Frame>();
    asked.push(request);
    answers.push(answer);
    return answer.promise;
  };
  const preview = new FramePreview({ preview: { frame } });
  return { asked, answers, preview };
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('the frame of a request', () => {
  it('asks for one frame at a time, and then for the request shown last', async () => {
    const { asked, answers, preview } = rig();
    for (const title of ['A', 'Ab', 'Abc']) preview.show({ title }, title);
    expect(asked).toEqual([{ title: 'A' }]);
    answers[0]!.resolve(FAKE_FRAME);
    await settled();
    expect([asked, preview.frame]).toEqual([[{ title: 'A' }, { title: 'Abc' }], null]);
    answers[1]!.resolve(FAKE_FRAME);
    await settled();
    expect([preview.frame, preview.title, preview.isDrawing]).toEqual([FAKE_FRAME, 'Abc', false]);
  });

  it('asks once for a request that stays the same', async () => {
    const { asked, answers, preview } = rig();
    preview.show({ title: 'A' }, 'A');
    answers[0]!.resolve(FAKE_FRAME);
    await settled();
    preview.show({ title: 'A' }, 'A');
    expect(asked).toHaveLength(1);
  });

  it('is unavailable when the connection is lost, and retries when asked to', async () => {
    const { answers, preview } = rig();
    preview.show({ title: 'A' }, 'A');
    answers[0]!.reject(new Error('gone'));
    await settled();
    expect(preview.frame).toEqual({ kind: 'unavailable' });
    preview.retry();
    answers[1]!.resolve(FAKE_FRAME);
    await settled();
    expect(preview.frame).toEqual(FAKE_FRAME);
  });

  it('shows no frame that was cleared while it was drawn', async () => {
    const { answers, preview } = rig();
    preview.show({ title: 'A' }, 'A');
    preview.clear();
    answers[0]!.resolve(FAKE_FRAME);
    await settled();
    expect([preview.frame, preview.isDrawing]).toEqual([null, false]);
  });
});
