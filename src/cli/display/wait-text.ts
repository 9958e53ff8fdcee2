import type { Job, Wait, WaitReason } from '../../contract/job.ts';
import { formatCount, formatDate, formatSize, formatWhen } from './numbers.ts';

/** Why a job waits, and when it is tried again if that is known. */
export function waitText(wait: Wait, now: number): string {
  const again = wait.until === null ? '' : `, retries ${formatWhen(wait.until, now)}`;
  switch (wait.reason) {
    case 'turn':
      return wait.until === null ? 'waits for its turn' : `sends ${formatWhen(wait.until, now)}`;
    case 'render-slot': {
      const sent = wait.until === null ? '' : `, sends ${formatWhen(wait.until, now)}`;
      return `waits for one of ${formatCount(wait.limit, 'render')} to end${sent}`;
    }
    case 'quota':
    case 'daily-quota':
      return wait.until === null
        ? 'waits for the quota to reset'
        : `waits for the quota to reset on ${formatDate(wait.until)}`;
    case 'pause-point':
      return 'the queue pauses before this video';
    case 'not-planned':
      return 'too far down the queue to estimate';
    case 'sending-suspended':
      return `sending is suspended${again}`;
    case 'queue-unconfirmed':
      return 'waits until you confirm the queue';
    case 'queue-unwritable':
      return 'the queue cannot be saved: the disk is full';
    case 'paused':
      return 'paused';
    case 'key-missing':
      return 'needs an API key';
    case 'key-refused':
      return 'the service refuses the API key';
    case 'offline':
      return `the service does not answer${again}`;
    case 'download-paused':
      return 'its download is paused';
    case 'disk-full':
      return wait.missingBytes === null
        ? 'the disk is full'
        : `the disk is full: it needs ${formatSize(wait.missingBytes)} more`;
    case 'folder-unusable':
      return 'its folder cannot be written to';
    case 'link-limit':
      return `no download link may be requested yet${again}`;
    case 'link-not-ready':
      return `the service has no download link for it yet${again}`;
    case 'service-error':
      return `the service gave no usable response${again}`;
    case 'not-found':
      return `the service does not find this video${again}`;
    case 'status-unknown':
      return `Spool does not know the status that the service reports${again}`;
    case 'looked-for':
      return wait.until === null
        ? 'it may have been accepted; waits to search the service’s list'
        : `it may have been accepted; searches the service’s list ${formatWhen(wait.until, now)}`;
    case 'sent-again':
      return wait.until === null
        ? 'it may have been accepted; waits to be sent again with the same idempotency key'
        : `it may have been accepted; sent again with the same idempotency key ${formatWhen(wait.until, now)}`;
    case 'cancelling':
      return `the service is asked to cancel it${again}`;
    case 'too-many-files':
      return `Spool may not open more files (ulimit -n)${again}`;
    case 'file-server-busy':
      return `the file server is busy${again}`;
    case 'file-server-unreachable':
      return `the file server cannot be reached${again}`;
    case 'proxy-failed':
      return `the proxy ${wait.proxy} does not connect to the file server${again}`;
    case 'address-blocked':
      return `blocked: ${wait.host} has an address of a VPN or of NAT64; “Allow addresses of VPNs and NAT64” in the settings lifts this`;
  }
}

/**
 * Why only this job waits; `null` when it does not wait, or when the whole queue waits for the same
 * reason, which a log states once and not for each job.
 */
export function jobWaitReason({ wait }: Job): WaitReason | null {
  if (wait === null) return null;
  switch (wait.reason) {
    case 'download-paused':
    case 'disk-full':
    case 'folder-unusable':
    case 'link-limit':
    case 'link-not-ready':
    case 'service-error':
    case 'not-found':
    case 'status-unknown':
    case 'looked-for':
    case 'sent-again':
    case 'cancelling':
    case 'too-many-files':
    case 'file-server-busy':
    case 'file-server-unreachable':
    case 'proxy-failed':
    case 'address-blocked':
      return wait.reason;
    case 'turn':
    case 'render-slot':
    case 'quota':
    case 'daily-quota':
    case 'pause-point':
    case 'not-planned':
    case 'sending-suspended':
    case 'queue-unconfirmed':
    case 'queue-unwritable':
    case 'paused':
    case 'key-missing':
    case 'key-refused':
    case 'offline':
      return null;
  }
}
