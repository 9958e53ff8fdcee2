import { MIN_LEG, MIN_TRIP, serverOf, slotServerOf } from './scenario.ts';
import type { Scenario } from './scenario.ts';

/**
 * The least time in which the batch can be saved, in milliseconds, by a client that knows the
 * service's counter: it sends each request at the earliest moment at which the service accepts it,
 * notices a finished video at once, and never leaves the bandwidth idle.
 *
 * Submissions are in order, at least one round trip apart. A service with slots accepts one only
 * after a render has ended, the client has learned that and its request has arrived. A video is
 * ready one render time after its submission; links are granted in the order in which videos are
 * ready, at times d_k. All files from the k-th link on are transferred after it: max over k of d_k
 * + Σ_{j ≥ k} size_j ÷ bandwidth.
 */
export function lowerBound(scenario: Scenario): number {
  const { startAt, renderMs, bytes, bytesPerMs } = scenario;
  const gapMs = scenario.roundTripMs * MIN_TRIP;
  const generate = serverOf(scenario, 'generate');
  const ready: { at: number; bytes: number }[] = [];
  const slots = slotServerOf(scenario);
  // The response that reports the end must come back, and the next request must arrive.
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
