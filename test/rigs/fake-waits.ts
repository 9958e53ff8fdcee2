import { obstacleOf } from '../../src/contract/flow.ts';
import type { Job, Wait } from '../../src/contract/job.ts';
import type { Flow } from '../../src/contract/summary.ts';

const UNKNOWN = { sendAt: null, readyAt: null, savedAt: null };

/** A job as the real engine shows it for this flow; a wait of the job itself has precedence. */
export function withWait(job: Job, flow: Flow, quotaResetAt: number): Job {
  if (job.wait !== null) return job;
  const wait = waitOf(job, flow, quotaResetAt);
  const isForecast = wait === null || wait.reason === 'turn' || wait.reason === 'offline';
  return { ...job, wait, forecast: isForecast ? job.forecast : UNKNOWN };
}

/** The wait of every unsent row; `null` if a row waits only for its turn. */
export function sendWait(flow: Flow, quotaResetAt: number): Wait | null {
  return flow.state === 'paused' ? PAUSED : obstacleWait(flow, quotaResetAt);
}

const PAUSED: Wait = { reason: 'paused', until: null };

function obstacleWait(flow: Flow, quotaResetAt: number): Wait | null {
  const obstacle = obstacleOf(flow);
  switch (obstacle?.code) {
    case 'key-missing':
    case 'key-refused':
      return { reason: obstacle.code, until: null };
    case 'service-unreachable':
      return { reason: 'offline', until: obstacle.retryAt ?? null };
    case 'quota-used-up':
      return { reason: 'quota', until: quotaResetAt };
    default:
      return null;
  }
}

function waitOf({ state, forecast }: Job, flow: Flow, quotaResetAt: number): Wait | null {
  const obstacle = obstacleWait(flow, quotaResetAt);
  switch (state) {
    case 'queued':
      return sendWait(flow, quotaResetAt) ?? { reason: 'turn', until: forecast.sendAt };
    case 'submitted':
    case 'rendering':
    case 'ready':
      if (flow.state === 'paused' && flow.what === 'everything') return PAUSED;
      return obstacle?.reason === 'quota' ? null : obstacle;
    default:
      return null;
  }
}
