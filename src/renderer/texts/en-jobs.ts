import type { WaitReason } from '../../contract/job.ts';
import { JOB_EVENT_WORDS, type JobEvent } from '../../contract/job-events.ts';
import type { JobState } from '../../contract/job-states.ts';

interface WaitTexts {
  /** @param value a time or, depending on the reason, a size, the limit of renders or a host */
  readonly short: (value: string | null) => string;
  readonly sentence: (value: string | null) => string;
}

/** Texts about the states of jobs. */
export const enJobs = {
  states: {
    queued: 'waiting',
    held: 'held',
    reserved: 'next to go',
    sending: 'sending',
    uncertain: 'uncertain',
    submitted: 'accepted',
    rendering: 'rendering',
    ready: 'ready',
    downloading: 'downloading',
    verifying: 'checking',
    done: 'saved',
    missing: 'file missing',
    rejected: 'refused',
    failed: 'failed',
    cancelled: 'cancelled',
    abandoned: 'abandoned',
  } satisfies Record<JobState, string>,

  /** Instead of “file missing” if the file exists. */
  damagedState: 'file damaged',

  /** A sentence for each state: what happens next, and when, if known. */
  next: {
    queued: () => 'Waits for its turn in the queue.',
    held: () => 'Keeps its place and is not sent until you resume it.',
    reserved: () => 'Its slot is reserved; the request is about to be sent.',
    sending: () => 'The request is being sent to the service.',
    uncertain: () => 'The service may have accepted it. Spool won’t resend it until you decide.',
    submitted: (when: string | null) =>
      when === null
        ? 'Accepted; rendering has not started.'
        : `Accepted; it should be saved ${when}.`,
    rendering: (when: string | null) =>
      when === null
        ? 'The service is rendering it.'
        : `The service is rendering it; it should be saved ${when}.`,
    ready: (when: string | null) =>
      when === null
        ? 'Rendered; its download waits for a link.'
        : `Rendered; it should be saved ${when}.`,
    downloading: (when: string | null) =>
      when === null
        ? 'Downloading to your folder.'
        : `Downloading to your folder; it should be saved ${when}.`,
    verifying: () => 'Downloaded; its length and content are being checked.',
    done: () => 'Saved and checked.',
    missing: () =>
      'It was saved, and the file is no longer where it was. It still counts as spent.',
    rejected: () => 'The service refused the request. It cost nothing.',
    failed: () => 'It ended without a video. The other videos continue.',
    cancelled: () => 'Cancelled before it was sent. It cost nothing.',
    abandoned: () => 'Abandoned after it was sent. It counts as spent.',
  } satisfies Record<JobState, (when: string | null) => string>,

  /** Why a video does not move: in a column, and as a sentence. */
  waits: {
    turn: {
      short: (when: string | null) => (when === null ? 'waits its turn' : `sends ${when}`),
      sentence: (when: string | null) =>
        when === null ? 'Waits for its turn in the queue.' : `Its request is sent ${when}.`,
    },
    'render-slot': {
      short: (when: string | null) => (when === null ? 'waits for a render' : `sends ${when}`),
      sentence: (limit: string | null) =>
        `Waits for ${limit === '1' ? 'the previous render' : `one of ${limit ?? 'the'} renders`} to end.`,
    },
    quota: {
      short: (when: string | null) => (when === null ? 'quota used up' : `quota resets ${when}`),
      sentence: (when: string | null) =>
        `This month’s quota has no room for it. It keeps its place until the quota resets${when === null ? '' : ` ${when}`}.`,
    },
    'daily-quota': {
      short: (when: string | null) => (when === null ? 'quota used up' : `quota resets ${when}`),
      sentence: (when: string | null) =>
        `Today’s quota has no room for it. It keeps its place until the quota resets${when === null ? '' : ` ${when}`}.`,
    },
    'pause-point': {
      short: () => 'queue pauses first',
      sentence: () => 'The queue pauses before it is sent. Remove the pause, or resume then.',
    },
    'not-planned': {
      short: () => 'not estimated yet',
      sentence: () => 'Too far down the queue to estimate. It is sent in its turn.',
    },
    'sending-suspended': {
      short: (when: string | null) =>
        when === null ? 'sending suspended' : `suspended, resumes ${when}`,
      sentence: (when: string | null) =>
        `The service refused the last requests, or did not say whether it accepted them. Sending resumes ${when ?? 'automatically'}.`,
    },
    'queue-unconfirmed': {
      short: () => 'needs confirmation',
      sentence: () =>
        'Spool may not know of everything that was sent. Nothing is sent until you have checked and resume.',
    },
    'queue-unwritable': {
      short: () => 'disk full',
      sentence: () =>
        'The queue cannot be saved, because its disk is full. Nothing is sent until there is space.',
    },
    paused: {
      short: () => 'paused',
      sentence: () => 'The queue is paused. Nothing happens to it until you resume.',
    },
    'key-missing': {
      short: () => 'needs an API key',
      sentence: () => 'Waits for an API key.',
    },
    'key-refused': {
      short: () => 'API key refused',
      sentence: () => 'The service refuses the API key. Enter another one to continue.',
    },
    offline: {
      short: (when: string | null) => (when === null ? 'offline' : `offline, retries ${when}`),
      sentence: (when: string | null) =>
        when === null
          ? 'The service does not answer. Spool is trying again now.'
          : `The service does not answer. Spool tries again ${when}.`,
    },
    'download-paused': {
      short: () => 'download paused',
      sentence: () => 'Its download is paused until you resume it.',
    },
    'disk-full': {
      short: (bytes: string | null) => (bytes === null ? 'disk full' : `needs ${bytes} of space`),
      sentence: (bytes: string | null) =>
        `Needs ${bytes ?? 'more'} of space on its disk. It resumes automatically.`,
    },
    'folder-unusable': {
      short: () => 'folder not writable',
      sentence: () => 'Its folder cannot be written to. It resumes automatically once it can.',
    },
    'link-limit': {
      short: (when: string | null) =>
        when === null ? 'download limit' : `download limit, next ${when}`,
      sentence: (when: string | null) =>
        `This hour’s downloads are used up. The next one is requested ${when ?? 'as soon as possible'}.`,
    },
    'link-not-ready': {
      short: (when: string | null) =>
        when === null ? 'no link yet' : `no link yet, retries ${when}`,
      sentence: (when: string | null) =>
        `The service has no download link for this video yet. Spool asks again ${when ?? 'soon'}.`,
    },
    'service-error': {
      short: (when: string | null) =>
        when === null ? 'service error' : `service error, retries ${when}`,
      sentence: (when: string | null) =>
        `The service gave no usable answer about this video. Spool asks again ${when ?? 'soon'}.`,
    },
    'not-found': {
      short: (when: string | null) => (when === null ? 'not found' : `not found, retries ${when}`),
      sentence: (when: string | null) =>
        `The service says that it does not have this video. Spool asks again ${when ?? 'soon'}.`,
    },
    'status-unknown': {
      short: (when: string | null) =>
        when === null ? 'unknown status' : `unknown status, retries ${when}`,
      sentence: (when: string | null) =>
        `Spool does not know the status that the service reports. It asks again ${when ?? 'soon'}.`,
    },
    'looked-for': {
      short: (when: string | null) => (when === null ? 'uncertain' : `uncertain, checks ${when}`),
      sentence: (when: string | null) =>
        `The service may have accepted it. Spool searches the service’s list of videos for it, next ${when ?? 'as soon as possible'}.`,
    },
    'sent-again': {
      short: (when: string | null) => (when === null ? 'uncertain' : `uncertain, checks ${when}`),
      sentence: (when: string | null) =>
        `The service may have accepted it. Spool repeats the request ${when ?? 'as soon as possible'}, with the same idempotency key: the service counts it once.`,
    },
    cancelling: {
      short: (when: string | null) =>
        when === null ? 'cancelling' : `cancelling, retries ${when}`,
      sentence: (when: string | null) =>
        `Spool asks the service to cancel this video ${when ?? 'as soon as possible'}.`,
    },
    'too-many-files': {
      short: (when: string | null) => (when === null ? 'too many open files' : `retries ${when}`),
      sentence: (when: string | null) =>
        `The system lets Spool open no more files. Raise the limit of open files or close other programs. Spool tries again ${when ?? 'soon'}.`,
    },
    'file-server-busy': {
      short: (when: string | null) => (when === null ? 'file server busy' : `retries ${when}`),
      sentence: (when: string | null) =>
        `The server of the file is busy. Spool tries again ${when ?? 'soon'}.`,
    },
    'file-server-unreachable': {
      short: (when: string | null) => (when === null ? 'file server offline' : `retries ${when}`),
      sentence: (when: string | null) =>
        `The server of the file does not answer. Spool tries again ${when ?? 'soon'}.`,
    },
    'proxy-failed': {
      short: (when: string | null) => (when === null ? 'proxy failed' : `retries ${when}`),
      sentence: (proxy: string | null) =>
        `The proxy ${proxy ?? ''} does not connect to the server of the file. Spool tries again automatically.`,
    },
    'address-blocked': {
      short: () => 'address blocked',
      sentence: (host: string | null) =>
        `Its server, ${host ?? 'unknown'}, has an address of a VPN or of NAT64. It resumes once you turn on “Allow addresses of VPNs and NAT64” in the settings, or DNS gives another address.`,
    },
  } satisfies Record<WaitReason, WaitTexts>,

  happened: JOB_EVENT_WORDS as Record<JobEvent, string>,
};
