import { MIN_LEG, MIN_TRIP, serverOf, slotServerOf } from './scenario.ts';
import type { Scenario } from './scenario.ts';

/**
 * The least time in which the batch can be saved, in milliseconds: by a client that sees the
 * service's counter and so asks at the very moment at which it will be accepted, notices a finished
 * video at once, and never lets the line idle.
 *
 * Submissions go in order, one round trip apart (`e`), and where only so many videos are rendered at a
 * time, no sooner than a render has ended, that is known here and the request is there; videos are ready a render later (`r`); links
 * are granted in the order in which videos are ready, one each (`d`). Everything from the k-th link
 * on has to come through the line after it: max over k of d_k + Σ_{j ≥ k} size_j ÷ bandwidth.
 */
export function lowerBound(scenario: Scenario): number {
  const { startAt, renderMs, bytes, bytesPerMs } = scenario;
  const gapMs = scenario.roundTripMs * MIN_TRIP;
  const generate = serverOf(scenario, 'generate');
  const ready: { at: number; bytes: number }[] = [];
  const slots = slotServerOf(scenario);
  // An answer has to come back and a request to get there.
  const turnaroundMs = 2 * MIN_LEG * gapMs;
  let from = startAt;
  for (const [job, render] of renderMs.entries()) {
    let at = generate.opensAt(from);
    for (let opensAt = slots?.opensAt(at) ?? at; opensAt > at; opensAt = slots?.opensAt(at) ?? at)
      at = generate.opensAt(opensAt);
    generate.ask(at);
    slots?.take(at, render + turnaroundMs);
    ready.push({ at: at + render, bytes: bytes[job]! });
    from = at + gapMs;
  }

  const download = serverOf(scenario, 'download');
  ready.sort((a, b) => a.at - b.at);
  let linkAt = startAt;
  const links = ready.map((video) => {
    linkAt = download.opensAt(Math.max(linkAt, video.at));
    download.ask(linkAt);
    return { at: linkAt, bytes: video.bytes };
  });

  let bytesAfter = 0;
  let bound = 0;
  for (const link of links.toReversed()) {
    bytesAfter += link.bytes;
    bound = Math.max(bound, link.at - startAt + bytesAfter / bytesPerMs);
  }
  return bound;
}
