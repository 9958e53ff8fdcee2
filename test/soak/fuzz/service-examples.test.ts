import { expect } from 'vitest';
import {
  serviceExamplesSchema,
  serviceProposalSchema,
} from '../../../src/contract/service-examples.ts';
import { profileSchema } from '../../../src/engine/profiles/profile.ts';
import { readExampleRequest } from '../../../src/contract/examples/example-request.ts';
import { proposeService } from '../../../src/host/settings/propose-service.ts';
import { documentedExamples } from '../../rigs/service-examples.ts';
import { fuzz, textOf } from './fuzz.ts';

/** Requests as the shells of Windows and bash write them. */
const shells = [
  'curl ^"https://api.example.com/v1/videos^" ^\n -H ^"X-Key: $KEY^" --data-raw ^"^{^\\^"a^\\^":1^}^"',
  'curl.exe "https://api.example.com/v1" `\n -H "X-Key: $KEY" -d "{`"a`":`"b`"}"',
  "KEY=abc curl https://api.example.com/v1 -G --data-urlencode 'id=1' --url-query b=2 --next",
  'RESPONSE=$(curl https://api.example.com/v1 --data-raw $\'{"a":"\\xc3\\251\\U0001F600"}\')',
];

const tokens = [
  'curl ',
  ' -H ',
  ' -d ',
  ' -F ',
  ' -X ',
  '--data-raw ',
  '--json ',
  '-u ',
  "$'",
  '\\\n',
  '<<EOF\n',
  'requests.post(',
  '^"',
  '^\\^"',
  '`"',
  '--proxy-user ',
  '--next',
  ' -G ',
  'export KEY=',
  '-----BEGIN PRIVATE KEY-----',
  '{',
  '[',
  '(',
  'os.environ[',
  '**',
  'sk-',
  'key-',
  'eyJ-',
  'eyJ0123456789.',
  '_0123456789abcdef',
  'token=',
  '&token=abcdef',
  'Authorization: Bearer ',
  'x-api-key: ',
  '{"prompt":"',
  '"$if":',
  '{{',
  '}}',
  '{id}',
  'EOF',
  'https://api.example.com/v1/videos',
  '?key=',
  '@',
  'HTTP/1.1',
  'POST ',
  '# ',
  '“',
  '”',
  '`\n',
];

fuzz('readExampleRequest', {
  seeds: [
    ...shells,
    ...documentedExamples.flatMap(({ examples }) =>
      Object.values(examples.requests).filter((text) => text !== ''),
    ),
  ],
  tokens,
  parse: (bytes) => readExampleRequest(textOf(bytes)),
  check(request) {
    if (request === null) return;
    expect(request.method).toBe(request.method.toUpperCase());
    for (const [name] of request.headers) expect(name).toBe(name.toLowerCase());
  },
});

const SEPARATOR = '\n---\n';

fuzz('proposeService', {
  seeds: documentedExamples.map(({ examples: { requests, answers } }) =>
    [
      requests.generate,
      requests.status,
      requests.file,
      requests.cancel,
      requests.list,
      answers.generate,
      answers.status,
      answers.download,
    ].join(SEPARATOR),
  ),
  tokens: [...tokens, SEPARATOR],
  found: {
    'a key whose parts are names of an answer': [
      'POST /v1 HTTP/1.1\nHost: a.example\nx-api-key:{"id":"vid_xyz789","status":"waiting"}',
      '{"data":{"id":"vid_xyz789","status":"processing","title":"A"}}',
    ].join(SEPARATOR),
    'a path of thousands of characters': `https://a.example/${'v'.repeat(3000)}\n{"prompt":"A lake"}`,
    'a host of thousands of characters': `https://${'v'.repeat(3000)}.example/\n{"prompt":"A lake"}`,
    'a header of thousands of characters': `curl https://a.example/v -H '${'v'.repeat(3000)}: $KEY'`,
  },
  parse(bytes) {
    const [generate, status, file, cancel, list, accepted, statuses, download] =
      textOf(bytes).split(SEPARATOR);
    return proposeService(
      serviceExamplesSchema.parse({
        requests: { generate, status, file, cancel, list },
        answers: { generate: accepted, status: statuses, download },
      }),
    );
  },
  check(proposal) {
    serviceProposalSchema.parse(proposal);
    const { profile, checked, cleaned } = proposal;
    // A profile without an error can be saved, and cleaned examples contain no key.
    if (checked.errors.length === 0) profileSchema.parse(profile);
    const { hadKey } = proposeService(serviceExamplesSchema.parse(cleaned));
    expect(hadKey).toBe(false);
    if (JSON.stringify(profile).includes('"by-examples"')) {
      expect(checked.reading?.statuses.some(({ state }) => state === 'done')).toBe(true);
      expect(checked.reading?.statuses.every(({ state }) => state !== null)).toBe(true);
    }
  },
});
