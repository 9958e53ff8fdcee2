import type { Answer, Client } from './rig.ts';

/** Has a client of a running service. */
interface Connected {
  readonly client: Client;
}

export const EMAIL = 'ada@example.com';
export const PASSWORD = 'a lamp above the reel';

export function cookieOf(answer: Answer): string {
  return (answer.headers['set-cookie'] ?? []).map((line) => line.split(';')[0]).join('; ');
}

export function tokenOf(answer: Answer): string {
  return /name="token"\s+value="([^"]+)"/.exec(answer.bytes.toString('utf8'))?.[1] ?? '';
}

export function send(
  rig: Connected,
  target: string,
  fields: Record<string, string>,
  headers: Record<string, string>,
): Promise<Answer> {
  return rig.client.ask(target, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams(fields).toString(),
  });
}

/** A visitor’s cookie and the token of their forms. */
export async function visitor(rig: Connected): Promise<{ cookie: string; token: string }> {
  const page = await rig.client.ask('/sign-in');
  return { cookie: cookieOf(page), token: tokenOf(page) };
}

export async function enter(
  rig: Connected,
  where: '/sign-in' | '/sign-up',
  { email = EMAIL, password = PASSWORD } = {},
): Promise<Answer> {
  const { cookie, token } = await visitor(rig);
  return send(rig, where, { token, email, password }, { cookie });
}

/** A session’s cookie and the token of its forms. */
export async function signUp(rig: Connected): Promise<{ cookie: string; token: string }> {
  const cookie = cookieOf(await enter(rig, '/sign-up'));
  return { cookie, token: tokenOf(await rig.client.ask('/studio', { headers: { cookie } })) };
}

/** Uploads a picture for a first scene. Returns the page, and the picture's ID if it was stored. */
export async function uploadPicture(
  rig: Connected,
  { cookie, token }: { cookie: string; token: string },
  picture: Buffer,
): Promise<{ text: string; image: string }> {
  const field = (name: string, value: string): string =>
    `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  const page = await rig.client.ask('/studio/new', {
    method: 'POST',
    headers: { cookie, 'content-type': 'multipart/form-data; boundary=x' },
    body: Buffer.concat([
      Buffer.from(
        `${field('token', token)}${field('action', 'make')}${field('scene-0-kind', 'image')}` +
          '--x\r\nContent-Disposition: form-data; name="scene-0-file"; filename="../../a.png"\r\n\r\n',
      ),
      picture,
      Buffer.from('\r\n--x--\r\n'),
    ]),
  });
  const text = page.bytes.toString('utf8');
  return { text, image: /value="(img_[\w-]{22})"/.exec(text)?.[1] ?? '' };
}

/** Sends the form of a new video with the fields of its scenes. */
export function makeVideo(
  rig: Connected,
  { cookie, token }: { cookie: string; token: string },
  scenes: Record<string, string>,
  action = 'make',
): Promise<Answer> {
  const fields = {
    token,
    title: 'Reel',
    aspect: '16:9',
    resolution: '720',
    fps: '30',
    soundtrack: 'none',
    accent: '#ffb020',
    background: '#15120e',
    text: '#f6f3ed',
    ...scenes,
    action,
  };
  const parts = Object.entries(fields).map(
    ([name, value]) => `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  return rig.client.ask('/studio/new', {
    method: 'POST',
    headers: { cookie, 'content-type': 'multipart/form-data; boundary=x' },
    body: `${parts.join('')}--x--\r\n`,
  });
}
