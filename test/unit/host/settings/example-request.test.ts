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

describe('a body that is URL-encoded', () => {
  test.each([
    `curl https://a.example/v -d a=1`,
    'POST https://a.example/v\nContent-Type: application/x-www-form-urlencoded\n\na=1',
  ])('is kept as it is written, because Spool cannot send it: %s', (text) => {
    expect(readExampleRequest(text)?.body).toEqual({ kind: 'other', text: 'a=1' });
  });

  test.each([
    `curl https://a.example/v -d api_key=Ab3-defg -d prompt=Lake`,
    'POST https://a.example/v\nContent-Type: application/x-www-form-urlencoded\n\nprompt=Lake&api_key=Ab3-defg',
  ])('has a short key removed: %s', (text) => {
    const { requests, hadKey } = withoutKeys({ generate: text }, {});
    expect(hadKey).toBe(true);
    expect(requests.generate).not.toContain('Ab3-defg');
  });
});
