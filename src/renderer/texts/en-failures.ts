import type { FailureCode } from '../../contract/failure.ts';

/** What happened, and what it means for the batch. Views add buttons. */
interface FailureWords {
  readonly happened: string;
  readonly means: string;
}

export const enFailures: Record<FailureCode, FailureWords> = {
  'batch-unreadable': {
    happened: 'The batch could not be read',
    means: 'Nothing was added or spent.',
  },
  'batch-empty': { happened: 'The batch has no rows', means: 'Nothing was added or spent.' },
  'column-missing': { happened: 'A column is missing', means: 'Nothing was added or spent.' },
  'value-invalid': { happened: 'A value is not valid', means: 'Nothing was added or spent.' },
  'template-faulty': {
    happened: 'The request cannot be filled',
    means: 'Nothing was added or spent.',
  },
  'key-missing': {
    happened: 'There is no API key',
    means: 'Nothing is sent without one. Every video keeps its place.',
  },
  'key-refused': {
    happened: 'The service refuses the API key',
    means: 'Nothing is sent until it works again. Every video keeps its place.',
  },
  'keychain-unusable': {
    happened: 'The system’s keychain cannot be used',
    means: 'The key is no longer used, but may still be in the keychain.',
  },
  'quota-used-up': {
    happened: 'This month’s quota is used up',
    means: 'Videos already sent are still downloaded. The others keep their place.',
  },
  'daily-quota-used-up': {
    happened: 'Today’s quota is used up',
    means: 'Videos already sent are still downloaded. The others keep their place.',
  },
  'nothing-left': {
    happened: 'The service says that nothing is left',
    means: 'Videos already sent are still downloaded. The others keep their place.',
  },
  'rate-limited': {
    happened: 'The service asks for a pause',
    means: 'It resumes automatically. Nothing was spent.',
  },
  'service-unreachable': {
    happened: 'The service cannot be reached',
    means: 'Spool keeps trying. Every video keeps its place.',
  },
  'service-refused': {
    happened: 'The service refused the request',
    means: 'Change the request and send it; the other videos continue.',
  },
  'content-refused': {
    happened: 'The service refused the content',
    means:
      'Change the text or the picture and send it: the same again would probably be refused again.',
  },
  'batch-held': {
    happened: 'On hold after refusals',
    means: 'Look at the refused videos, then resume this one.',
  },
  'service-refuses-all': {
    happened: 'The service refuses every request',
    means:
      'Its address may be wrong. The other videos wait; retry those that were refused once it is right.',
  },
  'answer-unreadable': {
    happened: 'The service’s answer could not be read',
    means: 'Spool asks again. The answer is shown below as it was received.',
  },
  'outcome-unknown': {
    happened: 'The outcome is unknown',
    means: 'It counts as spent until you decide. The other videos continue.',
  },
  'render-failed': {
    happened: 'The service could not render this video',
    means: 'Only finished videos count against the quota. The other videos continue.',
  },
  'video-unknown': {
    happened: 'The service does not have this video',
    means:
      'Is the API key from the account that rendered it? Checking again is free; rendering it again costs as much as a new video.',
  },
  'video-expired': {
    happened: 'The service has deleted this video',
    means: 'Rendering it again costs as much as a new video. Checking again is free.',
  },
  'status-unknown': {
    happened: 'The service reports an unknown status',
    means:
      'Set its meaning under “Service” in this video’s details. Rendering it again costs as much as a new video.',
  },
  'file-not-offered': {
    happened: 'The service gives no file',
    means: 'Rendering it again costs as much as a new video.',
  },
  'download-failed': {
    happened: 'The video could not be downloaded',
    means: 'It is rendered and paid for. Downloading it again costs no quota.',
  },
  'file-damaged': {
    happened: 'The file is damaged',
    means: 'Downloading it again costs no quota while the service still has the video.',
  },
  'disk-full': {
    happened: 'The disk is full',
    means: 'Downloads wait until there is space. Nothing is lost.',
  },
  'folder-unusable': {
    happened: 'The folder cannot be written to',
    means: 'Downloads wait until it can. Nothing is lost.',
  },
  'data-exposed': {
    happened: 'Other users can reach your data',
    means: 'Spool keeps working.',
  },
  'job-unknown': {
    happened: 'This video is no longer in the queue',
    means: 'The list has changed since it was shown.',
  },
  'batch-unknown': {
    happened: 'This batch is no longer there',
    means: 'The list has changed since it was shown.',
  },
  'plan-outdated': {
    happened: 'The service’s profile has changed',
    means: 'They have been checked again. See what would be sent now.',
  },
  'profile-unusable': {
    happened: 'The service’s profile cannot be used',
    means:
      'Nothing is sent, and its videos wait. Choose the service again, or reset its response mapping in the settings.',
  },
  'not-possible-now': {
    happened: 'This isn’t possible now',
    means: 'The video has moved on since it was shown.',
  },
  'in-use': {
    happened: 'Another Spool is working on these videos',
    means: 'Only one at a time may send, so that nothing is paid for twice.',
  },
  'folder-lost': {
    happened: 'This Spool has lost its data folder',
    means:
      'Another one runs this queue now, or the folder was moved. Nothing more is sent from here.',
  },
  'store-damaged': {
    happened: 'The queue’s file was damaged',
    means: 'The last good state is in use; videos that were sent since are marked uncertain.',
  },
  'store-copied': {
    happened: 'This queue is a copy or was restored',
    means:
      'Its videos may have been sent from the original since. Check them before you resume here.',
  },
  'store-newer': {
    happened: 'The queue was written by a newer Spool',
    means: 'Nothing was changed. Update Spool to continue.',
  },
  'store-older': {
    happened: 'The queue was written by an earlier build of Spool',
    means: 'Nothing was changed.',
  },
};
