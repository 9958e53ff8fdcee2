import type { FakeVideo, ServiceFacts } from './service-facts.ts';

const STATUS = { queued: 'pending', working: 'processing', done: 'completed', failed: 'failed' };

function video({ id, phase, link }: FakeVideo): object {
  return {
    data: {
      id,
      status: STATUS[phase],
      ...(phase === 'done' ? { video_url: link } : {}),
      ...(phase === 'failed'
        ? { failure_code: 'download_failed', failure_message: 'The picture is not there.' }
        : {}),
    },
  };
}

const error = (code: string, message: string) => ({
  error: { code, message, doc_url: `https://developers.heygen.com/docs/error-codes#${code}` },
});

/** An account with a prepaid wallet; contracts have credits in place of dollars. */
export function account(wallet: object | null): object {
  return {
    data: {
      username: 'jane_doe',
      email: 'jane@example.com',
      first_name: 'Jane',
      last_name: 'Doe',
      billing_type: wallet === null ? 'usage_based' : 'wallet',
      subscription: null,
      wallet: wallet && { ...wallet, auto_reload: { enabled: false } },
      usage_based: wallet === null ? { spending_current_usd: 42.5, spending_cap_usd: 100 } : null,
    },
  };
}

/** A colour or a picture: each has its own field. */
function isBackground(background: unknown): boolean {
  if (background === undefined) return true;
  const { type, ...fields } = background as Readonly<Record<string, unknown>>;
  const [field, ...others] = Object.entries(fields);
  const [name, value] = field ?? [];
  const isOfType = type === 'color' ? name === 'value' : type === 'image' && name === 'asset_id';
  return isOfType && typeof value === 'string' && others.length === 0;
}

export const heygen: ServiceFacts = {
  service: 'heygen',
  origin: 'https://api.heygen.com',
  auth: { header: 'x-api-key', before: '' },
  body: 'json',
  batch: ['title,script,avatar', 'Clip {n},Hello number {n},Abigail_expressive'],
  isComplete: ({ type, avatar_id: avatar, background }) =>
    type === 'avatar' && typeof avatar === 'string' && isBackground(background),
  generatePath: '/v3/videos',
  upload: {
    path: '/v3/assets',
    part: 'file',
    accepted: (number, { type, bytes }) => ({
      status: 200,
      body: {
        data: {
          asset_id: `asset_${number}`,
          url: `https://resource.example/asset_${number}`,
          mime_type: type,
          size_bytes: bytes.length,
        },
      },
    }),
  },
  newId: (number) => `vid_xyz7${10 + number}`,
  statusPath: (id) => `/v3/videos/${id}`,
  accepted: ({ id }) => ({ status: 200, body: { data: { video_id: id, status: 'waiting' } } }),
  status: (made) => ({ status: 200, body: video(made) }),
  limited: {
    status: 429,
    headers: { 'retry-after': '30' },
    body: error('rate_limit_exceeded', 'Too many videos at a time.'),
  },
  refused: {
    status: 400,
    body: error('invalid_parameter', 'There is no such avatar.'),
    says: 'There is no such avatar.',
  },
  failure: 'The picture is not there.',
  keyRefused: { status: 401, body: error('unauthorized', 'The API key is not valid.') },
  usedUp: { status: 402, body: error('insufficient_credit', 'The balance is too low.') },
  concurrent: 10,
  balance: {
    path: '/v3/users/me',
    answer: (left) => ({
      status: 200,
      body: account({ currency: 'usd', remaining_balance: left }),
    }),
    shown: (left) => ({ amount: left, unit: 'money', currency: 'USD' }),
  },
};
