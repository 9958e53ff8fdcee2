import type { Exchange, FakeVideoService } from './fake-video-service.ts';

/** Headers that are specific to this service; the others are the same for all. */
const SHOWN = ['content-type', 'retry-after'];

/**
 * The traffic of the first video, with the service's own address and without the key. Of similar
 * responses, only the first is shown.
 */
export function recordingOf(service: FakeVideoService): string {
  const { facts, videos } = service;
  const id = videos[0]?.id ?? '';
  const paths = [facts.statusPath(id), facts.linkPath?.(id), facts.contentPath?.(id)];
  const [generate] = service.generates;
  const others = service.exchanges.filter(
    ({ method, path }) => method === 'GET' && (paths.includes(path) || path.includes('/files/1.')),
  );
  const texts = [...(generate ? [generate] : []), ...others].map((each) => textOf(service, each));
  return `${[...new Set(texts)].join('\n\n\n')}\n`;
}

function textOf(service: FakeVideoService, exchange: Exchange): string {
  const { method, path, headers, body, status, answerHeaders, answer } = exchange;
  const { auth, headers: fixed = {}, origin } = service.facts;
  const shown = [auth.header, ...Object.keys(fixed), ...SHOWN];
  const isFile = path.startsWith('/files/');
  const text = [
    `${method} ${isFile ? 'https://files.example' : origin}${path}`,
    ...headerLines(headers, shown),
    ...(body === '' ? [] : ['', body.replaceAll('\r\n', '\n').trimEnd()]),
    '',
    String(status),
    ...headerLines(answerHeaders, shown),
    '',
    answer,
  ].join('\n');
  const boundary = /boundary="?([^"\n]+)/.exec(headers['content-type'] ?? '')?.[1];
  return text
    .replaceAll(service.key, '(key)')
    .replaceAll(`${service.origin}/files/`, 'https://files.example/files/')
    .replaceAll(service.origin, origin)
    .replaceAll(boundary ?? '(none)', '(boundary)');
}

function headerLines(headers: Exchange['headers'], shown: readonly string[]): string[] {
  return Object.entries(headers)
    .filter(([name]) => shown.includes(name))
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => `${name}: ${value}`);
}
