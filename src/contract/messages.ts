/**
 * Every message of engine and host to the user in English, by a name that never changes once
 * released. The command line and logs show the English text, and so does a page in a language
 * without a translation. Placeholders are in braces; one that ends in `:bytes` contains a number of
 * bytes.
 *
 * Names must outlive their texts: databases store names with the values of their placeholders.
 */
export const MESSAGES = {
  'job-unknown': 'This video is no longer in the queue.',
  'job-at-other-service': 'This video belongs to another service of this queue: {origin}.',
  'job-uncertain-there':
    'That service may have accepted it, and Spool won’t resend it until you decide.',
  'batch-unknown': 'This batch is no longer in the queue.',

  'file-here-already':
    'A file with this name already exists ({path}), and this batch keeps existing files.',
  'not-made': 'The service could not render this video (“{word}”).',
  'sent-unexpectedly': 'Something unexpected happened while the request was being sent.',
  'too-early': 'The service said that it was too early. Nothing was rendered.',
  'too-many-at-once':
    'The service was already rendering as many videos as it does at a time. Nothing was rendered.',
  'stopped-while-sending':
    'Spool stopped while the request was being sent, so it may have been accepted.',
  'stopped-before-sending': 'Spool stopped before the request was sent.',
  'stopped-during-download': 'Spool stopped during the download, which resumes where it stopped.',
  'sent-otherwise-since':
    'A video of this number was sent with another request after this queue was copied. Release it if it is still wanted.',
  'queue-older-than-request': 'The queue’s file is older than this request.',

  'accepted-again':
    'It was sent again with the same idempotency key, and the service accepted it as the same request.',
  'finished-before-cancel':
    'It was finished before the service could cancel it. It can still be downloaded.',
  'cancel-refused':
    'The service did not cancel it. If it gets finished, it can still be downloaded.',
  'cancel-unanswered':
    'The service gave no usable answer to requests to cancel it. If it gets finished, it can still be downloaded.',
  'found-in-list': 'It was found in the service’s list of videos.',
  'found-in-list-twice':
    'The service’s list has this request {count:count} times. Spool uses the first one and ignores these: {others}.',
  'not-in-list':
    'It is not in the service’s list of videos. Spool searched the list {count:count} times, back to the time of the request.',
  'not-in-part-of-list':
    'It is not among the {count:count} newest videos of the service’s list, which could not be read back to its request.',
  'repeat-refused':
    'It was sent again with the same idempotency key. The service refused that, which says nothing about the first request.',
  'repeats-over':
    'It was sent again with the same idempotency key as long as that is safe, without a clear answer.',

  'disk-was-full': 'The disk is full.',
  'folder-was-unwritable': 'The folder could not be written to.',
  'link-limit-reached': 'No further download link can be requested yet.',
  'no-new-link': 'The service gave no new download link.',
  'download-server-busy': 'The server asked to wait.',
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
    'The disk is full: the next video needs {missing:bytes} more. Downloads resume automatically once there is space.',
  'disk-full': 'The disk is full. Downloads resume automatically once there is space.',
  'folder-unwritable':
    'The folder cannot be written to. Downloads resume automatically once it can.',
  'too-many-open-files':
    'Spool may not open more files: the system’s limit of open files is reached. Raise the limit (ulimit -n in a terminal) or close other programs, then start Spool again.',
  'queue-needs-room':
    'The disk of the data folder {folder} is full: the queue needs {missing:bytes} more. Nothing is lost or sent, and the queue continues automatically once there is space.',
  'queue-unwritable':
    'The queue cannot be saved: its disk is full or cannot be written to. Nothing is sent until it can; then it resumes automatically.',
  'queue-restored':
    'The queue was damaged and has been restored from its last backup. Check it, then resume.',
  'queue-copied':
    'This queue is a copy, or was restored from a backup. Videos it has not sent may have been sent from the original since. Check it, then resume.',
  'queue-incomplete':
    'The latest changes of this queue are missing, because its file was damaged or replaced. Check it, then resume.',
  'queue-lacked-requests':
    'Sent requests that this queue has no record of: {count:count}. Their videos are marked uncertain, are held, or are missing here.',
  'queue-begins-anew': 'The queue was damaged beyond repair and starts empty.',
  'queue-kept-as': 'The damaged file was kept as {name}.',
  'key-needed': 'An API key is needed to render videos.',
  'key-refused-enter': 'The service refuses the API key. Enter the current one to continue.',
  'quota-refused':
    'The service says that this month’s videos are used up. Spool tries again every day.',
  'quota-all-used': 'All {limit:count} videos of this month are used or reserved.',
  'daily-quota-refused': 'The service says that today’s videos are used up.',
  'daily-quota-all-used': 'All {limit:count} videos of today are used or reserved.',
  'nothing-left': 'The service says that nothing is left.',
  'no-quota': 'This service has no quota that Spool counts.',

  'certificate-wrong':
    '{host} could not prove that it is the service ({code}), so nothing was sent to it.',
  'no-https': '{host} does not support HTTPS.',
  'address-not-found': 'The address of {host} could not be found. Is this computer online?',
  'connection-refused': '{host} is not answering: it refused the connection.',
  'host-unreachable': '{host} cannot be reached from this computer now. Is it online?',
  'connection-too-slow': '{host} is not answering: the connection took too long.',
  'connection-broke': 'The connection to {host} broke ({code}).',
  'proxy-unreachable':
    'The proxy {proxy} could not be reached ({code}). Are its address and this computer’s connection right?',
  'proxy-login':
    'The proxy {proxy} asks for a user name and password. Set HTTPS_PROXY to http://USER:PASSWORD@HOST:PORT and start Spool again.',
  'proxy-refused': 'The proxy {proxy} refused a connection to {host}: it answered with {status}.',
  'proxy-unusable':
    'Spool cannot use the proxy {proxy}. It needs an address such as http://HOST:PORT or https://HOST:PORT in HTTPS_PROXY.',
  'told-to-stop': 'Spool stopped waiting for the response.',
  'answer-too-slow': '{host} took too long to answer.',
  'answer-too-long': '{host} sent an answer of more than 1 MiB, which is too long.',
  'stopped-unsent': 'It was stopped before anything was sent.',
  'acceptance-unknown': 'It is not known whether the video was accepted.',
  'key-enter': 'Enter the API key of your account.',
  'label-is-key': 'That is a key. A label is shown on screen; a key never is.',
  'key-malformed': 'The API key contains invalid characters. Copy it again from the dashboard.',
  'key-of-this-computer':
    'Spool makes the key for this computer by itself. If it is refused, choose “Renew key”.',
  'key-changed-meanwhile': 'The key was changed meanwhile. Check which one is in use.',
  'key-not-renewable': 'Create a new key in your account at the service, then enter it here.',
  'address-of-this-computer':
    'This is the address of Spool’s own service on this computer. Choose “This computer” instead.',
  'key-revoked': 'The service does not accept the API key. Was it revoked? Enter a new one.',
  'quota-used-up': 'This month’s videos are used up.',
  'video-refused': 'The service refused this video.',
  'content-refused': 'The service refused this video because of its content.',
  'refusal-free': 'It cost nothing.',
  'refusal-paid': 'The service charges for it all the same.',
  'refusal-maybe-paid': 'The service may charge for it, so it counts as spent.',
  'batch-held':
    'The service refused {count:count} videos of this batch in a row because of their content, so the rest of the batch is on hold.',
  'video-refused-silently':
    'The service refused this video and gave no reason (it answered {status}).',
  'video-unknown-there': 'The service no longer has this video.',
  'video-deleted-there': 'The service has deleted this video.',
  'status-unknown':
    'The service still reports “{word}”, a status that Spool does not know. Retry to ask again, which is free, or say what it means: in the app, or in the service’s profile.',
  'status-missing':
    'The service’s answers still have no status that Spool can read. Retry to ask again, which is free.',
  'finished-without-file':
    'The service says that the video is finished, and still gives no usable link to its file. Retry to ask again, which is free.',
  'refuses-all':
    'The service refused {count:count} videos in a row (it answered {status} last), and not for anything in them. Is its address right? The others wait; those that were refused can be retried.',
  'host-not-now': '{host} could not answer now (status {status}).',
  'answer-odd': 'The answer of {host} could not be understood.',
  'answer-about-another': 'It is about another video.',
  'accepted-with-warnings': 'The service accepted the request with a warning: {text}',
  'file-same-as':
    'This file is byte for byte the same as that of “{title}”, although the requests differ. The service may have delivered the wrong video.',
  'answer-without-link': 'It gave no download link.',
  'answer-link-not-https': 'Its download link is not an https address.',
  'answered-with': 'The service answered with status {status}.',
  'identifier-of-another':
    'The service gave this video the identifier of another one (“{title}”), so it is not known whether it was made.',
  'no-identifier': 'The service answered, but gave no identifier for the video.',
  'status-elsewhere':
    'The service answered, but the address of the video’s status is missing or leads elsewhere.',
  'file-address-elsewhere': 'The address of its file is missing or leads elsewhere.',
  redirected:
    '{host} redirected the request to another address. Spool does not follow redirects with an API key. Check the service’s address.',

  'link-no-address': 'The link is not a web address.',
  'link-with-login': 'The link carries a user name or password.',
  'link-not-https': 'The link is not an https address.',
  'link-not-public': 'The link leads to {host}, which is not a public address.',
  'link-of-other-origin':
    'The link leads to {host}, which the service profile does not allow for files.',
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

  'hold-too-late': 'It can only be held before it is sent.',
  'not-held': 'It is not on hold.',
  'decide-first': 'Decide first whether the service accepted this video.',
  'sending-now': 'It is being sent right now. You can abandon it afterwards.',
  'repeating-now': 'Its request is being sent again right now. Decide once it is answered.',
  'nothing-to-withdraw': 'There is nothing left to cancel.',
  'retry-only-ended': 'Only videos that failed or were cancelled can be retried.',
  'nothing-to-fetch': 'There is no video that could be downloaded again.',
  'name-kept':
    '{name} already exists, and this batch keeps existing files. Move or rename that file first.',
  'place-too-late': 'It has been sent, so its place no longer matters.',
  'priority-too-late': 'It has been sent, so its priority no longer matters.',
  'edit-too-late': 'It has been sent and can no longer be changed.',
  'edit-to-duplicate':
    '“{title}” in {batch} has the same request already. Cancel this video, or change it in another way.',
  'sent-already': 'It has been sent already.',
  'sent-again-meanwhile': 'It was sent again in the meantime. Check it again.',
  renamed: '{from} is now {to}.',
  'rename-gone': 'Its file is missing. Download it again first.',
  'rename-damaged': 'Its file is damaged. Download it again first.',
  'rename-changed': 'It was changed in the meantime. Check it again.',
  'name-taken': 'Another file is already called {name}.',
  'rename-refused': 'It could not be renamed to {name} ({code}).',
  'rename-later': 'Spool was closed first. It is renamed at the next start.',
  'outcome-known': 'The outcome of this video is already known.',
  'identifier-taken': 'The video with this identifier is “{title}”.',

  'in-file': '“{name}”:',
  'at-row': 'Row {row}, {column}:',
  'at-entry': 'Entry {row}, {column}:',
  'at-line': 'Line {row}, {column}:',
  'at-field': '{field}:',
  'cell-empty': 'is empty, and every video needs one.',
  'cell-damaged': 'has damaged characters. Save the file as CSV UTF-8.',
  'cell-not-number': '“{text}” is not a number.',
  'cell-not-whole': '“{text}” is not a whole number.',
  'cell-too-high': '“{text}” is more than {max:count}.',
  'cell-too-low': '“{text}” is less than {min:count}.',
  'cell-not-between': '“{text}” is not between {min:count} and {max:count}.',
  'cell-not-colour': '“{text}” is not a colour such as #ffb020.',
  'cell-not-address':
    '“{text}” is not an address that begins with https://. Files of this computer are not sent.',
  'cell-not-with': '“{text}” is not possible with {given}. Possible: {options}.',
  'cell-not-with-without':
    '“{text}” is not possible with {given} and no {missing}. Possible: {options}.',
  'cell-needed-with': 'is empty, but {given} needs a value.',
  'cell-needed-without': 'is empty, which is possible only with a value for {missing}.',
  'cell-not-one-of': '“{text}” is not one of {options}.',
  'cell-too-many': 'has {count:count} items; at most {max:count} fit.',
  'cell-too-long': '“{text}” has {count:count} characters; at most {max:count} fit.',
  'cell-of-other-kind': 'must be text, a number or a list of texts.',
  'row-of-other-width':
    'Row {row} does not match the header: {cells} instead of {columns} columns. Put text that contains a comma in quotation marks.',
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
  'file-too-complex': '“{name}” is too complex to read.',
  'file-no-rows': '“{name}” has no rows to make videos from.',
  'choice-no-duplicate': 'Row {row} is no duplicate, and there is nothing to decide about it.',
  'choice-already-queued':
    'Row {row} is in this batch already. It can be rendered again once it is saved.',
  'columns-alike': 'Two columns match the same field: “{one}” and “{other}”.',
  'column-missing': 'There is no “{name}” column. The columns are: {columns}.',
  'column-for-nothing': 'No field uses a column for “{name}”.',
  'column-chosen-missing': 'There is no “{given}” column to use for “{name}”.',

  'in-use': 'Spool is already running with this data folder.',
  'in-use-by': 'Spool is already running with this data folder (process {pid}).',
  'folder-lost':
    'This Spool no longer has its data folder: another Spool has taken it over, or it was moved, replaced or removed. This one has stopped and sends nothing more. To continue here, make sure that no other Spool uses the folder, then start it again.',
  'primary-unreachable':
    'Spool is already running with this data folder and does not respond. It may be another version, or busy. Close it, or try again.',
  'primary-silent':
    'The Spool running this queue does not respond. If it was stopped in a terminal with Ctrl-Z, enter “fg” there to continue it; if it hangs, end it. Nothing is lost either way.',
  'primary-of-other-service':
    'Spool is running with this data folder (process {pid}), with the service {service}.',
  'primary-of-other-profile':
    'Spool is running with this data folder (process {pid}), with another service profile.',
  'primary-outdated':
    'The Spool running this queue (process {pid}) is another version, which cannot do this. Close it, and try again.',
  'primary-ended': 'The Spool running this queue has ended. Nothing is lost. Try again.',

  'went-wrong': 'Something unexpected went wrong ({trouble}).',

  'template-unfillable': 'The template cannot be filled:',
  'no-such-column': 'There is no column “{name}”.',
  'at-default': 'The default of {column}:',

  'keychain-silent': 'This computer’s keychain does not respond. Is it waiting for your password?',
  'keychain-disobeys': 'This computer’s keychain does not store keys.',
  'keychain-unusable': 'This computer’s keychain cannot be used.',
  'keychain-unusable-because': 'This computer’s keychain cannot be used ({reason}).',
  'key-in-memory': 'The API key is kept in memory and asked for again next time.',
  'key-not-for-window':
    'SPOOL_API_KEY is for commands; the window does not use it. Enter the key in the window, where it stays out of every program’s environment.',
  'keychain-unlock': 'Unlock it and test the key again, or enter the key again.',
  'install-libsecret':
    'Install libsecret (Debian and Ubuntu call it libsecret-1-0) and start Spool again.',
  'install-keyring':
    'Install GNOME Keyring or KWallet if there is neither, unlock it, and start Spool again.',
  'key-may-remain':
    'The API key is no longer used, but may still be in the keychain: unlock the keychain and delete the entry for Spool.',

  'value-missing': 'This is missing.',
  'value-empty': 'This must not be empty.',
  'value-not-text': 'This must be a text.',
  'value-not-number': 'This must be a number.',
  'value-not-whole': 'This must be a whole number.',
  'value-not-switch': 'This must be true or false.',
  'value-not-list': 'This must be a list.',
  'value-not-object': 'This must be an object.',
  'value-of-other-kind': 'This has the wrong type.',
  'value-one-of': 'This must be one of: {options}.',
  'value-of-no-kind': 'This type is not known.',
  'value-more-than': 'This must be more than {min:count}.',
  'value-at-least': 'This must be at least {min:count}.',
  'value-less-than': 'This must be less than {max:count}.',
  'value-at-most': 'This must be at most {max:count}.',
  'value-too-long': 'This must have at most {max:count} characters.',
  'value-too-many': 'There are at most {max:count} of these.',
  'value-unknown-name': 'There is no “{name}” here.',
  'value-not-date': 'Enter a date such as 2026-03-17.',
  'value-not-https': 'Enter an https address.',
  'address-with-more': 'An address has a host, a port and a path, and nothing else.',
  'address-is-number':
    'A number is not an address. For a service on this computer, enter its host and port: https://127.0.0.1:8080.',
  'value-not-pem': 'This is not a certificate in PEM format.',
  'value-not-path': 'Enter a path such as “movie.status” or “output[0]”.',
  'value-not-service-path':
    'Enter a path such as “/v1/videos”: letters, digits and simple punctuation, without “..”, “//” or “%”.',
  'value-not-path-prefix':
    'Enter the beginning of a path that ends with a slash, such as “/v1/operations/”.',
  'path-needs-placeholder':
    'This path must contain {placeholder} exactly once: as a whole part between slashes, or as a whole value of its query.',
  'path-with-placeholder': 'This path must not contain {placeholder}.',
  'id-not-known':
    '{placeholder} cannot be used here: the address of the status comes from an answer, so there is no identifier.',
  'value-not-origin':
    'Enter an https address without a path, in lower case, such as “https://api.example.com”.',
  'value-not-https-page': 'Enter the https address of a page.',
  'value-not-header': 'This is not the name of a header.',
  'header-reserved': 'A profile cannot set this header.',
  'header-of-key': 'This header already carries the API key.',
  'header-twice': 'This header already has a fixed value.',
  'value-not-header-value':
    'A header’s value has letters, digits, punctuation and single spaces only.',
  'value-not-auth-scheme': 'Enter one word such as “Bearer”, or nothing.',
  'value-not-currency': 'Enter a currency’s three letters, such as EUR.',
  'currency-with-money': 'Costs in money need a currency, and others have none.',
  'value-not-parameter': 'Enter the name of a query parameter, such as “page”.',
  'saved-profile-damaged': 'The saved profile of {origin} is damaged ({field}).',
  'planned-by-other-profile':
    'Nothing was added: these rows were checked for the service’s earlier profile.',
  'service-still-starting':
    'The service on this computer is still starting. Its videos wait; other services continue.',
  'service-replaced': 'The connection to the service was being renewed. Try again.',
  'meant-for-other-service':
    'This was meant for a service that is no longer shown. Show that service and try again.',
  'service-not-in-queue': 'The queue has no such service any more.',
  'profile-of-other-origin': 'This profile is for {origin}.',
  'value-with-braces': 'A column name cannot contain braces.',
  'name-template-invisible': 'The file name template contains invisible characters. Type it again.',
  'value-not-json': 'This must be JSON of at most {max:count} levels.',
  'value-invisible': 'This contains invisible characters. Type it again.',
  'value-unfit': 'This value is not valid here.',
  'zone-unknown': 'There is no such time zone.',
  'plan-limit-negotiated': 'Only a negotiated plan has a number of videos a month.',
  'folder-not-absolute': 'Enter the full path.',
  'folder-on-network':
    'This is the path of a network or a device. Connect it as a drive and choose a folder there.',
  'setting-unknown': 'There is no such setting.',
  'no-settings': 'This is not a Spool settings file.',
  'settings-too-large': 'It is larger than 1 MB, which is too large for settings.',
  'settings-unreadable': 'The file could not be read.',
  'settings-damaged':
    'The settings could not be read. The defaults apply, and the old file was kept as {name}.',

  'setting-service': 'Service',
  'setting-certificate': 'Custom certificate',
  'setting-answers': 'Response mapping of {origin}',
  'setting-plan': 'Plan',
  'plan-custom': '{count:count} videos a month',
  'setting-billing-date': 'Billing date',
  'first-of-month': 'The first of the month',
  'setting-zone': 'Billing time zone',
  'setting-folder': 'Folder',
  'setting-name-template': 'File names',
  'setting-collision': 'If a file already exists',
  'setting-parallel': 'Simultaneous downloads',
  'setting-bandwidth': 'Limit bandwidth',
  'setting-vpn': 'Allow addresses of VPNs and NAT64',
  'setting-notification': 'Notifications:',
  'notify-batch-saved': 'A batch is finished',
  'notify-needs-decision': 'Something needs attention',
  'notify-failed': 'A video failed',
  'setting-start-up': 'When Spool starts',
  'start-up-as-last-time': 'As it was last time',
  'start-up-run': 'Start sending',
  'start-up-paused': 'Stay paused',
  'setting-updates': 'Updates',
  'updates-stable': 'Stable versions',
  'updates-preview': 'Previews too',
  'updates-off': 'None',
  'setting-start-at-login': 'Start when I log in',
  'setting-close-to-tray': 'Keep running when the window is closed',
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
  'service-practice': 'Practice account on this computer ({plan})',
  'collision-number': 'Add a number',
  'collision-skip': 'Skip the video',
  'collision-replace': 'Replace the file',
  'mapping-changed': '“{name}”, changed',
  'setting-destinations': 'Where keys and rows of {origin} go',
  'every-column-sent': 'Every column of a file is sent, under its own name.',
  'rows-go-to': 'Rows go to {address}.',
  'key-goes-to': 'The API key goes to {origin} in the header {header}.',
  'status-comes-from': 'Status from {address}.',
  'files-by-status': 'Files from the links in the status.',
  'files-come-from': 'Files from {address}.',
  'files-only-from': 'Links lead to {origins} only.',
  'headers-sent': 'Further headers: {headers}.',
  'constants-sent': 'Sent with every row: {constants}.',
  'constants-sent-and-more': 'Sent with every row: {constants}, and {count:count} more.',
  'mapping-named': '“{name}”',
  'bytes-a-second': '{count:count} bytes a second',
  verbatim: '{text}',
  'settings-changed-meanwhile':
    'The settings were changed in the meantime. Check the changes again.',

  'list-ends': 'This list ends there.',
  'queue-newer':
    'The queue was written by a newer version of Spool. Install that version to open it.',
  'queue-older':
    'The queue in {folder} was written by an earlier build of Spool; move that folder away to start with an empty queue.',
  'folder-unusable': 'The folder {folder} cannot be used.',
  'data-folder-of-other':
    'The data folder {folder} belongs to another user, who can read and change what is in it.',
  'data-folder-writable':
    'Other users of this computer can change what is in the data folder {folder}. Choose another folder, or remove their permissions.',
  'data-folder-readable':
    'Other users of this computer can read what is in the data folder {folder}, and Spool cannot change that.',
  'data-file-of-other':
    '{name} in the data folder {folder} belongs to another user. Remove it, or choose another data folder.',
  'data-file-no-file':
    '{name} in the data folder {folder} is not a file of Spool, but a link, a folder or something else. Move it away, then start Spool again.',
  'data-file-no-folder':
    '{name} in the data folder {folder} is not a folder of Spool, but a link or a file. Move it away, then start Spool again.',
  'certificate-file-unreadable': 'The certificate file {file} cannot be read.',
  'failure-unreadable': 'This error was recorded by another version of Spool and cannot be read.',
  'here-not-started': 'The local service did not start.',
  'here-too-slow': 'The local service took too long to answer.',
  'here-refused': 'The local service refused a command.',
  'here-unreadable': 'The local service gave an answer that cannot be read.',
  'batch-file-too-large': '{file} is larger than 64 MiB, the limit for a batch.',
  'batch-file-not-regular': '{file} is not a regular file.',
  'batch-files-too-many': '{count} files were left out: at most {max} are checked at a time.',
  'batch-file-gone': '{file} does not exist.',
  'batch-file-folder': '{file} is a folder, not a batch.',
  'batch-file-forbidden': 'You do not have permission to read {file}.',
  'batch-file-unreadable': '{file} cannot be read.',

  'computer-cannot': 'This computer cannot do that from here.',
  'folder-not-yet': 'The folder {folder} is created with the first video.',
  'start-at-login-refused': 'Spool could not change whether it starts when you log in: {trouble}',
  'no-update-now': 'No newer version can be installed now.',
  'not-saved-yet': 'This video is not saved yet.',
  'file-moved': 'The file is not where it was saved.',
  'cannot-be-opened': 'It cannot be opened: {trouble}',
  'answers-known-here': 'The response mapping of the service on this computer cannot be changed.',
  'no-program': 'This computer has no program to open it with.',

  'page-here-only': 'This is not Spool’s address.',
  'page-no-other-site': 'Other sites may not access Spool.',
  'page-origin-needed': 'A connection must say where it comes from.',
  'page-only-read': 'This is read-only.',
  'page-link-needed': 'Open Spool with the link it printed when it started.',
  'page-link-needed-why':
    'Spool has a new address each time it starts, and each link works once. Open the latest link that it printed, and close this page. Your queue and your videos are kept.',
  'page-video-moved': 'This video is not where it was saved.',
  'page-no-poster': 'This video has no poster.',
  'page-nothing-here': 'There is nothing here.',

  'in-english': '{text}',
} as const;

export type MessageName = keyof typeof MESSAGES;
