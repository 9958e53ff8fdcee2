import { describe, expect, test } from 'vitest';
import { withoutKeys } from '../../../../src/contract/examples/example-credentials.ts';
import { readExampleRequest } from '../../../../src/contract/examples/example-request.ts';
import { firstCommandIn } from '../../../../src/contract/examples/shell-words.ts';

describe('a curl command', () => {
  test('is read over several lines, in quotes of both kinds', () => {
    const request = readExampleRequest(`
      # Make a video
      $ curl -sS --request POST "https://api.example.com/v1/videos" \\
        -H 'Content-Type: application/json' \\
        -H "Authorization: Bearer $API_KEY" --max-time 30 -o out.json \\
        -d '{ "prompt": "A cat'\\''s lake", "seconds": 5 }'
    `);

    expect(request).toEqual({
      method: 'POST',
      url: 'https://api.example.com/v1/videos',
      headers: [
        ['content-type', 'application/json'],
        ['authorization', 'Bearer $API_KEY'],
      ],
      body: { kind: 'json', value: { prompt: "A cat's lake", seconds: 5 } },
    });
  });

  test.each([
    ['a lost backslash', `curl https://a.example/v\n  -H 'X: 1'\n  -d '{"a":1}'`],
    ['cmd', `curl https://a.example/v ^\r\n -H "X: 1" ^\r\n -d "{\\"a\\":1}"`],
    ['PowerShell', `curl.exe https://a.example/v \`\n -H 'X: 1' -d '{"a":1}'`],
    ['quotes of bash', `curl https://a.example/v -H $'X: \\x31' -d $'{\\n"a":1}'`],
    ['typographic quotes', `curl “https://a.example/v” -H ‘X: 1’ --data-raw ‘{"a":1}’`],
    ['a here-document', `curl https://a.example/v -H 'X: 1' -d @- <<'EOM'\n{"a":\n1}\nEOM\nls`],
    ['--json', `curl --json '{"a":1}' -H 'X: 1' --url https://a.example/v`],
    ['short options in one', `curl -sSXPOST https://a.example/v -HX:1 -d'{"a":1}' | jq .`],
    ['a trailing comma', `curl https://a.example/v -H 'X: 1' -d '{"a":1, // one\n}'`],
  ])('is read with %s', (_, text) => {
    const request = readExampleRequest(text);
    expect(request?.method).toBe('POST');
    expect(request?.url).toBe('https://a.example/v');
    expect(request?.headers.find(([name]) => name === 'x')).toEqual(['x', '1']);
    expect(request?.body).toEqual({ kind: 'json', value: { a: 1 } });
  });

  test('has the parts of a form, and the names of its files', () => {
    const request = readExampleRequest(
      `curl https://a.example/v -F prompt="A lake; wide" -F 'image=@a.png;type=image/png' --form-string 'note=@me'`,
    );
    expect(request?.method).toBe('POST');
    expect(request?.body).toEqual({
      kind: 'form',
      fields: [
        ['prompt', 'A lake; wide'],
        ['note', '@me'],
      ],
      files: ['image'],
    });
  });

  test('keeps addresses with & that were not quoted', () => {
    expect(readExampleRequest('curl https://a.example/v?project=1&format=simple')?.url).toBe(
      'https://a.example/v?project=1&format=simple',
    );
  });

  test('keeps the text of a body that is not a JSON object, or that is in a file', () => {
    for (const data of ['prompt=lake&seconds=5', '@body.json', '[1]']) {
      const request = readExampleRequest(`curl https://a.example/v -d '${data}'`);
      expect(request?.body).toEqual({ kind: 'other', text: data });
    }
  });

  test('distinguishes credentials from other options', () => {
    const request = readExampleRequest(`curl -u me:secret -b 'session=1' https://a.example/v`);
    expect(request?.headers).toEqual([
      ['authorization', 'Basic me:secret'],
      ['cookie', 'session=1'],
    ]);
  });
});

describe('a request', () => {
  test('is read in the format of HTTP', () => {
    const request = readExampleRequest(
      'POST /v1/videos HTTP/1.1\r\nHost: api.example.com\r\nX-API-Key: {your_key}\r\n\r\n{"a":1}',
    );
    expect(request).toEqual({
      method: 'POST',
      url: 'https://api.example.com/v1/videos',
      headers: [['x-api-key', '{your_key}']],
      body: { kind: 'json', value: { a: 1 } },
    });
  });

  test('is read as an address with a body', () => {
    expect(readExampleRequest('https://api.example.com/v1/videos\n{"a":1}')).toEqual({
      method: 'POST',
      url: 'https://api.example.com/v1/videos',
      headers: [],
      body: { kind: 'json', value: { a: 1 } },
    });
  });

  test.each([
    ['GET https://api.example.com/v1/tasks/{id}', 'https://api.example.com/v1/tasks/{id}'],
    ['https://api.example.com/v1/tasks/:id', 'https://api.example.com/v1/tasks/:id'],
    ['/v1/tasks/<id>', '/v1/tasks/<id>'],
  ])('can be an address alone: %s', (text, url) => {
    expect(readExampleRequest(text)).toEqual({
      method: 'GET',
      url,
      headers: [],
      body: { kind: 'none' },
    });
  });

  test.each(['', 'It makes a video.', 'curl', 'client.videos.create(prompt="A lake")', '[1]'])(
    'is not in %j',
    (text) => {
      expect(readExampleRequest(text)).toBeNull();
    },
  );

  test('of any size is read within 2 s of processor time', () => {
    const texts = [
      `curl "${'\\"'.repeat(500_000)}`,
      'curl '.repeat(200_000),
      '\n{'.repeat(500_000),
    ];
    texts.push(`curl -d '{"a":${',"'.repeat(300_000)}`, `curl <<${' <<a'.repeat(200_000)}`);
    for (const text of texts) {
      const before = process.threadCpuUsage();
      readExampleRequest(text);
      expect(process.threadCpuUsage(before).user).toBeLessThan(2_000_000);
    }
  });
});

test('nothing in a command is expanded', () => {
  const { words } = firstCommandIn('curl "$(cat ~/.key)" `id` $HOME \'$A\' "a\\"b" \\# # remark');
  expect(words).toEqual(['curl', '$(cat ~/.key)', '`id`', '$HOME', '$A', 'a"b', '#']);
});

describe('a Python call', () => {
  test('is read with the variables before it', () => {
    const request = readExampleRequest(`
import os, requests
API_KEY = os.environ["ACME_KEY"]  # from the dashboard
base = 'https://api.example.com'
headers = {
    "Authorization": f"Bearer {API_KEY}",
    'X-Version': '2026' '-01',
}
payload = {"prompt": "A lake", "seconds": 5, "loop": True, "seed": None, "tags": ["a", ("b",)]}
response = requests.post(f"{base}/v1/videos", headers=headers, json=payload, timeout=30)
print(response.json()["id"])
`);
    expect(request).toEqual({
      method: 'POST',
      url: 'https://api.example.com/v1/videos',
      headers: [
        ['authorization', 'Bearer $ACME_KEY'],
        ['x-version', '2026-01'],
      ],
      body: {
        kind: 'json',
        value: { prompt: 'A lake', seconds: 5, loop: true, seed: null, tags: ['a', ['b']] },
      },
    });
  });

  test.each([
    ['json.dumps', `requests.post("https://a.example/v", data=json.dumps({"a": 1}))`],
    ['request', `requests.request("POST", "https://a.example/v", json={"a": 1})`],
    ['httpx and names', `httpx.post(url='https://a.example/' + "v", json=dict_, **more)`],
    [
      'a computed argument',
      `requests.post("https://a.example/v", json={"a": 1}, x=[i for i in f(2)])`,
    ],
  ])('is read with %s', (_, text) => {
    const request = readExampleRequest(`dict_ = {'a': 1}\n${text}`);
    expect(request).toMatchObject({ method: 'POST', url: 'https://a.example/v' });
    expect(request?.body).toEqual({ kind: 'json', value: { a: 1 } });
  });

  test.each([
    ['texts', '"0123456789"', (last: string) => `${last} + ${last}`],
    ['texts with variables', '"0123456789"', (last: string) => `f"{${last}}{${last}}"`],
    ['lists', '[1]', (last: string) => `[${last}, ${last}]`],
    ['objects', '{"a": 1}', (last: string) => `{"a": ${last}, "b": ${last}}`],
  ])('does not grow with %s that double from variable to variable', (_, first, twice) => {
    const doubled = Array.from({ length: 20 }, (_each, n) => `v${n + 1} = ${twice(`v${n}`)}`);
    const call = 'requests.post("https://a.example/v", json={"last": v20, "first": v0})';
    const request = readExampleRequest([`v0 = ${first}`, ...doubled, call].join('\n'));
    expect(JSON.stringify(request).length).toBeLessThan(1_000_000);
    expect(request?.body).toMatchObject({ value: { first: JSON.parse(first) as unknown } });
  });

  test('is read where variables are nested deeper than brackets may be', () => {
    const deeper = Array.from(
      { length: 199 },
      (_each, n) => `v${n + 1} = ${'['.repeat(30)}v${n},${']'.repeat(30)}`,
    );
    const call = 'requests.post("https://a.example/v", json={"deep": v199, "a": v0})';
    const request = readExampleRequest(['v0 = 1', ...deeper, call].join('\n'));
    expect(request?.body).toMatchObject({ value: { a: 1 } });
  });

  test('does not grow with JSON that is nested in JSON text many times', () => {
    const nested = `${'json.dumps('.repeat(28)}'"'${')'.repeat(28)}`;
    const request = readExampleRequest(`requests.post("https://a.example/v", json=[${nested}, 1])`);
    expect(JSON.stringify(request).length).toBeLessThan(1_000_000);
  });

  test('has its query, its identifier and the parts of a form', () => {
    const status = readExampleRequest(
      `requests.get(f"https://a.example/v/{video['id']}", params={"format": "simple"})`,
    );
    expect(status?.url).toBe('https://a.example/v/{video}?format=simple');
    const form = readExampleRequest(
      `requests.post("https://a.example/v", data={"prompt": "A lake"}, files={"image": open("a.png", "rb")})`,
    );
    expect(form?.body).toEqual({ kind: 'form', fields: [['prompt', 'A lake']], files: ['image'] });
  });

  test.each([
    `requests.post("https://a.example/v", data={"a": 1})`,
    `curl https://a.example/v -d a=1`,
    'POST https://a.example/v\nContent-Type: application/x-www-form-urlencoded\n\na=1',
  ])('has no body that Spool can send where it is URL-encoded: %s', (text) => {
    expect(readExampleRequest(text)?.body).toEqual({ kind: 'other', text: 'a=1' });
  });

  test('has its keys removed', () => {
    const text = `key = 'abcde-12'
requests.post("https://a.example/v", headers={"X-Api-Key": key}, auth=("me", "hunter22"), json={"a": 1})`;
    const { requests, hadKey } = withoutKeys({ generate: text }, {});
    expect(hadKey).toBe(true);
    expect(requests.generate).toContain(`{"X-Api-Key": key}`);
    expect(requests.generate).not.toMatch(/abcde|hunter/);
  });

  test.each([
    ['a call', `"Bearer {}".format("Ab3-defg")`],
    ['a place', `"{0} {1}".format("Bearer", "Ab3-defg")`],
    ['a name', `"Bearer {key}" .format(key="Ab3-defg")`],
    ['an operator', `"Bearer %s" % "Ab3-defg"`],
    ['a tuple', `"%s %s" % ("Bearer", "Ab3-defg")`],
    ['a mapping', `"Bearer %(key)s" % {"key": "Ab3-defg"}`],
    ['a variable that is a format', `PATTERN.format("Ab3-defg")`],
  ])('has a header that is formatted by %s, and its key is removed', (_, value) => {
    const text = `PATTERN = "Bearer {}"
requests.post("https://a.example/v", headers={"Authorization": ${value}}, json={"a": 1})`;
    expect(readExampleRequest(text)?.headers).toEqual([['authorization', 'Bearer Ab3-defg']]);
    expect(withoutKeys({ generate: text }, {}).requests.generate).not.toContain('Ab3-defg');
  });

  test('keeps unknown placeholders of a format', () => {
    const request = readExampleRequest(
      `requests.get("https://a.example/v/{}/{id}?a={0!r:>4}".format(7))`,
    );
    expect(request?.url).toBe('https://a.example/v/7/{id}?a=7');
    const percent = readExampleRequest(`requests.get("https://a.example/%s/%s" % (7,))`);
    expect(percent?.url).toBe('https://a.example/7/%s');
  });

  test.each([
    `requests.post("https://a.example/v", data={"api_key": "Ab3-defg", "prompt": "A lake"})`,
    `curl https://a.example/v -d api_key=Ab3-defg -d prompt=Lake`,
    'POST https://a.example/v\nContent-Type: application/x-www-form-urlencoded\n\nprompt=Lake&api_key=Ab3-defg',
  ])('has a short key removed from URL-encoded text: %s', (text) => {
    const { requests, hadKey } = withoutKeys({ generate: text }, {});
    expect(hadKey).toBe(true);
    expect(requests.generate).not.toContain('Ab3-defg');
  });

  test('does not grow with a format that repeats a text many times', () => {
    const format = '{0}'.repeat(20_000);
    const request = readExampleRequest(
      `v = "${'a'.repeat(1000)}"\nrequests.get("https://a.example/${format}".format(v))`,
    );
    expect(JSON.stringify(request).length).toBeLessThan(1_000_000);
  });

  test.each([
    'requests.post(',
    'requests.post("',
    `requests.post(${'['.repeat(50_000)}`,
    'requests.get(1)',
  ])('is not read without an address: %.20s', (text) => {
    expect(readExampleRequest(text)).toBeNull();
  });
});
