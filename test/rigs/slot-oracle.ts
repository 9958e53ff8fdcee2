/** A batch to send, and everything that limits it. Moments are milliseconds. */
export interface OracleWorld {
  readonly now: number;
  /** The duration of each render, in the order of sending. */
  readonly renderMs: readonly number[];
  /** When the renders that are active at `now` will end. */
  readonly underWayEndsAt: readonly number[];
  /** Videos at a time. */
  readonly slots: number;
  /** From sending a request to the beginning of its render. */
  readonly roundTripMs: number;
  /** This many requests in any period of this length. */
  readonly windows: readonly { readonly limit: number; readonly windowMs: number }[];
  /** Requests before `now`. */
  readonly sentBefore: readonly number[];
  /** Videos until `endsAt`, and in the next cycle, which does not end. */
  readonly cycle: { readonly left: number; readonly endsAt: number; readonly next: number } | null;
}

/**
 * When each video is sent by an omniscient client that tries each moment at which anything changes.
 * Slow and simple: it shares no logic with the planner that is tested against it.
 */
export function oracleSends(world: OracleWorld): { sendAt: number[]; endAt: number[] } {
  const { now, renderMs, roundTripMs, windows, slots, cycle } = world;
  const sends = [...world.sentBefore];
  const ends = [...world.underWayEndsAt];
  const sendAt: number[] = [];
  const endAt: number[] = [];

  const isAllowed = (at: number): boolean => {
    const isSlotFree = ends.filter((end) => end > at).length < slots;
    const isInWindows = windows.every(
      ({ limit, windowMs }) => sends.filter((sent) => sent > at - windowMs).length < limit,
    );
    const hasQuota =
      cycle === null ||
      (at < cycle.endsAt
        ? sendAt.length < cycle.left
        : sendAt.filter((sent) => sent >= cycle.endsAt).length < cycle.next);
    return isSlotFree && isInWindows && hasQuota;
  };

  for (const ms of renderMs) {
    const from = Math.max(now, (sendAt.at(-1) ?? -Infinity) + roundTripMs);
    const moments = [
      from,
      ...ends,
      ...sends.flatMap((sent) => windows.map(({ windowMs }) => sent + windowMs)),
      ...(cycle === null ? [] : [cycle.endsAt]),
    ].filter((at) => at >= from);
    const at = moments.toSorted((one, other) => one - other).find(isAllowed);
    if (at === undefined) throw new Error('No moment is left at which anything could be sent.');
    sends.push(at);
    sendAt.push(at);
    ends.push(at + roundTripMs + ms);
    endAt.push(at + roundTripMs + ms);
  }
  return { sendAt, endAt };
}
