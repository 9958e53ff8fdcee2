/** A batch to send, and everything that limits it. Moments are milliseconds. */
export interface OracleWorld {
  readonly now: number;
  /** How long each video is rendered, in the order in which they are sent. */
  readonly renderMs: readonly number[];
  /** When those under way at `now` will end. */
  readonly underWayEndsAt: readonly number[];
  /** Videos at a time. */
  readonly slots: number;
  /** From sending a request to the moment at which its render begins. */
  readonly roundTripMs: number;
  /** So many requests in any stretch of that length. */
  readonly windows: readonly { readonly limit: number; readonly windowMs: number }[];
  /** Requests of before `now`. */
  readonly sentBefore: readonly number[];
  /** Videos until `cycleEndsAt`, and in the cycle after it, which does not end. */
  readonly cycle: { readonly left: number; readonly endsAt: number; readonly next: number } | null;
}

/**
 * When each video is sent by somebody who knows all of that and tries each moment at which anything
 * changes, one after the other. Slow and simple: it shares no idea with the planner that is tested
 * against it.
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
