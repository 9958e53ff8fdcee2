import type {
  ActivityEntry,
  ActivityFilter,
  ActivityKind,
  QuotaUnit,
} from '../../src/contract/activity.ts';
import type { CostSum } from '../../src/contract/costs.ts';
import type { HistoryEntry, Job } from '../../src/contract/job.ts';
import type { Commands } from '../../src/engine/commands/handlers.ts';
import { kindOf } from '../../src/engine/jobs/job-events.ts';

interface FakePast {
  readonly jobs: () => readonly Job[];
  readonly batchName: (batchId: string) => string;
  readonly historyOf: (job: Job) => readonly HistoryEntry[];
  /** What videos cost, where the quota does not count them. */
  readonly costs?: (videos: number) => CostSum['amounts'];
  readonly corrections: () => readonly { readonly at: number; readonly used: number }[];
}

/** A fake engine's history, derived from the states of its jobs. */
export function fakePast({
  jobs,
  batchName,
  historyOf,
  corrections,
  costs,
}: FakePast): Commands['activity'] {
  const events = (): ActivityEntry[] =>
    [
      ...jobs().flatMap((job) =>
        historyOf(job).flatMap(({ at, from, to, event, note }, step): ActivityEntry[] => {
          const kind = kindOf(event);
          return kind === null
            ? []
            : [
                {
                  id: `${job.id}-${step}`,
                  at,
                  kind,
                  job: {
                    id: job.id,
                    title: job.title,
                    batchId: job.batchId,
                    batchName: batchName(job.batchId),
                    from,
                    to,
                    event,
                  },
                  note,
                  units: kind === 'sent' ? 1 : 0,
                  used: null,
                },
              ];
        }),
      ),
      ...corrections().map(({ at, used }): ActivityEntry => ({
        id: `quota-${at}`,
        at,
        kind: 'quota-corrected',
        job: null,
        note: null,
        units: 2,
        used,
      })),
    ].toSorted((a, b) => b.at - a.at);

  const units = (): QuotaUnit[] =>
    jobs()
      .filter((job) => job.submittedAt !== null)
      .map((job): QuotaUnit => ({
        id: job.id,
        at: job.submittedAt!,
        quota: job.state === 'uncertain' ? 'held' : job.state === 'failed' ? 'refunded' : 'charged',
        job: { id: job.id, title: job.title, batchName: batchName(job.batchId) },
        bought: {
          state: job.state,
          bytes: job.file?.bytes ?? null,
          seconds: job.file?.durationSeconds ?? null,
          savedAt: job.savedAt,
        },
      }))
      .toSorted((a, b) => b.at - a.at);

  const batchIdOf = (id: string): string => jobs().find((job) => job.id === id)?.batchId ?? '';

  const answers = (
    { kinds, batchId, search, from, to }: ActivityFilter,
    at: number,
    title: string,
    batch: string | null,
    kind: ActivityKind | null,
  ): boolean =>
    (kind === null || (kinds?.includes(kind) ?? true)) &&
    (batchId === undefined || batch === batchName(batchId)) &&
    (search === undefined || title.toLowerCase().includes(search.toLowerCase())) &&
    at >= (from ?? 0) &&
    at < (to ?? Infinity);

  const pageOf = <Entry>(all: readonly Entry[], after: string | undefined, limit: number) => {
    const first = Number(after ?? 0);
    const next = first + limit < all.length ? String(first + limit) : null;
    return { found: all.slice(first, first + limit), next };
  };

  const listed = (filter: ActivityFilter): ActivityEntry[] =>
    events().filter(({ at, job, kind }) =>
      answers(filter, at, job?.title ?? '', job?.batchName ?? null, kind),
    );
  const bought = (filter: ActivityFilter): QuotaUnit[] =>
    units().filter(({ at, job }) => answers(filter, at, job.title, job.batchName, null));

  return {
    costs({ by }) {
      const charged = units().filter(({ quota }) => quota === 'charged');
      const keyOf = ({ at, job }: QuotaUnit): string => {
        const date = new Date(at);
        if (by === 'month') return `${date.toISOString().slice(0, 7)}-01`;
        if (by === 'batch') return batchIdOf(job.id);
        if (by === 'service') return 'https://video.example.com';
        date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 6) % 7));
        return date.toISOString().slice(0, 10);
      };
      const sums = [...Map.groupBy(charged, keyOf)].map(([key, each]) => ({
        key,
        name: by === 'batch' ? batchName(key) : null,
        videos: each.length,
        amounts: costs?.(each.length) ?? [],
      }));
      return { sums: sums.toSorted((a, b) => (a.key < b.key ? -1 : 1)) };
    },
    list(input) {
      const { found, next } = pageOf(listed(input), input.after, input.limit);
      return { entries: found, next };
    },
    units(input) {
      const { found, next } = pageOf(bought(input), input.after, input.limit);
      return { units: found, next };
    },
    async *export(input) {
      const rows = input.what === 'quota' ? bought(input) : listed(input);
      for (const row of rows) yield await Promise.resolve({ text: `${JSON.stringify(row)}\n` });
    },
  };
}
