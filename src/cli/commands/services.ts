/** Lists, adds, renames and removes the services of the queue. */
import type { Client } from '../../contract/contract.ts';
import type { ListedService, RemovedRows } from '../../contract/managed-service.ts';
import { countIn } from '../../contract/job-states.ts';
import { hostOf, serviceIdOf } from '../../contract/service-id.ts';
import type { ServiceCheck, ServiceToUse, ServiceTried } from '../../contract/service-offer.ts';
import { userMessage } from '../../contract/user-message.ts';
import { NotPossibleNowError } from '../../engine/engine-error.ts';
import { openKeyStore } from '../../engine/keys/key-store.ts';
import { systemClock } from '../../engine/system-clock.ts';
import { forgetKey } from '../../host/managed-services.ts';
import { readCertificate } from '../../host/service-link.ts';
import { settingsOfChoice } from '../../host/settings/effective-settings.ts';
import type { CommandContext } from '../command-context.ts';
import { isConfirmed } from '../confirm.ts';
import { canvasOf } from '../display/canvas.ts';
import { formatCount } from '../display/numbers.ts';
import { amountWords } from '../display/service-words.ts';
import { table } from '../display/table.ts';
import { plainText } from '../display/safe-text.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import type { QueueOptions } from '../options.ts';
import { resolveQueueSettings } from '../queue-settings.ts';
import { readSecret } from '../read-secret.ts';
import { withJobs, type JobsOptions } from './jobs/with-jobs.ts';
import { writeEvent } from '../write-event.ts';
import { refuseKey, saveKey } from './key.ts';

export type ServicesOptions = Pick<JobsOptions, 'dataDir' | 'json'>;

export interface AddServiceOptions
  extends ServicesOptions, Pick<QueueOptions, 'ca' | 'profile' | 'accountPlan' | 'billingDate'> {
  readonly label?: string;
  readonly saveAnyway?: boolean;
}

export interface RemoveServiceOptions extends ServicesOptions {
  readonly rows: RemovedRows;
  readonly yes?: boolean;
}

export function listServices(options: ServicesOptions, context: CommandContext): Promise<ExitCode> {
  return withJobs(options, context, async ({ client }) => {
    const services = await client.services.list();
    if (options.json) {
      for (const service of services) writeEvent(context, { event: 'service', ...service });
      return EXIT.allSaved;
    }
    const rows = services.map(({ name, origin, isLocal, isShown, counts }) => [
      plainText(name),
      isLocal ? 'local' : plainText(origin),
      String(countIn('open', counts)),
      String(counts.done),
      isShown ? 'in use' : '',
    ]);
    const heads = ['name', 'address', 'open', 'saved', ''];
    context.stdout.write(`${table(heads, rows, canvasOf(context.stdout)).join('\n')}\n`);
    return EXIT.allSaved;
  });
}

/** Checks a service and a key for it, and saves both if every check passes. */
export async function addService(
  named: string,
  { label, saveAnyway = false, ...options }: AddServiceOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const { service, profile } = await resolveQueueSettings({ ...options, service: named });
  if (service?.kind !== 'remote') {
    throw new NotPossibleNowError(userMessage('service-is-here'));
  }
  const { ca } = service;
  const pem = ca && ('file' in ca ? await readCertificate(ca.file) : ca.pem);
  const wanted: ServiceToUse = {
    settings: settingsOfChoice(service, pem ?? null),
    profile: profile ?? null,
  };
  const origin = serviceIdOf(service.baseUrl);
  const { stdin, stdout, stderr, keyFromEnvironment } = context;
  // Opened before asking for the key, so that an error comes before the user types it.
  const store = keyFromEnvironment === null ? await openKeyStore({ clock: systemClock }) : null;
  if (store !== null && store.reason !== null) return refuseKey(store.reason, context);
  const key =
    keyFromEnvironment ?? (await readSecret(`API key for ${origin} (not shown): `, stdin, stderr));
  if (key === null) {
    stderr.write('No key was entered. Nothing was saved.\n');
    return EXIT.usage;
  }
  const here = { dataDir: options.dataDir, ...(options.json && { json: true }) };
  const saved = await withJobs(here, context, async ({ client }) => {
    const refused = await check({ ...wanted, key }, saveAnyway, client, here, context);
    return refused ?? use(wanted, client, context);
  });
  if (saved !== EXIT.allSaved) return saved;
  if (options.json) writeEvent(context, { event: 'service-added', origin });
  else stdout.write(`New videos are rendered by ${plainText(hostOf(origin))} from now on.\n`);
  if (store === null) return saved;
  return saveKey(key, { ...here, origin, ...(label !== undefined && { label }) }, store, context);
}

/** @param name `null` for the service's own */
export function renameService(
  named: string,
  name: string | null,
  options: ServicesOptions,
  context: CommandContext,
): Promise<ExitCode> {
  return withJobs(options, context, async ({ client }) => {
    const { origin } = await findService(named, client);
    await client.services.rename({ origin, name });
    const now = await findService(origin, client);
    if (options.json) writeEvent(context, { event: 'service', ...now });
    else context.stdout.write(`${plainText(origin)} is called ${plainText(now.name)}.\n`);
    return EXIT.allSaved;
  });
}

export function removeService(
  named: string,
  { rows, yes = false, ...options }: RemoveServiceOptions,
  context: CommandContext,
): Promise<ExitCode> {
  return withJobs(options, context, async ({ client, primary }) => {
    const { stdout, stderr } = context;
    const { origin, name, counts } = await findService(named, client);
    const unsent = countIn('unsent', counts);
    if (unsent > 0) stderr.write(`${formatCount(unsent, 'unsent video')} will be cancelled.\n`);
    if (!yes && !(await isConfirmed(`Remove ${plainText(name)} and its key?`, context))) {
      stderr.write('Nothing was removed. Add --yes to remove it without confirmation.\n');
      return EXIT.usage;
    }
    const removed = await client.services.remove({ origin, rows });
    // Without a running Spool, the queue was opened without the keychain.
    const keyTrouble =
      primary === null
        ? await forgetKey(await openKeyStore({ clock: systemClock }), origin)
        : removed.keyTrouble;
    if (keyTrouble !== null) stderr.write(`${plainText(keyTrouble.message)}\n`);
    if (options.json) writeEvent(context, { event: 'service-removed', origin, rows });
    else stdout.write(`${plainText(name)} was removed. Saved files stay in their folders.\n`);
    return EXIT.allSaved;
  });
}

/** By its name, host or address. */
async function findService(named: string, client: Client): Promise<ListedService> {
  const services = await client.services.list();
  const found = services.filter(({ origin, name }) =>
    [origin, hostOf(origin), name.toLowerCase()].includes(named.toLowerCase().replace(/\/+$/, '')),
  );
  const [service] = found;
  if (service && found.length === 1) return service;
  throw new NotPossibleNowError(
    userMessage(found.length > 1 ? 'service-ambiguous' : 'service-not-in-queue'),
  );
}

const CHECKED: Readonly<Record<ServiceCheck['check'], string>> = {
  address: 'Address',
  certificate: 'Certificate',
  key: 'Key',
  balance: 'Balance',
};

/**
 * Runs the checks, and writes each result.
 * @returns why nothing may be saved; `null` if it may
 */
async function check(
  tried: Parameters<Client['settings']['tryService']>[0],
  saveAnyway: boolean,
  client: Client,
  options: ServicesOptions,
  context: CommandContext,
): Promise<ExitCode | null> {
  const { stderr } = context;
  let written = 0;
  let last: ServiceTried | null = null;
  for await (const step of await client.settings.tryService(tried)) {
    const ended = step.checks.filter(({ state }) => state === 'passed' || state === 'failed');
    for (const each of ended.slice(written)) writeCheck(each, step, options, context);
    written = ended.length;
    last = step;
  }
  const [error] = last?.errors ?? [];
  if (error !== undefined) {
    stderr.write(`${plainText(error.message)}\n`);
    return EXIT.usage;
  }
  const failure = last?.failure ?? null;
  if (failure === null) return null;
  stderr.write(`${plainText(failure.message)}\n`);
  if (last?.entered === 'refused') {
    stderr.write('Nothing was saved.\n');
    return EXIT.keyRefused;
  }
  if (saveAnyway) return null;
  stderr.write('Nothing was saved. Add --save-anyway to save the service anyway.\n');
  return EXIT.someFailed;
}

function writeCheck(
  { check: name, state }: ServiceCheck,
  { balance }: ServiceTried,
  { json }: ServicesOptions,
  context: CommandContext,
): void {
  if (json) {
    writeEvent(context, { event: 'check', check: name, state });
    return;
  }
  const amount =
    name === 'balance' && balance !== null
      ? `: ${amountWords(balance.amount, balance.unit, balance.currency)}`
      : '';
  context.stdout.write(`${state === 'passed' ? '✓' : '✗'} ${CHECKED[name]}${amount}\n`);
}

/** Saves a service; new videos are rendered there. */
async function use(
  wanted: ServiceToUse,
  client: Client,
  { stderr }: CommandContext,
): Promise<ExitCode> {
  const { errors, replaces } = await client.settings.useService(wanted);
  if (errors.length > 0) {
    for (const { message } of errors) stderr.write(`${plainText(message)}\n`);
    return EXIT.usage;
  }
  if (replaces !== null) {
    stderr.write(
      `${plainText(replaces.name)} has another profile at this address. Remove it first, or replace its profile in the app.\n`,
    );
    return EXIT.someFailed;
  }
  return EXIT.allSaved;
}
