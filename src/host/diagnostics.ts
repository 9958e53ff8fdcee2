import { arch, release } from 'node:os';
import type { Summary } from '../contract/summary.ts';
import { redact } from './redact.ts';

export interface DiagnosticFacts {
  readonly summary: Summary;
  /** The newest lines of the log. */
  readonly log: readonly string[];
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly versions: Readonly<Record<string, string | undefined>>;
}

/**
 * Diagnostics as a text to paste into a support request: no key, no signed link, no title or name
 * given by the user; folders only as "usual" or not.
 */
export function diagnosticsText({ summary, log, now, versions }: DiagnosticFacts): string {
  const { service, key, flow, counts, batches, limits, quota, transfers } = summary;
  const jobs = Object.entries(counts).filter(([, count]) => count > 0);
  const lines = [
    `Spool diagnostics, ${new Date(now).toISOString()}`,
    `system: ${process.platform} ${arch()} ${release()}`,
    ...Object.entries(versions).flatMap(([name, version]) =>
      version === undefined ? [] : [`${name}: ${version}`],
    ),
    `service: ${service.isLocal ? 'this computer' : service.origin}`,
    `key: ${key.state}, kept in ${key.keptIn ?? 'nothing'}`,
    `queue: ${flow.state}${reason(flow)}`,
    `jobs: ${jobs.map(([state, count]) => `${state} ${count}`).join(', ') || 'none'}`,
    `batches: ${batches.length}`,
    ...(['generate', 'status', 'download'] as const).map((name) => {
      const { remaining, limit, windowSeconds } = limits[name];
      return `limit ${name}: ${remaining} of ${limit} in ${windowSeconds} s`;
    }),
    `quota: ${quotaText(quota)}`,
    `transfers: ${transfers.active}`,
    '',
    'log:',
    ...log,
  ];
  return redact(`${lines.join('\n')}\n`);
}

function quotaText(quota: Summary['quota']): string {
  if (quota === null) return 'none';
  const { plan, per, limit, used, held } = quota;
  return `${used} used and ${held} held of ${limit} (${plan ?? `a ${per}`})`;
}

function reason(flow: Summary['flow']): string {
  switch (flow.state) {
    case 'running':
      return '';
    case 'paused':
      return ` (${[flow.what, ...(flow.failure ? [flow.failure.code] : [])].join(', ')})`;
    case 'blocked':
      return ` (${flow.failure.code})`;
  }
}
