import type {
  MissingFact,
  ServiceExamples,
  ServiceFields,
  ServiceProposal,
} from '../../contract/service-examples.ts';
import { hasNumberAsHost } from '../../contract/base-address.ts';
import { extraHeaderSchema, headerValueSchema } from '../../contract/service-headers.ts';
import type { ExampleRequest } from '../../contract/examples/example-body.ts';
import {
  hasKey,
  isCredentialName,
  isPlaceholder,
} from '../../contract/examples/credential-forms.ts';
import {
  fieldsWithoutKeys,
  schemeOf,
  withoutKeys,
} from '../../contract/examples/example-credentials.ts';
import { readAddress } from './example-addresses.ts';
import { proposeTemplate, type ProposedTemplate } from './propose-template.ts';
import { readService, type ReadService } from './service-examples.ts';
import { checkProfile } from './service-offers.ts';

/** Low limits, because the service's are unknown. */
const ASSUMED = { requests: '10', span: 'minute', concurrent: '1' } as const;
const SPANS_MS = { minute: 60_000, hour: 3_600_000, day: 86_400_000 } as const;
const READS_A_MINUTE = 30;

/**
 * Derives a service profile from requests and responses that the user copied from a service's
 * documentation. Guesses, and reports the guesses; the user corrects the main fields.
 *
 * What costs money when it is wrong is never guessed: no header and no list of the examples is used
 * to settle an uncertain request (`once`), and limits are low until the user enters them. Keys are
 * removed before anything is read.
 */
export function proposeService({
  requests,
  answers,
  corrected,
  words,
}: ServiceExamples): ServiceProposal {
  const { generate = '', status = '', download = '', upload = '' } = answers;
  const { hasSecret, ...cleaned } = withoutKeys(requests, { generate, status, download, upload });
  const service = readService(cleaned.requests, cleaned.answers, words);
  const template = proposeTemplate(
    service.requests.generate?.body ?? { kind: 'none' },
    service.upload?.isNamedBy,
  );
  const headers = readHeaders(Object.values(service.requests));
  const { entered, hadKey } = fieldsWithoutKeys(corrected, hasSecret);
  const fields: ServiceFields = { ...fieldsOf(service, headers), ...entered };
  const missing = missingIn(service, template, fields);
  const profileTried = (tried: 'never' | 'by-examples') => ({
    name: fields.name.trim(),
    api: { about: { tried }, ...apiOf(service, headers, fields, entered) },
    request: template.request,
    answers: service.rules,
  });
  const check = (profile: unknown) => checkProfile({ profile, baseUrl: null, examples: {} });
  const isSound = check(profileTried('never')).errors.length === 0;
  const profile = profileTried(isSound && isFullyRead(service) ? 'by-examples' : 'never');
  return {
    fields,
    profile,
    missing,
    cleaned: { requests: cleaned.requests, answers: cleaned.answers },
    checked: { ...check(profile), reading: service.reading },
    hadKey: cleaned.hadKey || hadKey,
    columns: [...template.sent],
    words: service.words,
    unreadable: service.unreadable,
    isStatusInAnswer: service.status !== null && 'addressAt' in service.status,
    assumed: (['requests', 'concurrent'] as const).filter((name) => entered[name] === undefined),
    leftOut: [
      ...headers.leftOut,
      ...service.address.keyParameters,
      ...template.leftOut,
      ...(service.requests.generate?.body.kind === 'other' ? ['body'] : []),
    ],
  };
}

type Entered = Partial<ServiceFields>;

function fieldsOf(service: ReadService, { auth }: ReadHeaders): ServiceFields {
  const { requests, address, status, filePath } = service;
  const statusPath = status !== null && 'path' in status ? status.path : '';
  return {
    name: nameOf(address.origin),
    origin: address.origin ?? '',
    authHeader: shortened(auth?.header ?? ''),
    authScheme: shortened(auth?.scheme ?? ''),
    generatePath:
      requests.generate === null || requests.generate.url === '' ? '' : shortened(address.path),
    statusPath: shortened(statusPath),
    filePath: filePath === null || filePath === statusPath ? '' : shortened(filePath),
    ...ASSUMED,
    cost: '',
    costUnit: 'USD',
  };
}

/** The profile's `api`, from fields that may be invalid. */
function apiOf(
  service: ReadService,
  headers: ReadHeaders,
  fields: ServiceFields,
  entered: Entered,
): Record<string, unknown> {
  const { requests, status, cancelPath } = service;
  const { cancel, list } = requests;
  const reads = { count: READS_A_MINUTE, perMs: SPANS_MS.minute, known: 'assumed' };
  const filePath = fields.filePath.trim();
  const statusPath = fields.statusPath.trim();
  return {
    origin: fields.origin.trim() === '' ? null : originIn(fields.origin),
    auth: { header: fields.authHeader.trim(), scheme: fields.authScheme.trim() },
    headers: headers.fixed,
    generate: {
      path: fields.generatePath.trim(),
      body: requests.generate?.body.kind === 'form' ? 'multipart' : 'json',
    },
    status:
      statusPath === '' && status !== null && 'addressAt' in status ? status : { path: statusPath },
    file:
      filePath === ''
        ? { kind: 'in-status' }
        : { kind: service.hasFileAnswer ? 'link-endpoint' : 'content', path: filePath },
    limits: {
      windows: [
        {
          endpoint: 'generate',
          count: numberIn(fields.requests),
          perMs: SPANS_MS[fields.span],
          known: entered.requests === undefined ? 'assumed' : 'documented',
        },
        { endpoint: 'status', ...reads },
        ...(filePath === '' ? [] : [{ endpoint: 'download', ...reads }]),
      ],
      concurrent: fields.concurrent.trim() === '' ? null : { count: numberIn(fields.concurrent) },
      headers: [{ name: 'retry-after', means: 'retry-after' }],
    },
    ...(fields.cost.trim() === '' ? {} : { cost: costOf(fields) }),
    upload: service.upload?.endpoint ?? null,
    cancel: cancel === null ? null : { method: cancel.method, path: cancelPath },
    keyCheck: list?.method === 'GET' ? { path: readAddress(list.url).path } : null,
  };
}

function missingIn(
  { requests, status, reading, filePath, hasFileAnswer, hasForeignFileId, upload }: ReadService,
  template: ProposedTemplate,
  fields: ServiceFields,
): MissingFact[] {
  const states = reading.statuses.map(({ state }) => state);
  const isFileEndpoint = filePath !== null && !hasFileAnswer;
  const facts: readonly (readonly [MissingFact, boolean])[] = [
    ['request', requests.generate !== null],
    ['address', fields.origin.trim() !== ''],
    ['key', fields.authHeader.trim() !== ''],
    ['body', requests.generate?.body.kind !== 'other'],
    ['text', template.hasText || requests.generate?.body.kind === 'other'],
    ['id', reading.id !== null],
    ['status-path', status !== null || fields.statusPath.trim() !== ''],
    ['status', states.length > 0 && states.every((state) => state !== null)],
    ['done', states.includes('done')],
    ['link', isFileEndpoint || reading.link?.kind === 'link'],
    ['file-id', !hasForeignFileId],
    ['upload', requests.upload === null || upload !== null],
  ];
  return facts.filter(([, isKnown]) => !isKnown).map(([fact]) => fact);
}

/** Whether the rules can read everything from the examples that a video's file requires. */
function isFullyRead(service: ReadService): boolean {
  const { reading, filePath, hasFileAnswer, status, rules } = service;
  const states = reading.statuses.map(({ state }) => state);
  const isFileEndpoint = filePath !== null && !hasFileAnswer;
  return (
    !service.hasForeignFileId &&
    (reading.id !== null || (status !== null && 'addressAt' in status)) &&
    states.includes('done') &&
    states.every((state) => state !== null) &&
    reading.unreadable.length === 0 &&
    rules.status.length > 0 &&
    (isFileEndpoint || reading.link?.kind === 'link')
  );
}

interface ReadHeaders {
  readonly auth: { readonly header: string; readonly scheme: string } | null;
  /** Sent with every request. */
  readonly fixed: Readonly<Record<string, string>>;
  readonly leftOut: readonly string[];
}

/** Headers of a single request: a fixed idempotency key would make all videos the same. */
const SINGLE_REQUEST_HEADER = /idempoten|request-id|trace|correlation|nonce|timestamp/;

/** Headers of every HTTP client, which do not belong in a profile. */
const CLIENT_HEADER =
  /^(?:accept|accept-.*|content-.*|user-agent|connection|cache-control|pragma|date|expect)$/;

function readHeaders(requests: readonly (ExampleRequest | null)[]): ReadHeaders {
  const all = requests.flatMap((request) => request?.headers ?? []);
  const withKey =
    all.find(([name]) => name === 'authorization') ??
    all.find(([name, value]) => isCredentialName(name) && name !== 'cookie' && value !== '') ??
    all.find(([, value]) => isPlaceholder(value));
  const fixed = new Map<string, string>();
  const leftOut = new Set<string>();
  for (const [name, value] of all) {
    if (name === withKey?.[0] || CLIENT_HEADER.test(name)) continue;
    const isFit =
      !isCredentialName(name) &&
      !SINGLE_REQUEST_HEADER.test(name) &&
      !isPlaceholder(value) &&
      !hasKey(value) &&
      extraHeaderSchema.safeParse(name).success &&
      headerValueSchema.safeParse(value).success;
    if (isFit && fixed.size < 20) fixed.set(name, value);
    else leftOut.add(name);
  }
  return {
    auth: withKey === undefined ? null : { header: withKey[0], scheme: schemeOf(withKey[1])[0] },
    fixed: Object.fromEntries(fixed),
    leftOut: [...leftOut],
  };
}

/** Cuts far above a profile's limit, so that a cut text is still reported as too long. */
function shortened(text: string): string {
  return text.slice(0, 2000);
}

/** `https://api.dev.runwayml.com` gets the name Runwayml until the user enters one. */
function nameOf(origin: string | null): string {
  if (origin === null) return '';
  const labels = new URL(origin).hostname.split('.');
  const isAddress = labels.length < 2 || /^[\d.[\]:]+$/.test(labels.join('.'));
  const label = isAddress ? '' : (labels.at(-2) ?? '');
  return label.charAt(0).toUpperCase() + label.slice(1);
}

/** The origin of an address as typed: without a scheme it is https, and its path is ignored. */
function originIn(text: string): string {
  const trimmed = text.trim().replace(/\/+$/, '');
  const address = /^[a-z][a-z\d+.-]*:\/\//i.test(trimmed) ? trimmed : `https://${trimmed}`;
  if (hasNumberAsHost(address)) return trimmed;
  const url = URL.parse(address);
  return url?.pathname === '/' && url.search === '' && url.username === '' ? url.origin : trimmed;
}

function costOf({ cost, costUnit }: ServiceFields): Record<string, unknown> {
  const unit = costUnit.trim();
  const of = unit === 'credit' ? { unit } : { unit: 'money', currency: unit.toUpperCase() };
  return { ...of, rule: { fixed: numberIn(cost.replace(',', '.')) } };
}

/** Returns a text that is not a number unchanged, so that the check reports it. */
function numberIn(text: string): number | string {
  return /^\s*\d{1,15}(?:\.\d{1,10})?\s*$/.test(text) ? Number(text) : text;
}
