import { execFile } from 'node:child_process';
import { randomBytes, scryptSync, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import https from 'node:https';
import net from 'node:net';
import { networkInterfaces } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import tls from 'node:tls';
import { describe, expect, onTestFinished, test } from 'vitest';
import { BUILT_SERVICE_FILE } from '../../rigs/built-programs.ts';
import { blankPng } from '../../rigs/pictures.ts';
import { type Answer, type Rig, startRig, testEmbedded } from './rig.ts';
import {
  cookieOf,
  EMAIL,
  enter,
  makeVideo,
  PASSWORD,
  send,
  signUp,
  tokenOf,
  uploadPicture,
  visitor,
} from './studio-forms.ts';

/** Signs up from another address of this computer, as any program can. Returns the status. */
function sendFrom(
  localAddress: string,
  { service }: Rig,
  fields: Record<string, string>,
  cookie: string,
): Promise<number> {
  const body = new URLSearchParams(fields).toString();
  const { host, port } = new URL(service.studioUrl);
  const type = 'application/x-www-form-urlencoded';
  return new Promise((resolve, reject) => {
    https
      .request({
        host: '127.0.0.1',
        port,
        localAddress,
        path: '/sign-up',
        method: 'POST',
        headers: { cookie, host, 'content-type': type },
        rejectUnauthorized: false,
        agent: false,
      })
      .on('response', (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      })
      .on('error', reject)
      .end(body);
  });
}

const hasIpv6 = Object.values(networkInterfaces()).some((addresses) =>
  addresses?.some(({ address }) => address === '::1'),
);

const DAY_MS = 24 * 3600 * 1000;

describe('a form', () => {
  const create = '/settings/developer-api/new';

  test('without its token, with the token of another one, or from another site changes nothing', async () => {
    const rig = await startRig();
    const { cookie, token } = await signUp(rig);
    const stranger = await visitor(rig);
    const key = { name: 'CI', current: PASSWORD };
    for (const answer of [
      await send(rig, create, key, { cookie }),
      await send(rig, create, { ...key, token: stranger.token }, { cookie }),
      await send(rig, create, { ...key, token }, { cookie, origin: 'https://evil.example' }),
      await send(rig, create, { ...key, token }, { cookie, origin: 'null' }),
      await send(rig, '/sign-out', { token: stranger.token }, { cookie }),
      await send(rig, '/sign-in', { email: EMAIL, password: PASSWORD }, {}),
    ]) {
      expect(answer.status).toBe(403);
      expect(answer.bytes.toString('utf8')).toContain('This form could not be accepted');
    }
    expect(await rig.keys.activeKey(await rig.accounts.withEmail(EMAIL))).toBeUndefined();
    const own = { cookie, origin: rig.service.studioUrl };
    expect((await send(rig, create, { ...key, token }, own)).status).toBe(200);
    expect((await rig.client.ask('/studio', { headers: { cookie } })).status).toBe(200);
  });

  test('with files is read only if its token comes first', async () => {
    const rig = await startRig();
    const { cookie, token } = await signUp(rig);
    const part = (name: string, value: string): string =>
      `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
    for (const body of [
      `${part('title', 'x')}--x--\r\n`,
      `${part('token', 'wrong')}${part('title', 'x')}--x--\r\n`,
      `${part('token"; filename="token', token)}${part('title', 'x')}--x--\r\n`,
      `${part('token"; filename="token', token)}--x--\r\n`,
    ]) {
      const answer = await rig.client.ask('/studio/new', {
        method: 'POST',
        headers: { cookie, 'content-type': 'multipart/form-data; boundary=x' },
        body,
      });
      expect(answer.status).toBe(403);
    }
  });

  test('with a file of more than 8 MB, or files of more than 24 MB together, is refused', async () => {
    const rig = await startRig();
    const { cookie, token } = await signUp(rig);
    const file = (bytes: number, index: number): Buffer =>
      Buffer.concat([
        Buffer.from(
          `--x\r\nContent-Disposition: form-data; name="scene-${index}-file"; filename="a"\r\n\r\n`,
        ),
        Buffer.alloc(bytes),
        Buffer.from('\r\n'),
      ]);
    const upload = (sizes: readonly number[]): Promise<Answer> =>
      rig.client.ask('/studio/new', {
        method: 'POST',
        headers: { cookie, 'content-type': 'multipart/form-data; boundary=x' },
        body: Buffer.concat([
          Buffer.from(`--x\r\nContent-Disposition: form-data; name="token"\r\n\r\n${token}\r\n`),
          Buffer.from('--x\r\nContent-Disposition: form-data; name="action"\r\n\r\nmake\r\n'),
          ...sizes.map(file),
          Buffer.from('--x--\r\n'),
        ]),
      });
    const limit = 8 * 1024 * 1024;
    expect((await upload([limit, limit, limit])).status).toBe(422);
    for (const sizes of [[limit + 1], [limit, limit, limit, 1]]) {
      const refused = await upload(sizes);
      expect(refused.status).toBe(413);
      expect(refused.bytes.toString('utf8')).toContain(
        'A picture may be at most 8 MB large, and all of a form 24 MB.',
      );
    }
  });
});

// abuse.md 66
test('only an e-mail address is looked up and counted at a sign-in', async () => {
  const rig = await startRig();
  await signUp(rig);
  const attempt = async (email: string): Promise<number> =>
    (await enter(rig, '/sign-in', { email, password: 'wrong' })).status;
  // PostgreSQL's lower case of İ is i, and JavaScript's is not.
  for (const email of ['ada@İexample.com', 'Ада@example.com', `${'a'.repeat(60_000)}@b.com`, '']) {
    expect(await attempt(email)).toBe(422);
  }
  const guesses = ['ada@example.com', 'ADA@example.com', 'Ada@Example.com'];
  const statuses: number[] = [];
  for (let n = 0; n < 6; n += 1) statuses.push(await attempt(guesses[n % 3]!));
  expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
});

// abuse.md 60
test('unfinished uploads of an account are refused before they fill the memory', async () => {
  const rig = await startRig();
  const { cookie, token } = await signUp(rig);
  const { hostname, port } = new URL(rig.service.url);
  const { host } = new URL(rig.service.studioUrl);
  const content = Buffer.alloc(8 * 1024 * 1024 - 1024);
  const part = (index: number): Buffer =>
    Buffer.concat([
      Buffer.from(
        `--x\r\nContent-Disposition: form-data; name="scene-${index}-file"; filename="a"\r\n\r\n`,
      ),
      content,
      Buffer.from('\r\n'),
    ]);
  const statuses: number[] = [];
  const uploads = Array.from({ length: 3 }, () => {
    const upload = https.request({
      hostname,
      port,
      path: '/studio/new',
      method: 'POST',
      ca: readFileSync(rig.service.caFile!),
      servername: 'localhost',
      agent: false,
      headers: { cookie, host, 'content-type': 'multipart/form-data; boundary=x' },
    });
    upload.on('response', (response) => {
      statuses.push(response.statusCode!);
      response.resume();
    });
    upload.on('error', () => undefined);
    upload.write(`--x\r\nContent-Disposition: form-data; name="token"\r\n\r\n${token}\r\n`);
    for (const index of [0, 1, 2]) upload.write(part(index));
    return upload;
  });
  await expect.poll(() => statuses).toEqual([429]);
  for (const upload of uploads) upload.destroy();
  await expect
    .poll(async () => (await uploadPicture(rig, { cookie, token }, blankPng(3, 3))).image)
    .toMatch(/^img_/);
});

describe('a session', () => {
  testEmbedded(
    'is a cookie that scripts and plain HTTP cannot read, stored only as a hash',
    async () => {
      const rig = await startRig();
      const answer = await enter(rig, '/sign-up');
      expect(answer.status).toBe(303);
      const [header = ''] = answer.headers['set-cookie'] ?? [];
      expect(header).toMatch(
        /^__Host-spool-session=[\w-]{43}; Path=\/; Max-Age=1209600; HttpOnly; Secure; SameSite=Lax$/,
      );
      const secret = cookieOf(answer).split('=')[1] ?? '';
      const database = new DatabaseSync(path.join(rig.dataDir, 'service.sqlite'), {
        readOnly: true,
      });
      const rows = ['web_session', 'password'].flatMap((table) =>
        database
          .prepare(`SELECT * FROM ${table}`)
          .all()
          .flatMap((row) => Object.values(row)),
      );
      database.close();
      for (const value of rows) {
        const stored =
          value instanceof Uint8Array ? Buffer.from(value) : Buffer.from(String(value));
        expect(stored.includes(secret)).toBe(false);
        expect(stored.includes(Buffer.from(secret, 'base64url'))).toBe(false);
        expect(stored.includes(PASSWORD)).toBe(false);
      }
    },
  );

  test('ends when its user signs out, and after 14 days automatically', async () => {
    const rig = await startRig();
    const one = await signUp(rig);
    const open = async (cookie: string): Promise<number> =>
      (await rig.client.ask('/studio', { headers: { cookie } })).status;
    await send(rig, '/sign-out', { token: one.token }, { cookie: one.cookie });
    expect(await open(one.cookie)).toBe(303);

    const other = cookieOf(await enter(rig, '/sign-in'));
    for (let days = 2; days < 14; days += 2) {
      rig.clock.advance(2 * DAY_MS);
      expect(await open(other)).toBe(200);
    }
    rig.clock.advance(2 * DAY_MS - 1);
    expect(await open(other)).toBe(200);
    rig.clock.advance(1);
    expect(await open(other)).toBe(303);
  });

  test('ends after three days without use', async () => {
    const rig = await startRig();
    const { cookie } = await signUp(rig);
    const open = async (): Promise<number> =>
      (await rig.client.ask('/studio', { headers: { cookie } })).status;
    rig.clock.advance(3 * DAY_MS - 1);
    expect(await open()).toBe(200);
    rig.clock.advance(3 * DAY_MS - 1);
    expect(await open()).toBe(200);
    rig.clock.advance(3 * DAY_MS);
    expect(await open()).toBe(303);
  });

  test('ends when its browser signs in again, and everywhere on request', async () => {
    const rig = await startRig();
    const before = await signUp(rig);
    const { cookie, token } = await visitor(rig);
    const both = { cookie: `${cookie}; ${before.cookie}` };
    const fields = { token, email: EMAIL, password: PASSWORD };
    const here = cookieOf(await send(rig, '/sign-in', fields, both));
    const elsewhere = cookieOf(await enter(rig, '/sign-in'));
    const open = async (as: string): Promise<number> =>
      (await rig.client.ask('/studio', { headers: { cookie: as } })).status;
    expect([await open(before.cookie), await open(here), await open(elsewhere)]).toEqual([
      303, 200, 200,
    ]);

    const page = await rig.client.ask('/settings/password', { headers: { cookie: here } });
    expect(page.bytes.toString('utf8')).toContain('Sign out everywhere');
    const target = '/settings/password/sign-out';
    expect((await send(rig, target, { token: 'x' }, { cookie: here })).status).toBe(403);
    const out = await send(rig, target, { token: tokenOf(page) }, { cookie: here });
    expect(out.headers.location).toBe('/sign-in');
    expect([await open(here), await open(elsewhere)]).toEqual([303, 303]);
  });

  // abuse.md 67
  test('creates and revokes a key only with the password', async () => {
    const rig = await startRig();
    const { cookie, token } = await signUp(rig);
    const account = await rig.accounts.withEmail(EMAIL);
    const change = (target: string, fields: Record<string, string>): Promise<Answer> =>
      send(rig, `/settings/developer-api/${target}`, { token, ...fields }, { cookie });
    for (const wrong of [{}, { current: 'a guess' }]) {
      const refused = await change('new', { name: 'CI', ...wrong });
      expect(refused.status).toBe(422);
      expect(refused.bytes.toString('utf8')).toContain('This is not your current password.');
      expect(await rig.keys.activeKey(account)).toBeUndefined();
    }
    expect((await change('new', { name: 'CI', current: PASSWORD })).status).toBe(200);
    for (let count = 0; count < 3; count += 1) {
      expect((await change('revoke', { current: 'a guess' })).status).toBe(422);
    }
    expect((await change('revoke', { current: PASSWORD })).status).toBe(429);
    expect(await rig.keys.activeKey(account)).toMatchObject({ name: 'CI' });
    rig.clock.advance(60_000);
    expect((await change('revoke', { current: PASSWORD })).status).toBe(303);
    expect(await rig.keys.activeKey(account)).toBeUndefined();
  });

  test('redirects only to a page of this service', async () => {
    const rig = await startRig();
    await signUp(rig);
    const { cookie, token } = await visitor(rig);
    for (const next of ['//evil.example', 'https://evil.example', '/studio/../../x', '/sign-out']) {
      const fields = { token, email: EMAIL, password: PASSWORD, next };
      const answer = await send(rig, '/sign-in', fields, { cookie });
      expect(answer.headers.location).toBe('/studio');
    }
  });
});

describe('signing in', () => {
  test('gives the same message for a wrong password and an unknown address', async () => {
    const rig = await startRig();
    await signUp(rig);
    const wrong = await enter(rig, '/sign-in', { password: 'something else' });
    const unknown = await enter(rig, '/sign-in', { email: 'eve@example.com' });
    expect([wrong.status, unknown.status]).toEqual([401, 401]);
    const sentence = 'The email address or the password is not right.';
    for (const answer of [wrong, unknown])
      expect(answer.bytes.toString('utf8')).toContain(sentence);
  });

  // abuse.md 41
  test('is slowed down by wrong passwords, and never locked', async () => {
    const rig = await startRig();
    await signUp(rig);
    const attacker = await visitor(rig);
    const guess = (): Promise<Answer> =>
      send(
        rig,
        '/sign-in',
        { token: attacker.token, email: EMAIL, password: 'wrong' },
        { cookie: attacker.cookie },
      );
    for (let count = 0; count < 5; count += 1) expect((await guess()).status).toBe(401);
    for (let count = 0; count < 20; count += 1) {
      const refused = await guess();
      expect(refused.status).toBe(429);
      expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(61);
      if (count % 3 > 0) continue;
      rig.clock.advance(Number(refused.headers['retry-after']) * 1000);
      expect((await guess()).status).toBe(401);
    }
    // In a new browser, the user waits a minute at most.
    const refused = await enter(rig, '/sign-in');
    expect(refused.status).toBe(429);
    rig.clock.advance(Number(refused.headers['retry-after']) * 1000);
    expect((await enter(rig, '/sign-in')).status).toBe(303);
  });

  test('is slowed down for all addresses of this computer together', async () => {
    const rig = await startRig();
    await signUp(rig);
    const { cookie, token } = await visitor(rig);
    const statuses: number[] = [];
    for (let n = 2; n < 8; n += 1) {
      const answer = await rig.client.ask('/sign-in', {
        method: 'POST',
        localAddress: `127.0.0.${n}`,
        headers: { cookie, 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ token, email: EMAIL, password: 'wrong' }).toString(),
      });
      statuses.push(answer.status);
    }
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
  });

  test('is not slowed down by the times that it worked', async () => {
    const rig = await startRig();
    await signUp(rig);
    for (let count = 0; count < 8; count += 1) {
      expect((await enter(rig, '/sign-in')).status).toBe(303);
    }
  });

  // abuse.md 41
  test('is not delayed by others’ wrong passwords in a browser that has signed in before', async () => {
    const rig = await startRig();
    const browser = cookieOf(await enter(rig, '/sign-up'));
    const stranger = cookieOf(await enter(rig, '/sign-up', { email: 'eve@example.com' }));
    for (let count = 0; count < 8; count += 1) await enter(rig, '/sign-in', { password: 'wrong' });
    const { cookie, token } = await visitor(rig);
    const signIn = (known: string): Promise<Answer> => {
      const fields = { token, email: EMAIL, password: PASSWORD };
      const browserCookie = /__Host-spool-browser=[\w-]+/.exec(known)?.[0] ?? '';
      return send(rig, '/sign-in', fields, { cookie: `${cookie}; ${browserCookie}` });
    };
    expect((await signIn(stranger)).status).toBe(429);
    expect((await signIn('')).status).toBe(429);
    expect((await signIn(browser)).status).toBe(303);
  });

  // abuse.md 34
  test('works although another page of this host planted cookies of the same names', async () => {
    const rig = await startRig();
    const page = await visitor(rig);
    const planted = (name: string): string => `__Host-spool-${name}=${'x'.repeat(43)}`;
    const fields = { token: page.token, email: EMAIL, password: PASSWORD };
    const done = await send(rig, '/sign-up', fields, {
      cookie: `${planted('visitor')}; ${page.cookie}`,
    });
    expect(done.status).toBe(303);
    const cookie = `${planted('session')}; __Host-spool-session=short; ${cookieOf(done)}`;
    const studio = await rig.client.ask('/studio', { headers: { cookie } });
    expect(studio.status).toBe(200);
    const out = await send(rig, '/sign-out', { token: tokenOf(studio) }, { cookie });
    expect(out.headers.location).toBe('/sign-in');
    expect((await rig.client.ask('/studio', { headers: { cookie } })).status).toBe(303);
  });

  testEmbedded('for the first time creates account and password together, or neither', async () => {
    const rig = await startRig();
    const database = new DatabaseSync(path.join(rig.dataDir, 'service.sqlite'));
    database.exec(
      "CREATE TRIGGER full BEFORE INSERT ON password BEGIN SELECT RAISE(ABORT, 'disk full'); END",
    );
    expect((await enter(rig, '/sign-up')).status).toBe(500);
    database.exec('DROP TRIGGER full');
    database.close();
    expect((await enter(rig, '/sign-up')).status).toBe(303);
  });

  testEmbedded('rehashes a password that has other hash parameters', async () => {
    const rig = await startRig({ hashesAsByDefault: true });
    await signUp(rig);
    const database = new DatabaseSync(path.join(rig.dataDir, 'service.sqlite'));
    const stored = () => database.prepare('SELECT * FROM password').get();
    const byDefault = { cost: 2 ** 15, block_size: 8, parallelization: 3 };
    expect(stored()).toMatchObject(byDefault);
    const salt = randomBytes(16);
    const hash = scryptSync(PASSWORD, salt, 32, { N: 2 ** 12, r: 4, p: 1 });
    database
      .prepare(
        'UPDATE password SET salt = ?, hash = ?, cost = ?, block_size = ?, parallelization = ?',
      )
      .run(salt, hash, 2 ** 12, 4, 1);
    expect((await enter(rig, '/sign-in', { password: 'wrong' })).status).toBe(401);
    expect(stored()).toMatchObject({ cost: 2 ** 12 });
    const session = cookieOf(await enter(rig, '/sign-in'));
    expect(stored()).toMatchObject(byDefault);
    database.close();
    expect((await rig.client.ask('/studio', { headers: { cookie: session } })).status).toBe(200);
    expect((await enter(rig, '/sign-in')).status).toBe(303);
  });

  // abuse.md 42
  test('for the first time is limited for all addresses of this computer together', async () => {
    const rig = await startRig();
    const { cookie, token } = await visitor(rig);
    const statuses: number[] = [];
    for (let n = 0; n < 21; n += 1) {
      const fields = { token, email: `${n}@example.com`, password: PASSWORD };
      const answer = await sendFrom(`127.0.0.${2 + (n % 6)}`, rig, fields, cookie);
      statuses.push(answer);
    }
    expect(statuses).toEqual([...Array.from({ length: 20 }, () => 303), 429]);
    rig.clock.advance(60_000);
    expect((await enter(rig, '/sign-up')).status).toBe(303);
  });

  test('for the first time opens a Free account whose month begins on that day', async () => {
    const rig = await startRig();
    const { cookie } = await signUp(rig);
    expect(await rig.accounts.withEmail(EMAIL)).toMatchObject({
      plan: 'free',
      signedUpAt: rig.clock.now(),
    });
    const plan = await rig.client.ask('/settings/plan', { headers: { cookie } });
    expect(plan.bytes.toString('utf8')).toContain('10 Apr 2026');
    const again = await enter(rig, '/sign-up', { email: 'ADA@example.com' });
    expect(again.status).toBe(409);
  });
});

describe('the password page', () => {
  const target = '/settings/password';

  test('changes the password and ends all other sessions', async () => {
    const rig = await startRig();
    const { cookie, token } = await signUp(rig);
    const elsewhere = cookieOf(await enter(rig, '/sign-in'));
    const password = 'another lamp entirely';
    const done = await send(rig, target, { token, current: PASSWORD, password }, { cookie });
    expect(done.status).toBe(200);
    expect(done.bytes.toString('utf8')).toContain('Your password was changed');

    const here = cookieOf(done);
    const open = async (as: string): Promise<number> =>
      (await rig.client.ask('/studio', { headers: { cookie: as } })).status;
    expect([await open(here), await open(cookie), await open(elsewhere)]).toEqual([200, 303, 303]);
    expect(tokenOf(done)).toBe(
      tokenOf(await rig.client.ask(target, { headers: { cookie: here } })),
    );
    expect((await enter(rig, '/sign-in')).status).toBe(401);
    expect((await enter(rig, '/sign-in', { password })).status).toBe(303);
  });

  test('slows down guesses of the current password, and accepts it after the wait', async () => {
    const rig = await startRig();
    const { cookie, token } = await signUp(rig);
    const password = 'another lamp entirely';
    const change = (current: string): Promise<Answer> =>
      send(rig, target, { token, current, password }, { cookie });
    for (let count = 0; count < 5; count += 1) expect((await change('a guess')).status).toBe(422);
    const refused = await change(PASSWORD);
    expect(refused.status).toBe(429);
    expect(refused.bytes.toString('utf8')).toContain('There were too many attempts.');
    rig.clock.advance(Number(refused.headers['retry-after']) * 1000);
    expect((await change(PASSWORD)).status).toBe(200);
  });

  test('accepts neither a wrong password, nor a short one, nor a foreign form', async () => {
    const rig = await startRig();
    const { cookie, token } = await signUp(rig);
    const tries: [Record<string, string>, number][] = [
      [{ token, current: 'a wrong password', password: 'another lamp entirely' }, 422],
      [{ token, current: PASSWORD, password: 'short' }, 422],
      [{ token: 'x', current: PASSWORD, password: 'another lamp entirely' }, 403],
    ];
    for (const [fields, status] of tries) {
      expect((await send(rig, target, fields, { cookie })).status).toBe(status);
    }
    expect((await enter(rig, '/sign-in')).status).toBe(303);
  });
});

describe('making a video', () => {
  test('needs one of the form’s buttons', async () => {
    const rig = await startRig();
    const signed = await signUp(rig);
    const scene = { 'scene-0-kind': 'title', 'scene-0-text': 'Hello' };
    for (const action of ['', 'made', 'add', 'remove-', 'make ']) {
      const refused = await makeVideo(rig, signed, scene, action);
      expect(refused.status).toBe(400);
      expect(refused.bytes.toString('utf8')).toContain('Nothing was made or spent.');
    }
    const gallery = await rig.client.ask('/studio', { headers: { cookie: signed.cookie } });
    expect(gallery.bytes.toString('utf8')).toContain('3 of 3');
  });

  test('renders it without another request', async () => {
    const rig = await startRig();
    const made = await makeVideo(rig, await signUp(rig), {
      'scene-0-kind': 'title',
      'scene-0-text': 'Hello',
    });
    expect(made.status).toBe(303);
    const id = made.headers.location?.split('/').at(-1) ?? '';
    await expect.poll(() => rig.isSettled(id)).toBe(true);
  });
});

describe('the gallery', () => {
  testEmbedded('has pages, the newest first, and none beyond the last', async () => {
    const rig = await startRig();
    const { cookie } = await signUp(rig);
    const { id } = await rig.accounts.withEmail(EMAIL);
    const database = new DatabaseSync(path.join(rig.dataDir, 'service.sqlite'));
    const add = database.prepare(
      `INSERT INTO video (id, account_id, storyboard, state, duration_seconds, created_at, finished_at, error)
       VALUES (?, ?, ?, 'failed', 1, 0, 0, 'x')`,
    );
    for (let n = 1; n <= 100; n += 1) {
      add.run(`vid_${String(n).padStart(22, '0')}`, id, JSON.stringify({ title: `Reel ${n}.` }));
    }
    database.close();

    const page = async (query: string): Promise<{ titles: string[]; text: string }> => {
      const answer = await rig.client.ask(`/studio${query}`, { headers: { cookie } });
      expect(answer.status).toBe(200);
      const text = answer.bytes.toString('utf8');
      return { text, titles: Array.from(text.matchAll(/>Reel (\d+)\.</g), ([, n]) => n ?? '') };
    };
    const first = await page('');
    expect(first.titles.slice(0, 2)).toEqual(['100', '99']);
    const seen = [...first.titles, ...(await page('?page=2')).titles];
    const last = await page('?page=3');
    expect(new Set([...seen, ...last.titles]).size).toBe(100);
    expect(last.titles.at(-1)).toBe('1');
    expect(last.text).toContain('Page 3 of 3');
    expect(last.text).not.toContain('rel="next"');
    expect((await page('?page=999999999999999999999')).titles).toEqual(first.titles);
    expect((await page('?page=99')).titles).toEqual(last.titles);
    for (const odd of ['?page=0', '?page=-1', '?page=x', '?page=1&page=2']) {
      expect((await page(odd)).titles, odd).toEqual(first.titles);
    }
  });
});

describe('the password command', () => {
  /** Runs the command with the password on standard input, as `printf | spool service` would. */
  async function setPassword(rig: Rig, input: string): Promise<{ code: number; output: string }> {
    const args = ['account', 'password', '--email', EMAIL, '--data-dir', rig.dataDir];
    const child = execFile(process.execPath, [BUILT_SERVICE_FILE, ...args]);
    child.stdin?.end(input);
    const ended = new Promise<number>((resolve) => {
      child.once('exit', (code) => resolve(code ?? -1));
    });
    const output = child.stdout && child.stderr ? [text(child.stdout), text(child.stderr)] : [];
    return { code: await ended, output: (await Promise.all(output)).join('') };
  }

  testEmbedded('lets the user of an account that a command created sign in', async () => {
    const rig = await startRig();
    await rig.accounts.add({ email: EMAIL, plan: 'pro' });
    expect((await enter(rig, '/sign-in')).status).toBe(401);
    expect((await enter(rig, '/sign-up')).status).toBe(409);
    const { code, output } = await setPassword(rig, `${PASSWORD}\n`);
    expect(code).toBe(0);
    expect(output).not.toContain(PASSWORD);
    expect((await enter(rig, '/sign-in')).status).toBe(303);
  });

  testEmbedded('ends all sessions of the account, and accepts no short password', async () => {
    const rig = await startRig();
    const { cookie } = await signUp(rig);
    const studio = (): Promise<Answer> => rig.client.ask('/studio', { headers: { cookie } });
    expect(await setPassword(rig, 'short\n')).toMatchObject({ code: 2 });
    expect((await studio()).status).toBe(200);
    expect(await setPassword(rig, 'quite another password\n')).toMatchObject({ code: 0 });
    expect((await studio()).status).toBe(303);
    expect((await enter(rig, '/sign-in')).status).toBe(401);
  });
});

describe('pages', () => {
  test('allow no inline and no foreign content, and are not cached', async () => {
    const rig = await startRig();
    const { cookie } = await signUp(rig);
    for (const where of ['/sign-in', '/studio', '/studio/new', '/settings/developer-api']) {
      const signedIn = where === '/sign-in' ? {} : { cookie };
      const page = await rig.client.ask(where, { headers: signedIn });
      expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
      const policy = String(page.headers['content-security-policy']);
      expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toContain('unsafe');
      expect(page.headers).toMatchObject({
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
      });
      expect(page.bytes.toString('utf8')).not.toMatch(/<style|style=|\son\w+=|<script(?! src)/);
    }
  });

  test('do not accept a studio session as an API key, nor a key as a session', async () => {
    const rig = await startRig();
    const { cookie } = await signUp(rig);
    const api = await rig.client.ask('/api/v1/video/status/x', { headers: { cookie } });
    expect(api.status).toBe(401);
    const page = await rig.client.ask('/studio', { headers: await rig.signUp() });
    expect(page.headers.location).toBe('/sign-in?next=%2Fstudio');
  });
});

// abuse.md 67
test('pages are at a name of the data folder, and at no address that other programs share', async () => {
  const rig = await startRig();
  const { host, hostname, port } = new URL(rig.service.studioUrl);
  expect(hostname).toMatch(/^[0-9a-f]{32}\.studio\.localhost$/);
  const shared = [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`, 'evil.example', 'x'];
  const others = [`studio.localhost:${port}`, `${'0'.repeat(32)}.studio.localhost:${port}`];
  for (const other of [...shared, ...others]) {
    for (const target of ['/', '/sign-in', '/sign-up', '/studio', '/settings/plan', '/nothing']) {
      const answer = await rig.client.ask(target, { headers: { host: other } });
      const { status, headers, bytes } = answer;
      expect([other, target, status]).toEqual([other, target, target === '/nothing' ? 404 : 421]);
      expect(JSON.stringify(headers) + bytes.toString()).not.toContain(hostname);
      expect(headers['set-cookie']).toBeUndefined();
    }
  }
  expect((await rig.client.ask('/sign-in', { headers: { host } })).status).toBe(200);
  const api = await rig.client.ask('/api/v1/openapi.json', {
    headers: { ...(await rig.signUp()), host: `127.0.0.1:${port}` },
  });
  expect(JSON.stringify(api.json)).not.toContain('studio.localhost');

  await rig.stop();
  const again = await startRig({ dataDir: rig.dataDir, clock: rig.clock });
  expect(new URL(again.service.studioUrl).hostname).toBe(hostname);
  const other = await startRig();
  expect(new URL(other.service.studioUrl).hostname).not.toBe(hostname);
});

// abuse.md 67
test('the certificate does not tell the name of the studio', async () => {
  const rig = await startRig();
  const { hostname } = new URL(rig.service.studioUrl);
  const certificate = new X509Certificate(
    readFileSync(path.join(rig.dataDir, 'tls', 'server.pem')),
  );
  expect(certificate.checkHost(hostname)).toBe('*.studio.localhost');
  expect(certificate.toString() + (certificate.subjectAltName ?? '')).not.toContain(hostname);
});

// abuse.md 67
test.skipIf(!hasIpv6)('no other program can have the studio’s port at ::1', async () => {
  const rig = await startRig();
  const port = Number(new URL(rig.service.studioUrl).port);
  const other = net.createServer().listen(port, '::1');
  onTestFinished(() => void other.close());
  await expect(once(other, 'listening')).rejects.toThrow('EADDRINUSE');

  const ca = readFileSync(rig.service.caFile!);
  const socket = tls.connect({ host: '::1', port, servername: 'localhost', ca });
  onTestFinished(() => void socket.destroy());
  await once(socket, 'secureConnect');
});
