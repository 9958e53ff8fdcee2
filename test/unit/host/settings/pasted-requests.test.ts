/** Requests as people paste them, from browsers, terminals, chats and word processors. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { withoutKeys } from '../../../../src/contract/examples/example-credentials.ts';
import {
  readExampleRequest,
  unreadKind,
} from '../../../../src/contract/examples/example-request.ts';

const FOLDER = path.join(import.meta.dirname, '..', '..', '..', 'rigs', 'pasted');
const textOf = (file: string): string => readFileSync(path.join(FOLDER, file), 'utf8');

const URL_OF_ALL = 'https://api.acme.dev/v1/videos';
const CAT = { prompt: 'A cat', duration: 5 };

/** What differs from a POST of {@link CAT} to {@link URL_OF_ALL}. */
const EXPECTED: Readonly<
  Record<string, { method?: string; url?: string; body?: unknown } | { unread: string }>
> = {
  '02-chrome-cmd.txt': { body: { prompt: 'A cat & a dog, 100% cute', duration: 5 } },
  '12-smart-in-double.txt': { body: { prompt: 'It’s a “cat”', duration: 5 } },
  '16-ansi-unicode.txt': { body: { prompt: "Hi! café 😀 it's", duration: 5 } },
  '17-ansi-octal.txt': { body: { prompt: 'Wow! café', duration: 5 } },
  '18-get-query.txt': { method: 'GET', url: `${URL_OF_ALL}/status?id=vid_8c1f2a90`, body: null },
  '26-apostrophe.txt': { body: { prompt: "You're a cat", duration: 5 } },
  '27-fetch.txt': { unread: 'JavaScript' },
  '29-iwr.txt': { unread: 'powershell' },
  '30-wget.txt': { body: { prompt: 'A cat' } },
  '31-data-file.txt': { body: '@body.json' },
  '33-html-entities.txt': { body: { prompt: 'A cat' } },
  '34-bigseed.txt': {
    body: {
      prompt: 'A cat',
      seed: '{{12345678901234567890:number}}',
      template_id: '{{9007199254740993:number}}',
    },
  },
  '40-glob.txt': { url: `${URL_OF_ALL}?tags[]=a&x={y}`, body: { prompt: 'A cat' } },
  '45-quoted-dollar-brace.txt': { body: { prompt: 'Use ${field} and {{name}}', duration: 5 } },
  'a-ansi-bytes.txt': {
    body: { prompt: 'A cat', style: 'café', tagline: 'Wow!', note: "it's" },
  },
  'b-ansi-emoji.txt': { body: { prompt: 'A cat', style: 'fun 😀' } },
  'c-bigseed.txt': {
    body: {
      prompt: 'A cat',
      workspace: '{{12345678901234567890:number}}',
      ratio: '{{1.10:number}}',
    },
  },
  'd-proto-status.txt': { body: { prompt: 'A cat' } },
  'f-py-session.txt': { unread: 'Python' },
};

describe('a pasted request', () => {
  test.each(readdirSync(FOLDER))('is read, or its notation is named: %s', (file) => {
    const expected = EXPECTED[file] ?? {};
    const request = readExampleRequest(textOf(file));
    if ('unread' in expected) {
      expect({ request, kind: unreadKind(textOf(file)) }).toEqual({
        request: null,
        kind: expected.unread,
      });
      return;
    }
    const { method = 'POST', url = URL_OF_ALL, body = CAT } = expected;
    const { kind } = request?.body ?? { kind: 'none' };
    expect(request?.method).toBe(method);
    expect(request?.url).toBe(url);
    expect(request?.headers[0]).toEqual(['authorization', 'Bearer YOUR_API_KEY']);
    expect(kind).toBe(body === null ? 'none' : typeof body === 'string' ? 'other' : 'json');
    if (body !== null) expect(Object.values(request?.body ?? {})).toContainEqual(body);
  });

  test.each([
    ['a prompt of zsh', '➜  ~ curl'],
    ['a prompt of a host', 'me@host:~/videos$ curl'],
    ['a prompt of root', '[root@host ~]# curl'],
    ['a prompt of PowerShell', 'PS C:\\Users\\me> curl.exe'],
    ['sudo', 'sudo curl'],
    ['variables', `API_KEY="a b" BASE=https://other.example curl`],
    ['a substitution', 'RESPONSE="$(curl'],
    ['a byte order mark', '\ufeffcurl'],
    ['an option that does not exist yet', 'curl --new-option value'],
    ['a proxy', 'curl --proxy proxy.example:3128'],
    ['a user agent like an address', "curl -A 'agent.example/1.0'"],
  ])('is read after %s', (_, start) => {
    const request = readExampleRequest(`${start} ${URL_OF_ALL} -d '${JSON.stringify(CAT)}'`);
    expect(request?.url).toBe(URL_OF_ALL);
    expect(request?.body).toEqual({ kind: 'json', value: CAT });
  });

  test.each([
    [
      'doubled quotation marks',
      `curl "${URL_OF_ALL}" ^\n -d "{""prompt"":""A cat"",""duration"":5}"`,
    ],
    [
      'backslashes in cmd',
      `curl ${URL_OF_ALL} ^\r\n -d "{\\"prompt\\":\\"A cat\\",\\"duration\\":5}"`,
    ],
    [
      'single quotation marks of PowerShell',
      `curl.exe ${URL_OF_ALL} \`\n -d '{"prompt":"A cat","duration":5}'`,
    ],
    [
      'backslashes for PowerShell 5',
      `PS> curl.exe ${URL_OF_ALL} -d '{\\"prompt\\":\\"A cat\\",\\"duration\\":5}'`,
    ],
    [
      'no-break spaces in its JSON',
      `curl ${URL_OF_ALL} -d '{\u00a0"prompt":"A cat",\u00a0"duration":5}'`,
    ],
    ['an em dash', `curl ${URL_OF_ALL} —data-raw '{"prompt":"A cat","duration":5}'`],
  ])('is read with %s', (_, text) => {
    expect(readExampleRequest(text)?.body).toEqual({ kind: 'json', value: CAT });
  });

  const JSON_TEXT = '{"prompt":"A cat",\n "duration":5}';

  test.each([
    ['echo', `$ echo '${JSON_TEXT}' | curl ${URL_OF_ALL} -d @-`],
    ['printf', `printf '%s' '${JSON_TEXT}' |curl -d @- ${URL_OF_ALL}`],
    ['cat', `cat <<EOF | curl ${URL_OF_ALL} \\\n  -d @-\n${JSON_TEXT}\nEOF\necho done`],
    ['cat, literally', `cat <<'EOF' | curl -d @- ${URL_OF_ALL}\n${JSON_TEXT}\nEOF`],
    ['a variable', `BODY='${JSON_TEXT}'\ncurl ${URL_OF_ALL} -d "$BODY"`],
    ['a here-string', `curl -d @- ${URL_OF_ALL} <<< '${JSON_TEXT}'`],
    [
      'a here-document in a variable',
      `BODY=$(cat <<'EOF'\n${JSON_TEXT}\nEOF\n)\ncurl ${URL_OF_ALL} -d "$BODY"`,
    ],
    [
      'variables in an address and in quotation marks',
      `export BASE="https://api.acme.dev"\nBODY="{\\"prompt\\":\\"A cat\\",\\"duration\\":5}"\ncurl "\${BASE}/v1/videos" -H "X-Key: $KEY" --json "$BODY"`,
    ],
  ])('is read with its text from %s', (_, text) => {
    const request = readExampleRequest(text);
    expect(request?.url).toBe(URL_OF_ALL);
    expect(request?.body).toEqual({ kind: 'json', value: CAT });
  });

  const JSON_OF_ALL = '{"prompt":"A cat","duration":5}';

  test.each([
    ['wget', `wget -qO- --post-data='${JSON_OF_ALL}' --header='X-A: 1' ${URL_OF_ALL}`],
    [
      'wget',
      `$ sudo wget --method=POST --header 'X-A: 1' --body-data '${JSON_OF_ALL}' \\\n  -O out.json --timeout 0 '${URL_OF_ALL}'`,
    ],
    ['HTTPie', `http ${URL_OF_ALL} X-A:1 prompt='A cat' duration:=5`],
    [
      'HTTPie',
      `me@host:~$ http --ignore-stdin -v POST ${URL_OF_ALL} \\\n  X-A:1 \\\n  prompt="A cat" duration:=5`,
    ],
    ['HTTPie', `https --timeout 30 POST '${URL_OF_ALL}' X-A:1 --raw '${JSON_OF_ALL}'`],
    ['HTTPie', `echo '${JSON_OF_ALL}' | http post ${URL_OF_ALL} X-A:1`],
    ['xh', `xh POST ${URL_OF_ALL} X-A:1 prompt='A cat' duration:=5 --print hb`],
  ])('is read from a command of %s: %s', (_, text) => {
    expect(readExampleRequest(text)).toEqual({
      method: 'POST',
      url: URL_OF_ALL,
      headers: [['x-a', '1']],
      body: { kind: 'json', value: CAT },
    });
  });

  test('has the fields of HTTPie at their places, with the digits of numbers', () => {
    const text = `http POST ${URL_OF_ALL} seed:=1.10 input[prompt]=A input[tags][]=x input[tags][]=y 'scenes[0][text]=B: c=d' scenes[0][on]:=true 'a\\:b=1'`;
    const { body } = readExampleRequest(text) ?? {};
    expect(JSON.stringify(body)).toBe(
      '{"kind":"json","value":{"seed":"{{1.10:number}}","input":{"prompt":"A","tags":["x","y"]},"scenes":[{"text":"B: c=d","on":true}],"a:b":"1"}}',
    );
  });

  test('has the parameters, the login and the form of HTTPie', () => {
    const text = `http -f -a me:pw POST ${URL_OF_ALL} page==2 prompt='A cat' image@./a.png X-None: X-Empty;`;
    expect(readExampleRequest(text)).toEqual({
      method: 'POST',
      url: `${URL_OF_ALL}?page=2`,
      headers: [['authorization', 'Basic me:pw']],
      body: { kind: 'form', fields: [['prompt', 'A cat']], files: ['image'] },
    });
    expect(readExampleRequest(`xh --bearer T :3000/v1`)).toMatchObject({
      method: 'GET',
      url: 'localhost:3000/v1',
      headers: [['authorization', 'Bearer T']],
    });
  });

  test('has the login and the file of wget', () => {
    const text = `wget --user me --password=pw --post-file body.json ${URL_OF_ALL}`;
    expect(readExampleRequest(text)).toEqual({
      method: 'POST',
      url: URL_OF_ALL,
      headers: [['authorization', 'Basic me:pw']],
      body: { kind: 'other', text: '@body.json' },
    });
  });

  test('has the name of a file that is piped into it', () => {
    const text = `cat body.json | curl ${URL_OF_ALL} -d @-`;
    expect(readExampleRequest(text)?.body).toEqual({ kind: 'other', text: '@body.json' });
  });

  test.each([
    ['a second request', '###\nGET https://api.acme.dev/v1/videos/1'],
    ['what Hurl expects', 'HTTP 200'],
    ['its response', 'Response:\n{"id":"1"}'],
  ])('in the format of HTTP ends before %s', (_, after) => {
    const text = `POST ${URL_OF_ALL}\n\n${JSON_OF_ALL}\n\n${after}`;
    expect(readExampleRequest(text)?.body).toEqual({ kind: 'json', value: CAT });
  });

  test('keeps the name of a variable that is a key', () => {
    const text = `KEY=k7Q\ncurl ${URL_OF_ALL} -H "Authorization: Bearer $KEY" -d '{}'`;
    expect(readExampleRequest(text)?.headers).toEqual([['authorization', 'Bearer $KEY']]);
  });

  test('keeps a line end that Chrome writes for cmd', () => {
    const text = `curl ^"${URL_OF_ALL}^" ^\n --data-raw ^"^{^\\^"prompt^\\^":^\\^"A^\\\\nB^\\^"^}^"`;
    expect(readExampleRequest(text)?.body).toEqual({ kind: 'json', value: { prompt: 'A\nB' } });
  });

  test('is the first of several with --next, and its query has every part', () => {
    const text = `curl -G '${URL_OF_ALL}?a=1' --url-query 'b=2 3' -d c=4 --data-urlencode 'd=ü' --next https://other.example`;
    expect(readExampleRequest(text)?.url).toBe(`${URL_OF_ALL}?a=1&b=2%203&c=4&d=%C3%BC`);
  });

  test.each([
    'Use curl to send it.',
    '| curl | a tool |',
    'The curl command below',
    'libcurl is a library',
    'a-curl x',
    'http is a protocol, https a safer one',
    'https: the address begins with it',
    'wget',
    'xh, a small client',
  ])('is not the sentence %j', (text) => {
    expect(readExampleRequest(text)).toBeNull();
  });

  const POSTMAN = {
    info: { schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json' },
    item: [{ request: { method: 'POST', url: { raw: URL_OF_ALL } } }],
  };

  test.each([
    ['Python', `import http.client\nconn = http.client.HTTPSConnection("api.acme.dev")`],
    ['Python', `async with aiohttp.ClientSession() as session:\n    pass`],
    ['Python', `req = urllib.request.Request("${URL_OF_ALL}")`],
    ['JavaScript', `const https = require('https');\nhttps.request('${URL_OF_ALL}')`],
    ['JavaScript', `import got from 'got';\nawait got.post('${URL_OF_ALL}')`],
    ['JavaScript', `const xhr = new XMLHttpRequest();\nxhr.open("POST", "${URL_OF_ALL}");`],
    ['JavaScript', `$.ajax({ url: "${URL_OF_ALL}", method: "POST" })`],
    ['JavaScript', `const client = new Acme();\nawait client.videos.create({ prompt: 'A cat' })`],
    ['powershell', `irm ${URL_OF_ALL} -Method Post -Body '{"prompt":"A cat"}'`],
    ['powershell', `iwr ${URL_OF_ALL} -Body (@{prompt='A cat'}|ConvertTo-Json)`],
    ['powershell', `curl -Uri "${URL_OF_ALL}" -Method POST -Headers @{ "X-A" = "1" }`],
    ['powershell', `curl ${URL_OF_ALL} -Method POST -Body '{"prompt":"A cat"}'`],
    ['Go', `package main\nreq, _ := http.NewRequest("POST", "${URL_OF_ALL}", payload)`],
    ['PHP', `<?php\n$ch = curl_init('${URL_OF_ALL}');`],
    ['PHP', `$client->request('POST', '${URL_OF_ALL}', ['json' => ['prompt' => 'A cat']]);`],
    ['Ruby', `require 'net/http'\nuri = URI("${URL_OF_ALL}")`],
    ['Java', `HttpRequest.newBuilder().uri(URI.create("${URL_OF_ALL}"))`],
    ['Java', `OkHttpClient client = new OkHttpClient();`],
    ['Kotlin', `val client = OkHttpClient()\nval request = Request.Builder().url("${URL_OF_ALL}")`],
    ['C#', `var request = new HttpRequestMessage(HttpMethod.Post, "${URL_OF_ALL}");`],
    ['Rust', `let client = reqwest::Client::new();\nlet res = client.post("${URL_OF_ALL}")`],
    ['Swift', `let url = URL(string: "${URL_OF_ALL}")!\nvar request = URLRequest(url: url)`],
    ['Dart', `var request = http.Request('POST', Uri.parse('${URL_OF_ALL}'));`],
    ['C', `CURL *hnd = curl_easy_init();\ncurl_easy_setopt(hnd, CURLOPT_URL, "${URL_OF_ALL}");`],
    ['grpc', `grpcurl -d '{"prompt":"A cat"}' api.acme.dev:443 acme.Videos/Create`],
    ['postman', JSON.stringify(POSTMAN, null, 2)],
    ['postman', '{"values":[{"key":"a","value":"b"}],"_postman_variable_scope":"environment"}'],
    ['insomnia', `{"_type":"export","__export_format":4,"resources":[{"url":"${URL_OF_ALL}"}]}`],
    ['insomnia', `type: collection.insomnia.rest/5.0\ncollection:\n  - url: ${URL_OF_ALL}`],
    ['bruno', `meta {\n  name: Create\n  type: http\n}\n\npost {\n  url: ${URL_OF_ALL}\n}`],
    ['har', `{"log":{"version":"1.2","entries":[{"request":{"url":"${URL_OF_ALL}"}}]}}`],
    ['openapi', `{"openapi":"3.1.0","paths":{"/v1/videos":{"post":{}}}}`],
    ['openapi', `openapi: 3.1.0\npaths:\n  /v1/videos:\n    post: {}`],
    ['openapi', `swagger: '2.0'\npaths:\n  /v1/videos: {}`],
  ])('in %s is named, and not taken for another: %s', (kind, text) => {
    expect(readExampleRequest(text)).toBeNull();
    expect(unreadKind(text)).toBe(kind);
  });

  test.each(['play fetch (a ball)', 'We await your call', 'require("x")', 'import requests'])(
    'is read where its text looks like code: %s',
    (prompt) => {
      const body = JSON.stringify({ prompt });
      for (const text of [`POST ${URL_OF_ALL}\n\n${body}`, body]) {
        expect(readExampleRequest(text)?.body).toEqual({ kind: 'json', value: { prompt } });
      }
    },
  );
});

describe('a key of any length does not stay in', () => {
  const KEY = 'k7Q';
  const REQUEST = `curl ${URL_OF_ALL} -H 'Authorization: Bearer $KEY' -d '{"prompt":"A cat"}'`;
  const LONG = 'aB3dE5fG'.repeat(200);

  test.each([
    ['a header', `curl ${URL_OF_ALL} -H 'X-Api-Key: ${KEY}' -d '{"a":1}'`],
    ['a header that is folded', `POST ${URL_OF_ALL}\nAuthorization: Bearer\n  ${KEY}\n\n{"a":1}`],
    ['a login', `curl -u ${KEY}: ${URL_OF_ALL} -d '{"a":1}'`],
    ['a login in one word', `curl -u${KEY}: ${URL_OF_ALL} -d '{"a":1}'`],
    ['a login with =', `curl --user=me:${KEY} ${URL_OF_ALL} -d '{"a":1}'`],
    ['a password of a proxy', `curl --proxy-user me:${KEY} ${URL_OF_ALL} -d '{"a":1}'`],
    ['an address of a proxy', `curl -x http://me:${KEY}@proxy.example:3128 ${URL_OF_ALL}`],
    ['a password of a certificate', `curl --cert client.pem:${KEY} ${URL_OF_ALL} -d '{"a":1}'`],
    ['a certificate on a drive', `curl -E 'C:\\client.pem:${KEY}' ${URL_OF_ALL} -d '{"a":1}'`],
    ['a password of a key', `curl --pass ${KEY} --key k.pem ${URL_OF_ALL} -d '{"a":1}'`],
    ['a variable', `export API_KEY=${KEY}\n${REQUEST}`],
    ['a variable of any name', `KEY="${KEY}"\n${REQUEST}`],
    ['a variable in the line', `ACME=${KEY} curl ${URL_OF_ALL} -H "X-Api-Key: $ACME" -d '{"a":1}'`],
    ['a variable of PowerShell', `$env:API_KEY = "${KEY}"\n${REQUEST}`],
    ['a variable of cmd', `set API_KEY=${KEY}\n${REQUEST}`],
    ['an environment of Python', `os.environ["ACME_TOKEN"] = "${KEY}"\nrequests.post("x")`],
    ['a header in Python', `requests.post("x", headers={"Authorization": f"Bearer ${KEY}"})`],
    ['a header in JavaScript', `fetch("${URL_OF_ALL}", { headers: { 'x-api-key': '${KEY}' } })`],
    ['an address', `curl https://me:${KEY}@api.acme.dev/v1/videos -d '{"a":1}'`],
    ['a query', `curl '${URL_OF_ALL}?api_key=${KEY}' -d '{"a":1}'`],
    ['a field of JSON', `curl ${URL_OF_ALL} -d '{"auth":{"api_key":"${KEY}"},"prompt":"A cat"}'`],
    ['a here-document', `curl ${URL_OF_ALL} -d @- <<EOF\n{"password":"${KEY}"}\nEOF`],
    ['a variable from a here-document', `B=$(cat <<EOF\n{"api_key":"${KEY}"}\nEOF\n)\n${REQUEST}`],
    ['a here-string', `curl ${URL_OF_ALL} -d @- <<< '{"api_key":"${KEY}"}'`],
    ['a second command', `${REQUEST}\ncurl ${URL_OF_ALL}/1 -H 'X-Api-Key: ${KEY}'`],
    ['a command after --next', `${REQUEST} --next -H 'Authorization: Bearer ${KEY}' ${URL_OF_ALL}`],
    ['a comment', `# my key: ${KEY}\n${REQUEST}`],
    ['a comment among the options', `curl ${URL_OF_ALL} \\\n # -H 'X-Api-Key: ${KEY}'\n -d '{}'`],
    ['a sentence', `My API key is ${KEY}\n${REQUEST}`],
    ['a line below', `${REQUEST}\nAuthorization: Bearer ${KEY}`],
    ['a header of its own scheme', `# Authorization: ApiKey ${KEY}\n${REQUEST}`],
    ['a header of an unknown scheme', `# Authorization: Acme ${KEY}\n${REQUEST}`],
    ['a login in PHP', `curl_setopt($ch, CURLOPT_USERPWD, "me:${KEY}");`],
    ['a variable of fish', `set -x API_KEY ${KEY}\n${REQUEST}`],
    ['a variable of csh', `setenv API_KEY ${KEY}\n${REQUEST}`],
    ['a lasting variable of cmd', `setx API_KEY "${KEY}"\n${REQUEST}`],
    ['a variable in a query', `FOO=${KEY}\ncurl "${URL_OF_ALL}?token=$FOO" -d '{"a":1}'`],
    ['a variable in JSON', `FOO=${KEY}\ncurl ${URL_OF_ALL} -d '{"api_key":"'$FOO'"}'`],
    ['a header with variables', `curl --expand-header 'X-Api-Key: ${KEY}' ${URL_OF_ALL} -d '{}'`],
    ['a login with variables', `curl --expand-user 'me:${KEY}' ${URL_OF_ALL} -d '{}'`],
    ['a proxy before another', `curl --preproxy socks5://me:${KEY}@p.example ${URL_OF_ALL}`],
    ['a SOCKS proxy', `curl --socks5 me:${KEY}@p.example ${URL_OF_ALL}`],
    ['a proxy of the environment', `https_proxy=http://me:${KEY}@p.example ${REQUEST}`],
    ['a referer', `curl -e 'https://a.example/?api_key=${KEY}' ${URL_OF_ALL} -d '{}'`],
    ['a signature', `curl --aws-sigv4 aws:amz:us:s3 --user AKIA:${KEY} ${URL_OF_ALL}`],
    ['a token of OAuth', `curl --oauth2-bearer ${KEY} ${URL_OF_ALL} -d '{}'`],
    ['a netrc file', `machine a.example login me password ${KEY}\n${REQUEST}`],
    ['a header of HTTPie', `http POST ${URL_OF_ALL} X-Api-Key:${KEY} prompt=x`],
    ['a login of HTTPie', `http -a me:${KEY} POST ${URL_OF_ALL} prompt=x`],
    ['a token of HTTPie', `http -A bearer -a ${KEY} POST ${URL_OF_ALL} prompt=x`],
    ['a query of HTTPie', `http POST ${URL_OF_ALL} api_key==${KEY} prompt=x`],
    ['a token of xh', `xh --bearer ${KEY} POST ${URL_OF_ALL} prompt=x`],
    ['an item of HTTPie', `http POST ${URL_OF_ALL} auth[api_key]=${KEY} prompt=x`],
    ['a header of wget', `wget --header="X-Api-Key: ${KEY}" --post-data='{}' ${URL_OF_ALL}`],
    ['a password of wget', `wget --http-password ${KEY} --post-data='{}' ${URL_OF_ALL}`],
    [
      'a template of JavaScript',
      `fetch("${URL_OF_ALL}", { headers: { Authorization: \`Bearer ${KEY}\` } })`,
    ],
    ['JSON in JavaScript', `fetch("${URL_OF_ALL}", {"body":"{\\"api_key\\":\\"${KEY}\\"}"})`],
    ['a property in JavaScript', `const config = { apiKey: '${KEY}' };\nfetch("${URL_OF_ALL}")`],
    ['a secure string', `irm ${URL_OF_ALL} -Token (ConvertTo-SecureString "${KEY}" -AsPlainText)`],
    ['an argument in Python', `from acme import Client\nclient = Client(api_key="${KEY}")`],
    ['a login in Python', `import requests\nrequests.post("${URL_OF_ALL}", auth=("me", "${KEY}"))`],
    [
      'a header of Postman',
      `{"header":[{"key":"X-Api-Key","value":"${KEY}"}],"url":"${URL_OF_ALL}"}`,
    ],
    ['a token of Postman', `{"bearer":[{"key":"token","value":"${KEY}"}],"url":"${URL_OF_ALL}"}`],
    [
      'a typed token of Postman',
      `{"bearer":[{"key":"token","value":"${KEY}","type":"string"},{"key":"token","type":"string","value":"${KEY}"}]}`,
    ],
    ['a text like a reference', `const c = { apiKey: "config.${KEY}" };\nfetch("x")`],
    ['a field like a reference', `curl ${URL_OF_ALL} -d '{"api_key":"settings.${KEY}"}'`],
    ['a variable like a reference', `API_KEY="self.${KEY}"\n${REQUEST}`],
    ['a header like a reference', `curl ${URL_OF_ALL} -H 'X-Api-Key: env.${KEY}' -d '{}'`],
    ['a value in an object', `curl ${URL_OF_ALL} -d '{"auth":{"value":"${KEY}"}}'`],
    [
      'a value among others in an object',
      `fetch("${URL_OF_ALL}", { auth: { type: "bearer",\n  value: "${KEY}" } })`,
    ],
    [
      'a value in a list',
      `fetch("x", {"body":"{\\"credentials\\":[{\\"value\\":\\"${KEY}\\"}]}"})`,
    ],
    ['an argument that is called key', `client = fal_client.SyncClient(key="${KEY}")`],
    ['the argument of a client', `const client = new Client('${KEY}');\nclient.render({});`],
    ['a method that sets it', `let movie = new Movie;\nmovie.setAPIKey('${KEY}');`],
    ['two keys of a signature', `ak = "${KEY}"\nsk = '${KEY}'\njwt.encode({"iss": ak}, sk)`],
    ['a header in Swift', `r.setValue("Bearer ${KEY}", forHTTPHeaderField: "Authorization")`],
    ['a header in Objective-C', `[r setValue:@"${KEY}" forHTTPHeaderField:@"x-api-key"];`],
    ['a pair of Clojure', `(post url {:headers {"x-api-key" "${KEY}"}})`],
    ['a pair of Kotlin', `post(url, mapOf("X-Api-Key" to "${KEY}"))`],
    ['a pair of Scala', `Map("X-Api-Key" -> "${KEY}")`],
    ['a symbol of Ruby', `Acme.post(url, :x_api_key => "${KEY}")`],
    ['a header in Go', `h := http.Header{"Authorization": {"Bearer ${KEY}"}}`],
    ['a list of a header in Go', `http.Header{"X-Api-Key": []string{"${KEY}"}}`],
    ['the argument of a client in Go', `client := acme.NewClient("${KEY}")`],
    ['a password with a bracket', `{ "url": "x", "password": "${KEY}(x" }`],
    ['a value before its name', `{"header":[{"value":"${KEY}","key":"X-Api-Key"}]}`],
    [
      'a text that is put together',
      `requests.post("x", headers={"Authorization": "Bearer " + "${KEY}"})`,
    ],
    ['a text that is put together in PHP', `$h = ['Authorization: Bearer ' . '${KEY}'];`],
    ['a fallback', `const apiKey = process.env.ACME ?? "${KEY}";\nfetch("${URL_OF_ALL}")`],
    ['a fallback of any name', `post("x", process.env.ACME_KEY || '${KEY}')`],
    ['a fallback in Python', `requests.post("x", headers=h(os.getenv("ACME_KEY") or "${KEY}"))`],
    ['a default in Python', `requests.post("x", headers=h(os.environ.get("ACME_KEY", "${KEY}")))`],
    ['a fallback in PHP', `$apiKey = $_ENV['ACME'] ?: '${KEY}';`],
    ['a login in Go', `req.SetBasicAuth("me", "${KEY}")`],
    ['a login in Rust', `client.post(url).basic_auth("me", Some("${KEY}"))`],
    ['a token in Rust', `client.post(url).bearer_auth("${KEY}")`],
    ['a header that is set', `headers.set('Authorization', \`Bearer ${KEY}\`);\nfetch("x")`],
    ['an element of XML', `<config><apiKey>${KEY}</apiKey></config>`],
    ['an attribute of XML', `<config apiKey="${KEY}"/>`],
    ['a line of YAML below its name', `api_key: >-\n  ${KEY}\nurl: ${URL_OF_ALL}`],
    ['a line of JSON below its name', `{"apiKey":\n  "${KEY}"}`],
    ['a password that begins like a variable', `{"password":"$${KEY.slice(1)}${KEY}","a":1}`],
    [
      'a header of Insomnia',
      `url: ${URL_OF_ALL}\nheaders:\n  - name: X-Api-Key\n    value: ${KEY}\n`,
    ],
    ['a variable of an HTTP file', `@foo = ${KEY}\n\nPOST ${URL_OF_ALL}\nX-Api-Key: {{foo}}\n\n{}`],
    ['a second request of an HTTP file', `POST ${URL_OF_ALL}\n\n{}\n###\nGET /\nX-Api-Key: ${KEY}`],
    [
      'a part of a form',
      `POST ${URL_OF_ALL}\n\n--x\nContent-Disposition: form-data; name="token"\n\n${KEY}\n--x--`,
    ],
  ])('%s', (_, text) => {
    const { requests, hadKey } = withoutKeys({ generate: text }, {});
    expect(hadKey).toBe(true);
    expect(requests.generate).not.toMatch(new RegExp(`\\b${KEY}\\b`));
    const long = withoutKeys({ generate: text.replaceAll(KEY, LONG) }, {});
    expect(long.requests.generate).not.toContain('aB3dE5fG');
  });

  test.each([
    ['a length', 'The token is 30-day, the trial free.'],
    ['a rank', 'A secret is 5-star comfort.'],
    ['a variable', '{"password":"$ACME_PASSWORD"}'],
    ['an expression', '{"password":"${process.env.ACME}"}'],
    ['an element', '<apiKey>YOUR_API_KEY</apiKey>'],
  ])('%s is kept', (_, text) => {
    expect(withoutKeys({ generate: text }, {}).requests.generate).toBe(text);
  });

  test.each([
    ['a field', (key: string) => `curl ${URL_OF_ALL} -d '{"signer":"${key}","prompt":"A cat"}'`],
    ['a file above', (key: string) => `${key.replaceAll('\\n', '\n')}\n${REQUEST}`],
  ])('a private key in %s', (_, around) => {
    const begin = '-----BEGIN RSA PRIVATE KEY-----';
    for (const end of ['\\n-----END RSA PRIVATE KEY-----\\n', '']) {
      const { requests } = withoutKeys({ generate: around(`${begin}\\nMIIEowIBAA${end}`) }, {});
      expect(requests.generate).not.toContain('MIIEowIBAA');
    }
  });

  test.each([
    '{"key": "title", "value": "A cat"}',
    '{"session": null, "token": true, "auth": {"kind": "none"}}',
    '{"max_tokens": 512, "keyword": "lake", "keyframes": "k7Q"}',
    'fetch("https://a.example", { apiKey: process.env.ACME_KEY })',
    'const apiKey = process.env.ACME_KEY;\nfetch("https://a.example")',
    'const apiKey = import.meta.env.VITE_KEY\nfetch("https://a.example")',
    'const apiKey = process.env.A ?? process.env.B;\nfetch("https://a.example")',
    'const url = process.env.URL || "https://a.example";\nfetch(url)',
    'const apiKey = process.env.A || "";\nfetch("https://a.example", { method: "POST" })',
    "headers.set('Authorization', `Bearer ${key}`);\nfetch(url)",
    'req.SetBasicAuth(user, password)\nhttp.NewRequest("POST", url, nil)',
    'const token = await loginToAcme();\nfetch("https://a.example")',
    'const token = config.acme;\nfetch("https://a.example")',
    'headers = {"X-Api-Key": settings.ACME_TOKEN}\nrequests.post("x")',
    '$apiKey = $env:ACME_KEY\nInvoke-RestMethod -Uri https://a.example',
    'apiKey := os.Getenv("ACME_KEY")\nhttp.NewRequest("POST", url, nil)',
    '{"auth": {"type": "bearer"}, "prompt": "The secret to \'success\', {\\"a\\"}"}',
    'client := acme.NewClient("https://a.example", apiKey)',
    'The token is required.',
    'const url = new URL("https://a.example/v1");\nfetch(new Request("v1"))',
    'r.setValue("application/json", forHTTPHeaderField: "Content-Type")',
    '{"api_key": "YOUR_API_KEY", "secret": "$SECRET"}',
  ])('nothing is removed from %j', (text) => {
    expect(withoutKeys({ generate: text }, {})).toMatchObject({
      requests: { generate: text },
      hadKey: false,
    });
  });

  test('nothing else is removed', () => {
    const text = `SIZE=720 curl ${URL_OF_ALL} -H 'Authorization: Bearer ${KEY}' -d '{"n":1,"prompt":"k7Qs"}'`;
    const { requests } = withoutKeys({ generate: text }, {});
    expect(requests.generate).toBe(text.replace(`Bearer ${KEY}`, 'Bearer YOUR_API_KEY'));
  });
});

test('a key stays in no answer, however many others the answers have', () => {
  const tokens = Array.from({ length: 60 }, (_, at) => ({
    session_token: `aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5z${String(at).padStart(3, '0')}`,
  }));
  const answer = JSON.stringify({ api_key: 'Qw7eRt9yUi2oPa5s', items: tokens });
  const { answers, hasSecret } = withoutKeys({}, { generate: answer });
  expect(answers.generate).not.toMatch(/Qw7e|aB3dE5/);
  expect(hasSecret('Qw7eRt9yUi2oPa5s')).toBe(true);
});

test.each([
  ['line ends', `a${'\n'.repeat(120_000)}b`],
  ['colons of a proxy', `curl -x ${':'.repeat(120_000)} https://a.example`],
  ['parts of a placeholder', `curl https://a.example -H 'X-Key: ${'KEY_'.repeat(30_000)}1'`],
  ['colons of a header', `https://a.example/v ${':'.repeat(120_000)}`],
  ['escaped quotation marks', `"${'\\"'.repeat(60_000)}`],
  ['names of a program', 'http '.repeat(25_000)],
  ['places of HTTPie', `http POST a.example/v ${'a[b]=1 '.repeat(10_000)}a${'[b]'.repeat(2000)}=1`],
  ['blank lines before an option', `curl x${'\n'.repeat(120_000)}-X POST`],
  [
    'names of a long variable',
    `A=[${'x'.repeat(60_000)}]\ncurl https://a.example -d '${'$A'.repeat(30_000)}'`,
  ],
])('of any number of %s is read within 1 s of processor time', (_, text) => {
  const before = process.threadCpuUsage();
  withoutKeys({ generate: text }, {});
  unreadKind(text);
  expect(process.threadCpuUsage(before).user).toBeLessThan(1_000_000);
});
