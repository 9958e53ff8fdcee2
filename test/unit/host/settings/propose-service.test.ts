import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import {
  serviceExamplesSchema,
  serviceProposalSchema,
  type ServiceExamples,
  type ServiceProposal,
} from '../../../../src/contract/service-examples.ts';
import type { serviceApiSchema } from '../../../../src/contract/service-profile.ts';
import { proposeService } from '../../../../src/host/settings/propose-service.ts';
import { documentedExamples } from '../../../rigs/service-examples.ts';

type Partly = {
  readonly [Part in keyof ServiceExamples]?: Partial<ServiceExamples[Part]>;
};

const REQUEST = `curl https://api.example.com/v1/videos -H 'Authorization: Bearer $KEY' \\
  -d '{"prompt":"A lake","seconds":5,"model":"m-1"}'`;
const BASE = {
  requests: { generate: REQUEST, status: 'https://api.example.com/v1/videos/{id}' },
  answers: {
    generate: '{"id":"vid_1","status":"queued"}',
    status: '{"id":"vid_1","status":"done","url":"https://files.example/1.mp4"}',
  },
} satisfies Partly;

function propose(change: Partly = {}): ServiceProposal {
  const examples = serviceExamplesSchema.parse({
    ...change,
    requests: { ...BASE.requests, ...change.requests },
    answers: { ...BASE.answers, ...change.answers },
  });
  return serviceProposalSchema.parse(proposeService(examples));
}

const apiOf = ({ profile }: ServiceProposal) => profile.api as z.input<typeof serviceApiSchema>;
const bodyOf = ({ profile }: ServiceProposal) => (profile.request as { body: unknown }).body;
const triedOf = ({ checked }: ServiceProposal) => checked.offer?.api.about.tried;

describe('a service proposed from examples', () => {
  test.each(documentedExamples.map(({ service, examples }) => [service, examples] as const))(
    'is complete with the examples that %s documents',
    (_, examples) => {
      const proposal = proposeService(examples);
      expect(proposal.missing).toEqual([]);
      expect(proposal.checked.errors).toEqual([]);
      expect(proposal.hadKey).toBe(false);
      expect(triedOf(proposal)).toBe('by-examples');
    },
  );

  test('settles no request automatically, is cautious, and says so', () => {
    for (const { examples } of documentedExamples) {
      const { checked, assumed } = proposeService(examples);
      expect(checked.offer?.api.once).toEqual({
        idempotencyHeader: null,
        keyLifeMs: null,
        idField: null,
        list: null,
      });
      expect(assumed).toEqual(['requests', 'concurrent']);
      expect(checked.offer?.api.limits.concurrent).toEqual({ count: 1 });
      expect(checked.offer?.api.limits.windows.map(({ known }) => known)).not.toContain(
        'documented',
      );
      expect(checked.offer?.isCostKnown).toBe(false);
    }
  });

  test('uses the corrections of the user, and reports their errors by field', () => {
    const proposal = propose({
      corrected: {
        name: 'Lakes',
        origin: 'https://eu.example.com/',
        requests: '100',
        span: 'hour',
        concurrent: '',
        cost: '0,25',
        costUnit: 'eur',
        authHeader: 'X-Lake-Key',
        authScheme: '',
        statusPath: '/v2/videos/{id}',
      },
    });
    expect(proposal.checked.errors).toEqual([]);
    expect(proposal.checked.offer?.origin).toBe('https://eu.example.com');
    const api = proposal.checked.offer!.api;
    expect(api.auth).toEqual({ header: 'x-lake-key', scheme: '' });
    expect(api.limits.windows[0]).toEqual({
      endpoint: 'generate',
      count: 100,
      perMs: 3_600_000,
      known: 'documented',
    });
    expect(api.limits.concurrent).toBeNull();
    expect(api.cost).toMatchObject({ unit: 'money', currency: 'EUR', rule: { fixed: 0.25 } });
    expect(api.status).toEqual({ path: '/v2/videos/{id}', everyMs: null });
    expect(proposal.assumed).toEqual([]);

    const { checked } = propose({
      corrected: {
        name: '',
        origin: 'http://api.example.com',
        requests: 'many',
        cost: '-',
        generatePath: '//evil.example',
        statusPath: '/v1/videos',
        authHeader: 'Cookie',
      },
    });
    expect(checked.errors.map(({ field }) => field)).toEqual(
      expect.arrayContaining([
        'name',
        'api.origin',
        'api.auth.header',
        'api.generate.path',
        'api.status.path',
        'api.limits.windows.0.count',
        'api.cost.rule.fixed',
      ]),
    );
    expect(checked.offer).toBeNull();
  });

  test('removes callback addresses and headers of a single request', () => {
    const proposal = propose({
      requests: {
        generate: `curl https://api.example.com/v1/videos?token=abcdef123 -H 'X-Api-Key: <key>'
          -H 'X-Version: 2' -H 'X-Team: {team_id}' -H 'Idempotency-Key: 0b1c'
          -H 'Accept: */*' -H 'X-User-Token: abcdefgh' -b 'session=1234567'
          -d '{"prompt":"A lake","webhook":{"url":"https://me.example/hook"},"callbackUrl":"https://me.example","apiToken":"abcdefgh","$if":"prompt"}'`,
      },
    });
    expect(apiOf(proposal).headers).toEqual({ 'x-version': '2' });
    expect(apiOf(proposal).generate?.path).toBe('/v1/videos');
    expect(bodyOf(proposal)).toEqual({ prompt: '{{prompt}}' });
    expect(proposal.leftOut).toEqual(
      expect.arrayContaining([
        'x-team',
        'idempotency-key',
        'x-user-token',
        'cookie',
        'token',
        'webhook',
        'callbackUrl',
        'apiToken',
        '$if',
      ]),
    );
    expect(proposal.checked.errors).toEqual([]);
  });

  test('says what is missing', () => {
    const nothing = proposeService(serviceExamplesSchema.parse({}));
    expect(nothing.missing).toEqual([
      'request',
      'address',
      'key',
      'text',
      'id',
      'status-path',
      'status',
      'done',
      'link',
    ]);
    expect(nothing.checked.offer).toBeNull();
    expect(nothing.profile.api).toMatchObject({ about: { tried: 'never' } });
    expect(propose({ answers: { status: '{"id":"vid_1","status":"rendering"}' } }).missing).toEqual(
      ['done', 'link'],
    );
    expect(propose({ requests: { generate: 'curl -d x http://' } }).missing).toContain('address');
  });

  test('finds the address of the status in the answer', () => {
    const { fields } = propose({
      requests: { status: '' },
      answers: {
        generate:
          '{"id":"v-1","urls":{"cancel":"https://api.example.com/v/v-1/cancel","get":"https://api.example.com/v/v-1"}}',
      },
    });
    expect(fields.statusPath).toBe('/v/{id}');
    const elsewhere = propose({
      requests: { status: '' },
      answers: { generate: '{"id":"v-1","status_url":"https://evil.example/v/v-1"}' },
    });
    expect(elsewhere.fields.statusPath).toBe('');
    expect(elsewhere.missing).toContain('status-path');
  });

  test('finds an operation by its name, which has slashes', () => {
    const proposal = propose({
      requests: { status: 'https://api.example.com/v1beta/models/m/operations/op123' },
      answers: { generate: '{"name":"models/m/operations/op123"}' },
    });
    expect(apiOf(proposal).status).toEqual({ addressAt: 'name', under: '/v1beta/' });
  });

  test('makes columns of values that vary, and keeps the rest', () => {
    const proposal = propose({
      requests: {
        generate: `POST https://api.example.com/v1/videos
Authorization: Bearer <token>

{ "title": "Lake", "input": { "prompt": "A lake at night", "image_url": "https://x.example/a.png",
  "negative_prompt": "blur, text", "seed": 7, "avatar_id": "YOUR_AVATAR_ID", "fps": 24, "loop": false },
  "note": "kept {{as}} it is" }`,
      },
    });
    expect(bodyOf(proposal)).toEqual({
      title: '{{title}}',
      input: {
        prompt: '{{prompt}}',
        image_url: '{{image_url}}',
        negative_prompt: 'blur, text',
        seed: '{{seed}}',
        avatar_id: '{{avatar_id}}',
        fps: 24,
        loop: false,
      },
      note: 'kept as it is',
    });
    expect(proposal.columns.filter(({ isRequired }) => isRequired)).toEqual([
      { name: 'title', path: 'title', isRequired: true },
      { name: 'prompt', path: 'input.prompt', isRequired: true },
      { name: 'avatar_id', path: 'input.avatar_id', isRequired: true },
    ]);
    expect(proposal.checked.errors).toEqual([]);
  });
});

describe('how far a proposed service was tried', () => {
  test.each<[string, Partly]>([
    ['an identifier', { answers: { generate: '{"ok":true}' } }],
    ['an answer to the request', { answers: { generate: '' } }],
    ['a finished video', { answers: { status: '{"id":"vid_1","status":"queued"}' } }],
    ['a link', { answers: { status: '{"id":"vid_1","status":"done"}' } }],
    [
      'the meaning of a word',
      {
        answers: { status: '{"status":"shipped"}\n{"status":"done","url":"https://f.example/1"}' },
      },
    ],
    ['an address', { requests: { generate: REQUEST.replace('https://api.example.com', '') } }],
    ['JSON in an answer', { answers: { download: 'It is a file.' } }],
  ])('is “never” without %s', (_, change) => {
    const proposal = propose(change);
    expect(proposal.profile.api).toMatchObject({ about: { tried: 'never' } });
    if (proposal.checked.offer !== null) expect(triedOf(proposal)).toBe('never');
  });

  test('is “by-examples” once the user has defined a word', () => {
    const status = '{"status":"shipped","url":"https://f.example/1"}';
    expect(propose({ answers: { status } }).words).toEqual([{ word: 'shipped', means: null }]);
    const defined = propose({ answers: { status }, words: { shipped: 'done' } });
    expect(triedOf(defined)).toBe('by-examples');
    expect(defined.words).toEqual([{ word: 'shipped', means: 'done' }]);
  });
});

// abuse.md 57
describe('a key in an example', () => {
  const KEY = 'aB3dE5fG7hI9jK1lM3nO';

  test.each<[string, Partial<ServiceExamples['requests']>]>([
    ['a header', { generate: REQUEST.replace('$KEY', KEY) }],
    [
      'a header of another name',
      { generate: REQUEST.replace('Authorization: Bearer $KEY', `X-Api-Key: ${KEY}`) },
    ],
    ['the address', { status: `https://api.example.com/v1/videos/{id}?api_key=${KEY}` }],
    ['the name of a user', { status: `https://me:${KEY}@api.example.com/v1/videos/{id}` }],
    ['a cookie', { list: `curl -b 'id=${KEY}; a=1' https://api.example.com/v1/videos` }],
    ['an option', { list: `curl -u ${KEY}: https://api.example.com/v1/videos` }],
    [
      'an unknown header',
      { generate: REQUEST.replace('-d', `-H 'X-Acme: ${KEY}' -H 'X-Acme-Pass: ${KEY}' -d`) },
    ],
    ['a name without hyphens', { generate: REQUEST.replace('-d', `-H 'xapikey: ${KEY}' -d`) }],
    [
      'basic authentication, both ways',
      {
        status: `curl -u me:${KEY} https://api.example.com/v1/videos/{id}`,
        list: `GET https://api.example.com/v1/videos\nX-Id: ${btoa(`me:${KEY}`)}`,
        cancel: `curl -X DELETE https://api.example.com/v1/${KEY}/{id}`,
      },
    ],
    [
      'an escaped parameter',
      {
        status: `https://api.example.com/v1/videos/{id}?token=${KEY}%3D`,
        cancel: `curl -X DELETE https://api.example.com/v1/videos/{id} -H 'X-A: ${KEY}='`,
      },
    ],
    ['the body', { generate: REQUEST.replace('"m-1"', `"m-1","auth":{"token":"${KEY}"}`) }],
    [
      'an argument of another option',
      {
        generate: REQUEST.replace('$KEY', KEY),
        cancel: `curl -X DELETE https://api.example.com/v1/${KEY}/{id}`,
      },
    ],
  ])('in %s is removed from the proposal', (_, requests) => {
    const proposal = propose({ requests, answers: { generate: `{"id":"vid_1","note":"${KEY}"}` } });
    expect(proposal.hadKey).toBe(true);
    expect(JSON.stringify(proposal)).not.toContain(KEY);
    expect(proposal.checked.errors).toEqual([]);
  });

  test('in base64 is removed where it occurs without', () => {
    const list = `GET https://api.example.com/v1/videos\nAuthorization: Basic ${btoa(`me:${KEY}`)}`;
    const cancel = `curl -X DELETE https://api.example.com/v1/${KEY}/{id}`;
    const proposal = propose({ requests: { list, cancel } });
    expect(proposal.hadKey).toBe(true);
    expect(JSON.stringify(proposal)).not.toContain(KEY);
  });

  test('that begins with another one is removed completely', () => {
    const longer = `${KEY}-and-more`;
    const proposal = propose({
      requests: {
        status: `https://api.example.com/v1/videos/{id}?token=${KEY}`,
        list: `curl https://api.example.com/v1/videos -H 'X-Api-Key: ${longer}'`,
      },
    });
    expect(JSON.stringify(proposal)).not.toMatch(/aB3dE5|and-more/);
  });

  test('that looks like a word is removed from the field of a form that is named for it', () => {
    const generate = "curl https://api.example.com/v1/videos -F password=sesame -F prompt='A lake'";
    const proposal = propose({ requests: { generate } });
    expect(proposal.hadKey).toBe(true);
    expect(JSON.stringify(proposal)).not.toContain('sesame');
  });

  test('of a known format is removed wherever it occurs', () => {
    const key = 'sk-proj-0123456789abcdefghij';
    const proposal = propose({
      requests: { generate: REQUEST.replace('m-1', key) },
      answers: { download: `{"url":"https://f.example/?k=${key}"}` },
      corrected: { authScheme: key, name: `My ${key}` },
    });
    expect(proposal.hadKey).toBe(true);
    expect(JSON.stringify(proposal)).not.toContain(key);
  });

  test('is not a signed link or the name of a field', () => {
    const proposal = propose({
      requests: {
        generate: REQUEST.replace('"m-1"', '"m-1","key_frame_interval_in_seconds":2'),
      },
      answers: {
        status: `{"id":"vid_1","status":"done","url":"https://f.example/1?_jwt=eyJhbGciOiJIUzI1.eyJrZXlIYXNoIjoi.Zm9v"}`,
      },
    });
    expect(proposal.hadKey).toBe(false);
    expect(bodyOf(proposal)).toHaveProperty('key_frame_interval_in_seconds', 2);
    expect(triedOf(proposal)).toBe('by-examples');
    expect(JSON.stringify(proposal)).not.toContain('eyJ');
  });

  test.each([
    ['a second command', `${REQUEST}\ncurl https://a.example -H 'Authorization: Bearer ${KEY}'`],
    ['a variable of the shell', `export LAKE_TOKEN="${KEY}"\n${REQUEST}`],
    ['Python', `post("https://a.example/v1", headers={"Authorization": "Bearer ${KEY}"})`],
    ['JavaScript', `fetch("https://a.example", { headers: { 'x-api-key': '${KEY}' } })`],
    ['an item of Python', `headers["X-Api-Key"] = "${KEY}"\n${REQUEST}`],
    ['a default in Python', `key = os.environ.get("API_KEY", "${KEY}")\n${REQUEST}`],
    ['a pair of Python', `post("https://a.example/v1", params=[("api_key", "${KEY}")])`],
    ['a login of Python', `post("https://a.example/v1", auth=HTTPBasicAuth("me", "${KEY}"))`],
    ['a session of Python', `session.auth = ("me", "${KEY}")\n${REQUEST}`],
    ['a form in the body', `curl https://a.example -d secret_key=${KEY} -d prompt=Lake`],
    ['a text in the body', REQUEST.replace('m-1', `Bearer ${KEY}`)],
    ['JSON in the body', REQUEST.replace('m-1', `{\\"apiKey\\":\\"${KEY}\\"}`)],
    ['an address without a scheme', `curl me:${KEY}@api.example.com/v1/videos -d '{"a":"b c"}'`],
    ['a fragment', REQUEST.replace('/videos', `/videos#access_token=${KEY}`)],
  ])('in %s is removed from the examples', (_, generate) => {
    const proposal = propose({ requests: { generate } });
    expect(proposal.hadKey).toBe(true);
    expect(JSON.stringify(proposal)).not.toContain(KEY);
  });

  test('in an answer is removed from the examples', () => {
    const generate = `{"id":"vid_1","status":"queued","access_token":"${KEY}"}`;
    const proposal = propose({ answers: { generate } });
    expect(proposal.hadKey).toBe(true);
    expect(JSON.stringify(proposal)).not.toContain(KEY);
    expect(proposal.missing).toEqual([]);
  });

  test.each<Partial<ServiceExamples['corrected']>>([
    { authScheme: KEY },
    { authScheme: `Bearer ${KEY}` },
    { authHeader: KEY },
    { authHeader: `X-Key: ${KEY}` },
    { origin: `https://me:${KEY}@api.example.com` },
    { origin: `${KEY}@api.example.com` },
    { statusPath: `/v1/{id}?token=${KEY}` },
  ])('entered as %o is dropped', (corrected) => {
    const proposal = propose({ corrected });
    expect(proposal.hadKey).toBe(true);
    expect(JSON.stringify(proposal)).not.toContain(KEY);
    expect(proposal.checked.errors).toEqual([]);
  });

  test('of an example is dropped from every field', () => {
    const generate = REQUEST.replace('$KEY', KEY);
    const corrected = { name: KEY, generatePath: `/v1/${KEY}`, costUnit: KEY };
    expect(JSON.stringify(propose({ requests: { generate }, corrected }))).not.toContain(KEY);
  });

  test.each([
    'X-Version: 2024-11-06',
    'X-Model: text-to-video-v2-turbo-1080p',
    'X-Region: eu-west-1',
    'X-Project-Id: 497f6eca-6276-4993-bfeb-53cbbbba6f08',
    'X-Mode: asynchronous',
  ])('is not the header %s', (line) => {
    const [name = '', value = ''] = line.toLowerCase().split(': ');
    const proposal = propose({ requests: { generate: REQUEST.replace('-d', `-H '${line}' -d`) } });
    expect(proposal.hadKey).toBe(false);
    expect(apiOf(proposal).headers).toEqual({ [name]: value });
  });

  test('is searched for within 2 s of processor time in any text', () => {
    const parts = ['eyJ-', 'eyJaaaaaaaaaa.', 'sk-', 'key=', 'a-', 'key: "', '12345678-', 'Bearer '];
    for (const part of parts) {
      const text = part.repeat(131_072 / part.length);
      const before = process.threadCpuUsage();
      propose({ requests: { generate: text }, answers: { status: text } });
      expect(process.threadCpuUsage(before).user).toBeLessThan(2_000_000);
    }
  });

  test('that is split by quotes removes the whole request', () => {
    const generate = REQUEST.replace(
      "'Authorization: Bearer $KEY'",
      `'X-Api-Key: aB3dE5'"fG7hI9jK1l"`,
    );
    const proposal = propose({ requests: { generate } });
    expect(proposal.cleaned.requests.generate).toBe('');
    expect(JSON.stringify(proposal)).not.toMatch(/aB3dE5|fG7hI9/);
  });

  test.each([
    '$API_KEY',
    '${API_KEY}',
    '<token>',
    'YOUR_API_KEY',
    '{api_key}',
    'sk-...',
    'xxxxxxxx',
    'API_KEY',
  ])('is not %s', (placeholder) => {
    const proposal = propose({ requests: { generate: REQUEST.replace('$KEY', placeholder) } });
    expect(proposal.hadKey).toBe(false);
    expect(proposal.fields).toMatchObject({ authHeader: 'authorization', authScheme: 'Bearer' });
  });
});

/** As the public documentation of these services shows them, in our words. */
describe('a proposal', () => {
  test('is not complete when the file has another identifier than the video', () => {
    const requests = {
      generate: `curl https://api.minimax.example/v1/video_generation -H 'Authorization: Bearer $KEY' -d '{"model":"M","prompt":"A lake"}'`,
      status: 'https://api.minimax.example/v1/query/video_generation?task_id=176843862716480',
    };
    const answers = {
      generate: '{"task_id":"176843862716480","base_resp":{"status_code":0}}',
      status: '{"task_id":"176843862716480","status":"Success","file_id":"205258526306433"}',
      download: '{"file":{"file_id":"205258526306433","download_url":"https://f.example/v.mp4"}}',
    };
    for (const id of ['205258526306433', '{file_id}', '$FILE_ID', '<file-id>']) {
      const file = `https://api.minimax.example/v1/files/retrieve?file_id=${id}`;
      const proposal = propose({ requests: { ...requests, file }, answers });
      expect(proposal.missing).toEqual(['file-id']);
      expect(triedOf(proposal)).toBe('never');
    }
  });

  test.each([
    ['result_url', '{"id":"tlk_1","status":"done","result_url":"https://f.example/a/b.mp4?X=1"}'],
    [
      'a video file under any name',
      '{"id":"tlk_1","status":"done","thumbnail":"https://f.example/a.jpg","rendition":"https://f.example/b.mp4"}',
    ],
  ])('finds the link in %s', (_, done) => {
    const requests = {
      generate: `curl https://api.did.example/talks -u KEY: -d '{"script":{"type":"text","input":"Hello there"}}'`,
      status: 'https://api.did.example/talks/tlk_1',
    };
    const generate = '{"id":"tlk_1","status":"created"}';
    const proposal = propose({ requests, answers: { generate, status: done } });
    expect(proposal.checked.reading?.link).toMatchObject({
      kind: 'link',
      link: { url: expect.stringContaining('.mp4') as string },
    });
  });

  test('finds a status word that is nested under its own name', () => {
    const requests = {
      generate: `curl https://api.kling.example/v1/videos/text2video -H 'Authorization: Bearer $KEY' -d '{"model_name":"kling-v1","prompt":"A lake"}'`,
      status: 'https://api.kling.example/v1/videos/text2video/{id}',
    };
    const task = (more: string) =>
      `{"code":0,"message":"SUCCEED","data":{"task_id":"C1xyz90","task_status_msg":"",${more}}}`;
    const proposal = propose({
      requests,
      answers: {
        generate: task('"task_status":"submitted"'),
        status: `${task('"task_status":"processing"')}\n${task('"task_status":"succeed","task_result":{"videos":[{"id":"v1","url":"https://f.example/v.mp4"}]}')}`,
      },
    });
    expect(proposal.missing).toEqual([]);
    expect(proposal.words).toEqual([
      { word: 'processing', means: 'working' },
      { word: 'succeed', means: 'done' },
    ]);
  });

  test('keeps the names of a template’s parts, and makes a column of each text', () => {
    const generate = `curl https://api.bannerbear.example/v2/videos -H 'Authorization: Bearer $KEY' -d '{
      "video_template":"lp9n3",
      "modifications":[
        {"name":"headline","text":"Hello","color":"#ff0000"},
        {"name":"photo","image_url":"https://f.example/a.jpg"},
        {"text":"No name"}
      ]}'`;
    expect(bodyOf(propose({ requests: { generate } }))).toMatchObject({
      modifications: [
        { name: 'headline', text: '{{headline}}', color: '{{headline.color}}' },
        { name: 'photo', image_url: '{{photo.image_url}}' },
        { text: '{{text}}' },
      ],
    });
  });

  test('names the notation of an example that is not read', () => {
    const generate = 'import requests\nrequests.post("https://a.example/v")';
    expect(propose({ requests: { generate } }).unreadable).toEqual({ generate: 'Python' });
  });
});

describe('a picture that is uploaded before the request', () => {
  const UPLOAD =
    'curl https://api.example.com/v1/files -H "Authorization: Bearer $KEY" -F data=@a.png';

  function proposeUpload(body: object, answer: string, upload = UPLOAD) {
    const proposal = propose({
      requests: { generate: requestWith(body), upload },
      answers: { upload: answer },
    });
    const columns = (proposal.profile.request as { columns: Record<string, unknown> }).columns;
    return { ...proposal, upload: apiOf(proposal).upload, columns, body: bodyOf(proposal) };
  }

  const requestWith = (body: object): string =>
    `POST https://api.example.com/v1/videos\nAuthorization: Bearer $KEY\n\n${JSON.stringify({ prompt: 'A lake', ...body })}`;

  test.each([
    ['its identifier', { start: { asset: 'as_17' } }, '{"data":{"key":"as_17"}}', 'data.key'],
    [
      'its address',
      { i2v: 'https://f.example/1' },
      '{"urls":{"get":"https://f.example/1"}}',
      'urls.get',
    ],
    [
      'a field of its name',
      { asset_id: 'YOUR_ASSET' },
      '{"id":"x","asset_id":"as_17"}',
      'asset_id',
    ],
    [
      'a field of an identifier',
      { image_id: '<id>' },
      '{"url":"https://f.example/1","id":"f_1"}',
      'id',
    ],
    [
      'a field of an address',
      { image_url: 'https://a.example/b.png' },
      '{"id":"f_1","url":"https://f.example/1"}',
      'url',
    ],
  ])('is recognised by %s in the request', (_, body, answer, at) => {
    const { upload, checked, columns, missing } = proposeUpload(body, answer);
    expect(missing).toEqual([]);
    expect(checked.errors).toEqual([]);
    expect(upload).toEqual({ path: '/v1/files', part: 'data', at });
    const pictures = Object.values(columns).filter(
      (column) => (column as { type: string }).type === 'picture',
    );
    expect(pictures).toMatchObject([{ send: 'upload' }]);
  });

  test('as a body of its own has no form field', () => {
    const upload =
      'curl https://api.example.com/v1/files -H "Content-Type: image/png" --data-binary @a.png';
    const proposal = proposeUpload({ image: 'f_1' }, '{"id":"f_1"}', upload);
    expect(proposal.upload).toEqual({ path: '/v1/files', part: null, at: 'id' });
    expect(proposal.body).toEqual({ prompt: '{{prompt}}', image: '{{image}}' });
  });

  test.each([
    ['a number', { seconds: 17, image_id: 17 }, { as: 'number' }],
    ['a text', { seconds: 17, image_id: '17' }, {}],
  ])('with a number as its identifier is named by %s where the request has one', (_, body, as) => {
    const proposal = proposeUpload(body, '{"size":5,"id":17}');
    expect(proposal.upload).toEqual({ path: '/v1/files', part: 'data', at: 'id', ...as });
    expect(proposal.checked.errors).toEqual([]);
    expect(proposal.body).toMatchObject({ image_id: '{{image_id}}', seconds: '{{seconds}}' });
  });

  test.each([
    [
      'to another origin',
      { image: 'f_1' },
      '{"id":"f_1"}',
      'POST https://upload.example.com/v1/files',
    ],
    ['without its response', { image: 'f_1' }, '', UPLOAD],
    ['that the request does not name', {}, '{"id":"f_1"}', UPLOAD],
  ])('%s is not proposed, and said to be missing', (_, body, answer, upload) => {
    const proposal = proposeUpload(body, answer, upload);
    expect(proposal.upload).toBeNull();
    expect(proposal.missing).toEqual(['upload']);
  });

  test('whose example has a key is proposed without it', () => {
    const key = 'sk-0123456789abcdefghijklmnop';
    const proposal = proposeUpload({ image: 'f_1' }, '{"id":"f_1"}', UPLOAD.replace('$KEY', key));
    expect(proposal.hadKey).toBe(true);
    expect(JSON.stringify(proposal)).not.toContain(key);
  });
});
