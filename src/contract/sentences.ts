/**
 * Every sentence that engine and host say to a person, by a name that never changes once
 * released, in English: what the command line and logs say, and what a page says in a language that
 * has no other. Gaps are in braces; one that ends in `:bytes` holds a number of bytes.
 *
 * The names outlive their sentences: databases keep them with what stood in the gaps.
 */
export const SENTENCES = {
  'job-unknown': 'This video is not in the queue any more.',
  'batch-unknown': 'This batch is not in the queue any more.',

  'file-here-already':
    'A file of this name was there already ({path}), and this batch keeps those.',
  'not-made': 'The service could not make this video (“{word}”).',
  'sent-unexpectedly': 'Something unexpected happened while the request was on its way.',
  'too-early': 'The service said that it was too early; nothing was made.',
  'stopped-while-sending':
    'Spool stopped while the request was on its way, so it may have been accepted.',
  'stopped-before-sending': 'Spool stopped before the request was sent.',
  'stopped-during-download': 'Spool stopped during the download, which goes on where it stopped.',
  'queue-older-than-request': 'The queue’s file is older than this request.',

  'disk-was-full': 'The disk is full.',
  'folder-was-unwritable': 'The folder could not be written to.',
  'link-limit-reached': 'No further download link may be asked for yet.',
  'no-new-link': 'The service gave no new download link.',
  'download-server-busy': 'The server asked for patience.',
  'download-server-unreachable': 'The server could not be reached.',
  'download-address-blocked':
    '{host} resolves to an address of a VPN or of NAT64 (198.18.0.0/15 or 64:ff9b::/96), which the settings do not allow.',
  'file-gone': 'Its file is no longer where it was saved.',
  'named-file-gone': '{name} is no longer where it was saved.',
  'named-file-damaged': '{name} is damaged.',
  'named-file-unreadable': '{name} could not be read ({code}).',
  'file-is-none': 'It is not a file.',
  'file-of-other-size': 'It has {found} bytes instead of {expected}.',
  'file-cut': 'Its end is missing.',
  'file-changed': 'Its content has changed.',
  'file-no-video': 'It does not begin like a video.',
  'file-box-impossible': 'A box in it has an impossible size.',
  'file-boxes-too-many': 'It has more parts than any video.',
  'file-header-damaged': 'Its header is damaged.',
  'file-no-video-track': 'It has no video track.',

  'disk-needs-room':
    'The disk is full: the next video needs {missing:bytes} more. Downloads go on by themselves once there is room.',
  'disk-full': 'The disk is full. Downloads go on by themselves once there is room.',
  'folder-unwritable':
    'The folder cannot be written to. Downloads go on by themselves once it can.',
  'queue-needs-room':
    'The disk of the data folder {folder} is full: the queue needs {missing:bytes} more. Nothing is lost or sent, and the queue continues automatically once there is space.',
  'queue-unwritable':
    'The queue cannot be written down: its disk is full or cannot be written to. Nothing is sent until it can; then it goes on by itself.',
  'queue-restored':
    'The queue was damaged and has been restored from its last backup. Look at it, then resume.',
  'queue-copied':
    'This queue was copied, or brought back from a backup. What it has not sent may have been sent since from where it was. Look at it, then resume.',
  'queue-in-use-elsewhere':
    'Another Spool has begun to work on this queue, perhaps on another computer. What is not sent here may be sent there. Make sure that only this one is at work, look at the queue, then resume.',
  'queue-begins-anew': 'The queue was damaged beyond repair and begins anew.',
  'queue-kept-as': 'The damaged file was kept as {name}.',
  'key-needed': 'An API key is needed to make videos.',
  'key-refused-enter': 'The service refuses the API key. Enter the present one to go on.',
  'quota-refused':
    'The service says that this month’s videos are used up. Spool tries again every day.',
  'quota-all-used': 'All {limit:count} videos of this month are used or set aside.',

  'certificate-wrong':
    '{host} could not prove that it is the service ({code}), so nothing was sent to it.',
  'no-https': '{host} does not speak HTTPS.',
  'address-not-found': 'The address of {host} could not be found. Is this computer online?',
  'connection-refused': '{host} is not answering: it refused the connection.',
  'host-unreachable': '{host} cannot be reached from this computer now. Is it online?',
  'connection-too-slow': '{host} is not answering: the connection took too long.',
  'connection-broke': 'The connection to {host} broke ({code}).',
  'told-to-stop': 'Spool was told to stop.',
  'answer-too-slow': '{host} took too long to answer.',
  'answer-too-long': '{host} answered with more than 1 MiB, which no answer needs.',
  'stopped-unsent': 'It was stopped before anything was sent.',
  'acceptance-unknown': 'It is not known whether the video was accepted.',
  'key-enter': 'Enter the API key of your account.',
  'key-malformed':
    'The API key has characters that no key has. Copy it once more from the dashboard.',
  'key-revoked': 'The service does not accept the API key. Was it revoked? Enter a new one.',
  'quota-used-up': 'This month’s videos are used up.',
  'video-refused': 'The service did not accept this video (it answered {status}).',
  'video-unknown-there': 'The service does not know this video any more.',
  'video-deleted-there': 'The service has deleted this video.',
  'refuses-all':
    'The service refused {count:count} videos in a row (it answered {status} last), and not for anything in them. Is its address right? The others wait; those that were refused can be retried.',
  'host-not-now': '{host} could not answer now (status {status}).',
  'answer-odd': 'The answer of {host} could not be understood.',
  'answer-without-link': 'It gave no download link.',
  'answer-link-not-https': 'Its download link is not an https address.',
  'answered-with': 'The service answered with status {status}.',
  'identifier-of-another':
    'The service gave this video the identifier of another one (“{title}”), so it is not known whether it was made.',
  'no-identifier': 'The service answered, but gave no identifier for the video.',
  redirected:
    '{host} wanted to send the request on to another address, which is not done with an API key. Check the service’s address.',

  'link-no-address': 'The link is not a web address.',
  'link-with-login': 'The link carries a user name or password.',
  'link-not-https': 'The link is not an https address.',
  'link-not-public': 'The link leads to {host}, which is not a public address.',
  'target-busy': 'Another download is writing this file.',
  'redirects-too-often': 'The link redirects too often.',
  'redirects-nowhere': 'The link redirects to nowhere.',
  'sent-no-video': 'The server sent something that is not a video.',
  'sent-endless': 'The server sent {sent:bytes} without stating the file’s size, and did not stop.',
  'sent-empty': 'The server sent an empty file.',
  'sent-compressed': 'The server sent the video compressed, which cannot be resumed.',
  'answers-senseless': 'The server’s answers make no sense.',
  'file-unwritable': 'The file could not be written ({code}).',
  'video-damaged-there': 'The video on the server is damaged.',
  'link-refused': 'The server no longer accepts the download link.',
  'download-certificate-wrong': 'The server’s certificate is not valid.',
  'file-server-untrusted':
    '{host} could not prove that it is the server of the file ({code}). Check the network and this computer’s clock, then download the video again.',

  'hold-too-late': 'It can only be set aside before it is sent.',
  'not-held': 'It is not set aside.',
  'decide-first': 'Say first whether the service made this video or not.',
  'sending-now': 'It is on its way at this moment; it can be let go after.',
  'nothing-to-withdraw': 'There is nothing left to withdraw.',
  'retry-only-ended': 'Only videos that failed or were withdrawn can be retried.',
  'nothing-to-fetch': 'There is no video of it that could be fetched again.',
  'name-kept':
    '{name} is there already, and this batch keeps existing files. Move or rename that file first.',
  'place-too-late': 'It has been sent, so its place does not matter any more.',
  'priority-too-late': 'It has been sent, so its priority does not matter any more.',
  'edit-too-late': 'It has been sent and cannot be changed any more.',
  'sent-already': 'It has been sent already.',
  'sent-again-meanwhile': 'It was sent again meanwhile. Look at it once more.',
  renamed: '{from} is now {to}.',
  'rename-gone': 'Its file is not there. Fetch it again first.',
  'rename-damaged': 'Its file is damaged. Fetch it again first.',
  'rename-changed': 'It was changed meanwhile. Look at it once more.',
  'name-taken': 'Another file has the name {name}.',
  'rename-refused': 'It could not be renamed to {name} ({code}).',
  'rename-later': 'Spool was closed before its turn. It is renamed at the next start.',
  'outcome-known': 'It is known what became of this video.',
  'identifier-taken': 'The video with this identifier is “{title}”.',

  'in-file': '“{name}”:',
  'at-row': 'Row {row}, {column}:',
  'at-entry': 'Entry {row}, {column}:',
  'at-line': 'Line {row}, {column}:',
  'cell-empty': 'is empty, and every video needs one.',
  'cell-damaged': 'has characters that were damaged on the way. Save the file as CSV UTF-8.',
  'cell-not-number': '“{text}” is not a number.',
  'cell-not-whole': '“{text}” is not a whole number.',
  'cell-too-high': '“{text}” is more than {max:count}.',
  'cell-too-low': '“{text}” is less than {min:count}.',
  'cell-not-between': '“{text}” is not between {min:count} and {max:count}.',
  'cell-not-colour': '“{text}” is not a colour such as #ffb020.',
  'cell-not-one-of': '“{text}” is not one of {options}.',
  'cell-too-many': 'has {count:count} items; at most {max:count} fit.',
  'cell-too-long': '“{text}” has {count:count} characters; at most {max:count} fit.',
  'cell-of-other-kind': 'a text, a number or a list of texts belongs here.',
  'row-of-other-width':
    'Row {row} does not fit the header: {cells} against {columns} columns. Text with a comma in it needs quotation marks around it.',
  'entry-no-object': 'Entry {row} is not a JSON object such as {example}.',
  'line-no-object': 'Line {row} is not a JSON object such as {example}.',
  'file-quote-open': '“{name}” has a quotation mark that is opened and never closed.',
  'file-no-table': '“{name}” could not be read as a table.',
  'file-no-list': '“{name}” is not a JSON list of videos: [{example}, {example}].',
  'file-is-workbook': '“{name}” is a workbook. Save it as CSV first.',
  'file-no-text': '“{name}” is not a text that can be read. Save the table as CSV UTF-8.',
  'file-too-many-rows': '“{name}” has more than {max} rows. Split it and add the parts.',
  'file-too-many-columns': '“{name}” has more than {max} columns.',
  'file-too-many-cells': '“{name}” has more than {max} cells. Split it and add the parts.',
  'files-too-large': 'Together, the files are larger than 64 MiB. Add them as several batches.',
  'files-too-many-rows':
    'Together, the files have more than {max} rows. Add them as several batches.',
  'files-too-many-columns':
    'Together, the files have more than {max} columns. Add them as several batches.',
  'files-too-many-cells':
    'Together, the files have more than {max} cells. Add them as several batches.',
  'file-too-complex': '“{name}” takes more memory to read than any table.',
  'file-no-rows': '“{name}” has no rows to make videos from.',
  'columns-alike': 'Two columns are for the same thing: “{one}” and “{other}”.',
  'column-missing': 'There is no “{name}” column. The columns are: {columns}.',
  'column-for-nothing': 'Nothing takes a column for “{name}”.',
  'column-chosen-missing': 'There is no “{given}” column to be “{name}”.',

  'in-use': 'Spool is already running with this data folder.',
  'in-use-by': 'Spool is already running with this data folder (process {pid}).',
  'owner-mute':
    'Spool is already running with this data folder, and does not answer: it may be another version, or busy. Close it, or try again.',
  'owner-silent':
    'The Spool that works the queue does not answer. If it was stopped in a terminal with Ctrl-Z, “fg” there lets it go on; if it hangs, end it. Nothing is lost either way.',
  'owner-of-other-service':
    'Spool is running with this data folder (process {pid}), with the service {service}.',
  'owner-of-other-profile':
    'Spool is running with this data folder (process {pid}), with another service profile.',
  'owner-ended':
    'The Spool that works the queue has ended. Nothing is lost; do the same once more.',

  'went-wrong': 'Something unexpected went wrong ({trouble}).',

  'template-unfillable': 'The template cannot be filled:',
  'no-such-column': 'There is no column “{name}”.',
  'at-default': 'The default of {column}:',

  'keychain-silent': 'This computer’s keychain does not answer. Is it waiting for you?',
  'keychain-disobeys': 'This computer’s keychain does not do what it is asked.',
  'keychain-unusable': 'This computer’s keychain cannot be used.',
  'keychain-unusable-because': 'This computer’s keychain cannot be used ({reason}).',
  'key-in-memory': 'The API key is kept in memory and asked for again next time.',
  'key-not-for-window':
    'SPOOL_API_KEY is for commands; the window does not use it. Enter the key in the window, where it stays out of every program’s environment.',
  'keychain-unlock': 'Unlock it and try the key again, or enter the key once more.',
  'install-libsecret':
    'Install libsecret (Debian and Ubuntu call it libsecret-1-0) and start Spool again.',
  'install-keyring':
    'Install GNOME Keyring or KWallet if there is neither, unlock it, and start Spool again.',
  'key-may-remain':
    'The API key is not used any more, but may still be there: unlock the keychain and delete what is filed under Spool.',

  'value-missing': 'This is missing.',
  'value-empty': 'This must not be empty.',
  'value-not-text': 'This must be a text.',
  'value-not-number': 'This must be a number.',
  'value-not-whole': 'This must be a whole number.',
  'value-not-switch': 'This must be true or false.',
  'value-not-list': 'This must be a list.',
  'value-not-object': 'This must be an object.',
  'value-of-other-kind': 'This must be of another kind.',
  'value-one-of': 'This must be one of: {options}.',
  'value-of-no-kind': 'This is none of the kinds that there are.',
  'value-more-than': 'This must be more than {min:count}.',
  'value-at-least': 'This must be at least {min:count}.',
  'value-less-than': 'This must be less than {max:count}.',
  'value-at-most': 'This must be at most {max:count}.',
  'value-too-long': 'This must have at most {max:count} characters.',
  'value-too-many': 'There are at most {max:count} of these.',
  'value-unknown-name': 'There is no “{name}” here.',
  'value-not-date': 'A date looks like 2026-03-17.',
  'value-not-https': 'A service has an https address.',
  'address-with-more': 'An address has a host, a port and a path, and nothing else.',
  'value-not-pem': 'It is no certificate in PEM form.',
  'value-not-path': 'A path looks like “movie.status” or “output[0]”.',
  'value-with-braces': 'The name of a column has no braces in it.',
  'name-template-invisible': 'The template for file names has invisible characters. Type it again.',
  'value-not-json': 'This must be JSON of at most {max:count} levels.',
  'value-invisible': 'This has invisible characters. Type it again.',
  'value-unfit': 'This does not fit here.',
  'zone-unknown': 'There is no such time zone.',
  'plan-limit-negotiated': 'A negotiated plan has a number of videos a month, and no other has.',
  'folder-not-absolute': 'A folder is named from the root on.',
  'folder-on-network':
    'This is the path of a network or a device. Connect it as a drive and choose a folder there.',
  'setting-unknown': 'There is no such setting.',
  'no-settings': 'This is no document with settings of Spool.',
  'settings-too-large': 'It is larger than 1 MB, which no file of settings is.',
  'settings-unreadable': 'The file could not be read.',
  'settings-damaged':
    'The settings could not be read. The usual ones hold, and the old file was kept as {name}.',

  'setting-service': 'Service',
  'setting-certificate': 'Custom certificate',
  'setting-answers': 'Response mapping of {origin}',
  'setting-plan': 'Plan',
  'plan-custom': '{count:count} videos a month',
  'setting-billing-date': 'Billing date',
  'first-of-month': 'The first of the month',
  'setting-zone': 'Days begin in',
  'setting-folder': 'Folder',
  'setting-name-template': 'File names',
  'setting-collision': 'When a name is taken',
  'setting-parallel': 'Files at the same time',
  'setting-bandwidth': 'Limit the bandwidth',
  'setting-vpn': 'Allow addresses of VPNs and NAT64',
  'setting-notification': 'Notifications:',
  'notify-batch-saved': 'A batch is finished',
  'notify-needs-decision': 'Something needs you',
  'notify-failed': 'A video failed',
  'setting-start-up': 'When Spool starts',
  'start-up-as-last-time': 'As it was last time',
  'start-up-run': 'Go on sending',
  'start-up-paused': 'Stay paused',
  'setting-updates': 'Updates',
  'updates-stable': 'Stable versions',
  'updates-preview': 'Previews too',
  'updates-off': 'None',
  'setting-start-at-login': 'Start when I log in',
  'setting-close-to-tray': 'Keep on working when the window is closed',
  'setting-theme': 'Theme',
  'theme-light': 'Light',
  'theme-dark': 'Dark',
  'setting-language': 'Language',
  'as-system': 'System',
  'setting-on': 'On',
  'setting-off': 'Off',
  'setting-none': 'None',
  'setting-default': 'Default',
  'service-here': 'This computer',
  'collision-number': 'Add a number',
  'collision-skip': 'Leave it out',
  'collision-replace': 'Replace the file',
  'mapping-changed': '“{name}”, changed',
  'mapping-named': '“{name}”',
  'bytes-a-second': '{count:count} bytes a second',
  verbatim: '{text}',
  'settings-changed-meanwhile': 'The settings were changed meanwhile. Check the changes again.',

  'list-ends': 'This list does not go on from there.',
  'queue-newer':
    'The queue was written by a newer version of Spool. Install that version to open it.',
  'folder-unusable': 'The folder {folder} cannot be used.',
  'data-folder-of-other':
    'The data folder {folder} belongs to another user, who can read and change what is in it.',
  'data-folder-writable':
    'Other users of this computer can change what is in the data folder {folder}. Choose another folder, or remove their permissions.',
  'data-folder-readable':
    'Other users of this computer can read what is in the data folder {folder}, and Spool cannot change that.',
  'data-file-of-other':
    '{name} in the data folder {folder} belongs to another user. Remove it, or choose another data folder.',
  'certificate-file-unreadable': 'The certificate file {file} cannot be read.',
  'failure-unreadable':
    'What went wrong here was written by another version of Spool and cannot be read.',
  'here-not-started': 'The local service did not start.',
  'here-too-slow': 'The local service took too long to answer.',
  'here-refused': 'The local service refused a command.',
  'here-unreadable': 'The local service gave an answer that cannot be read.',
  'here-ended': 'The service on this computer ended by itself. Start Spool again to go on.',
  'batch-file-too-large': '{file} is larger than 64 MiB, which no batch is.',
  'batch-file-not-regular': '{file} is not a regular file.',
  'batch-files-too-many': '{count} files were left out: at most {max} are checked at a time.',
  'batch-file-gone': 'There is no file {file}.',
  'batch-file-folder': '{file} is a folder, not a batch.',
  'batch-file-forbidden': '{file} may not be read by this user.',
  'batch-file-unreadable': '{file} cannot be read.',

  'computer-cannot': 'This computer cannot do that from here.',
  'folder-not-yet': 'The folder {folder} is made with the first video.',
  'no-update-now': 'No newer version can be installed now.',
  'not-saved-yet': 'This video is not saved yet.',
  'file-moved': 'The file is not where it was saved.',
  'cannot-be-opened': 'It cannot be opened: {trouble}',
  'answers-known-here': 'How the service on this computer answers is known.',
  'no-program': 'This computer has no program to open it with.',

  'page-here-only': 'This address serves 127.0.0.1 only.',
  'page-no-other-site': 'Other sites may not talk to Spool.',
  'page-origin-needed': 'A connection must say where it comes from.',
  'page-only-read': 'Only reading is possible here.',
  'page-link-needed': 'Open Spool with the link that it printed when it started.',
  'page-link-needed-why':
    'Every start of Spool has its own link. Open the latest one in this browser, and this page opens too. Your queue and your videos are kept.',
  'page-video-moved': 'This video is not where it was saved.',
  'page-no-poster': 'This video has no poster.',
  'page-nothing-here': 'There is nothing here.',

  'in-english': '{text}',
} as const;

export type SentenceName = keyof typeof SENTENCES;

/** How a language writes amounts. */
export interface AmountWords {
  /** Words for a number of bytes. */
  readonly bytes: (bytes: number) => string;
  /** A number of things, such as “1,000”. */
  readonly count: (count: number) => string;
}

/** A template with its gaps filled. A gap without a kind takes a number as it is. */
export function filled(
  template: string,
  values: Readonly<Record<string, string | number>>,
  words: AmountWords,
): string {
  return template.replace(
    /\{(\w+)(?::(bytes|count))?\}/g,
    (_, name: string, kind?: keyof AmountWords) => {
      const value = values[name] ?? '';
      return kind !== undefined && typeof value === 'number' ? words[kind](value) : String(value);
    },
  );
}
