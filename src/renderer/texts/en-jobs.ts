import type { JobState } from '../../contract/job-states.ts';

/** What the page says of where a job stands. */
export const enJobs = {
  states: {
    draft: 'not confirmed',
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
    abandoned: 'let go',
  } satisfies Record<JobState, string>,

  /** In place of “file missing”, of a file that is there. */
  damagedState: 'file damaged',

  /** One sentence a state: what happens next, and when where that is known. */
  next: {
    draft: () => 'Waits for your word before it joins the queue.',
    queued: (when: string | null) =>
      when === null
        ? 'This month’s quota has no room for it; it keeps its place for the next cycle.'
        : `Its request leaves ${when}.`,
    held: () => 'Keeps its place and is not sent until you resume it.',
    reserved: () => 'Has its slot and a unit of quota; its request leaves now.',
    sending: () => 'The request is on its way to the service.',
    uncertain: () => 'The service may have accepted it. Nothing is sent again until you decide.',
    submitted: (when: string | null) =>
      when === null
        ? 'Accepted; the service has not started on it.'
        : `Accepted; it should be saved ${when}.`,
    rendering: (when: string | null) =>
      when === null
        ? 'The service is making it.'
        : `The service is making it; it should be saved ${when}.`,
    ready: (when: string | null) =>
      when === null ? 'Made; its download waits for a link.' : `Made; it should be saved ${when}.`,
    downloading: (when: string | null) =>
      when === null
        ? 'On its way to your folder.'
        : `On its way to your folder; it should be saved ${when}.`,
    verifying: () => 'All bytes are here; length and content are being checked.',
    done: () => 'Saved and checked.',
    missing: () => 'It was saved, and the file is no longer where it was. Its quota stays spent.',
    rejected: () => 'The service refused the request. It cost nothing.',
    failed: () => 'It ended without a video. The other videos go on.',
    cancelled: () => 'Withdrawn before it was sent. It cost nothing.',
    abandoned: () => 'Let go after it was sent. Its quota is spent.',
  } satisfies Record<JobState, (when: string | null) => string>,

  /** Why a finished video is not being fetched: in a column, and as a sentence. */
  transferWaits: {
    paused: {
      short: () => 'transfer paused',
      sentence: () => 'Its transfer is paused until you resume it.',
    },
    room: {
      short: (bytes: string | null) => (bytes === null ? 'waits for room' : `waits for ${bytes}`),
      sentence: (bytes: string | null) =>
        `Waits for ${bytes ?? 'more'} of room on its disk, and goes on by itself.`,
    },
    folder: {
      short: () => 'waits for its folder',
      sentence: () => 'Its folder takes no files now. It goes on by itself once it does.',
    },
    links: {
      short: (when: string | null) => (when === null ? 'link limit' : `link limit: next ${when}`),
      sentence: (when: string | null) =>
        `The hour’s download links are used up; it asks for the next one ${when ?? 'when it may'}.`,
    },
    server: {
      short: (when: string | null) => (when === null ? 'server busy' : `tries again ${when}`),
      sentence: (when: string | null) =>
        `The file’s server does not answer as it should; it is asked again ${when ?? 'soon'}.`,
    },
  },

  /** The states' words in a history, which tells what happened rather than what is. */
  happened: {
    draft: 'Added',
    queued: 'Queued',
    held: 'Held',
    reserved: 'Slot and quota set aside',
    sending: 'Request sent',
    uncertain: 'Outcome unknown',
    submitted: 'Accepted by the service',
    rendering: 'Rendering',
    ready: 'Video finished',
    downloading: 'Download started',
    verifying: 'Download complete, checking',
    done: 'Saved and checked',
    missing: 'File gone',
    rejected: 'Refused by the service',
    failed: 'Failed',
    cancelled: 'Withdrawn',
    abandoned: 'Let go',
  } satisfies Record<JobState, string>,
};
