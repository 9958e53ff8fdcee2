import { text } from 'node:stream/consumers';
import { type Command, InvalidArgumentError } from 'commander';
import {
  cycleAnchorOf,
  endpointSchema,
  hasQuota,
  ownLimitsOf,
  type Plan,
  quotaOf,
} from './accounts/account.ts';
import type { Awaitable } from './awaitable.ts';
import { systemClock } from './clock.ts';
import {
  type NamedLimit,
  parseBillingDate,
  parseEmail,
  parseLimit,
  parsePassword,
  parsePlan,
  parseVideos,
} from './command-line-values.ts';
import type { CommandOutput } from './command-output.ts';
import { databaseAddress, databaseOption } from './database-address.ts';
import { openSqliteAccountStores } from './sqlite/sqlite-stores.ts';
import type { AccountStores } from './stores.ts';
import { PasswordService } from './studio/identity/password-service.ts';

/** Where accounts are stored: in the data folder, or in a database that several computers share. */
interface StoreLocation {
  readonly dataDir: string;
  readonly database?: string | true;
}

interface AccountOption extends StoreLocation {
  readonly account: string;
}

interface AddOptions extends StoreLocation {
  readonly email: string;
  readonly plan: Plan;
  readonly billingDate?: string;
  readonly videos?: number;
  readonly ifMissing: boolean;
}

/**
 * Administers accounts from the command line. The commands change the database directly, whether or
 * not a service is running; a running service sees the change with its next request. Each command
 * prints one line of JSON.
 */
export function addAccountCommands(program: Command, dataDir: string, output: CommandOutput): void {
  const print = (answer: object): void => output.print(answer);
  const account = program.command('account').description('Manage the accounts of the service.');
  addSubcommand(account, 'add', dataDir)
    .description('Open an account.')
    .requiredOption('--email <address>', 'whose it is', parseEmail)
    .requiredOption(
      '--plan <plan>',
      'free, starter, creator, pro, business or unlimited',
      parsePlan,
    )
    .option('--billing-date <date>', 'a day on which its quota resets', parseBillingDate)
    .option('--videos <number>', 'videos a month instead of the plan’s', parseVideos)
    .option('--if-missing', 'show the account if there is one already', false)
    .action(async (options: AddOptions) => {
      await withStores(options, async (stores) => {
        const { email, plan, billingDate, videos: customQuota, ifMissing } = options;
        const details = { email, plan, billingDate, customQuota };
        if (ifMissing) await stores.accounts.addIfMissing(details);
        else await stores.accounts.add(details);
        print(await describeAccount(stores, email));
      });
    });
  addSubcommand(account, 'show', dataDir)
    .description('Show the plan, quota and key of an account.')
    .requiredOption('--account <address>', 'whose it is', parseEmail)
    .action(async (options: AccountOption) => {
      await withStores(options, async (stores) =>
        print(await describeAccount(stores, options.account)),
      );
    });
  addSubcommand(account, 'plan', dataDir)
    .description('Change the plan of an account.')
    .requiredOption('--account <address>', 'whose it is', parseEmail)
    .requiredOption('--plan <plan>', 'as for account add', parsePlan)
    .action(async ({ plan, ...options }: AccountOption & { readonly plan: Plan }) => {
      await withStores(options, async (stores) => {
        const { accounts } = stores;
        await accounts.setPlan(await accounts.withEmail(options.account), plan);
        print(await describeAccount(stores, options.account));
      });
    });
  addSubcommand(account, 'password', dataDir)
    .description('Set the dashboard password of an account, read from standard input.')
    .requiredOption('--email <address>', 'whose it is', parseEmail)
    .action(async ({ email, ...location }: StoreLocation & { readonly email: string }) => {
      const password = parsePassword(await text(process.stdin));
      await withStores(location, async ({ accounts, passwords }) => {
        const target = await accounts.withEmail(email);
        await new PasswordService(passwords).set(target, password);
        print({ account: target.email, password: 'set' });
      });
    });

  const key = program.command('key').description('Manage the API key of an account.');
  addSubcommand(key, 'create', dataDir)
    .description('Create the key and print it, once.')
    .requiredOption('--account <address>', 'whose it is', parseEmail)
    .requiredOption('--name <name>', 'what to call the key')
    .action(async (options: AccountOption & { name: string }) => {
      await withStores(options, async ({ accounts, keys }) => {
        const { value, name, createdAt } = await keys.create(
          await accounts.withEmail(options.account),
          options.name,
        );
        print({ account: options.account, key: value, name, createdAt: isoDate(createdAt) });
      });
    });
  addSubcommand(key, 'revoke', dataDir)
    .description('Revoke the key at once and for good.')
    .requiredOption('--account <address>', 'whose it is', parseEmail)
    .action(async (options: AccountOption) => {
      await withStores(options, async ({ accounts, keys }) => {
        const { name } = await keys.revoke(await accounts.withEmail(options.account));
        print({ account: options.account, name, revoked: true });
      });
    });

  const quota = program.command('quota').description('Manage the monthly quota of an account.');
  addSubcommand(quota, 'set', dataDir)
    .description('Give an account its own quota.')
    .requiredOption('--account <address>', 'whose it is', parseEmail)
    .requiredOption('--videos <number>', 'videos a month', parseVideos)
    .action(async (options: AccountOption & { videos: number }) => {
      await withStores(options, async (stores) => {
        const { accounts } = stores;
        await accounts.setQuota(await accounts.withEmail(options.account), options.videos);
        print(await describeAccount(stores, options.account));
      });
    });

  const limit = program.command('limit').description('Manage the rate limits of an account.');
  addSubcommand(limit, 'set', dataDir)
    .description('Give an account its own rate limit on one endpoint.')
    .requiredOption('--account <address>', 'whose it is', parseEmail)
    .requiredOption('--limit <limit>', 'such as generate=100/3600s', parseLimit)
    .action(async (options: AccountOption & { limit: NamedLimit }) => {
      const endpoint = endpointSchema.safeParse(options.limit.name);
      if (!endpoint.success) {
        throw new InvalidArgumentError('An account may have its own limit on an endpoint only.');
      }
      await withStores(options, async (stores) => {
        const { accounts } = stores;
        const target = await accounts.withEmail(options.account);
        await accounts.setLimit(target, endpoint.data, options.limit.limit);
        print(await describeAccount(stores, options.account));
      });
    });
}

function addSubcommand(parent: Command, name: string, dataDir: string): Command {
  return parent
    .command(name)
    .option('--data-dir <folder>', 'where the service keeps its data', dataDir)
    .addOption(databaseOption());
}

async function withStores(
  location: StoreLocation,
  work: (stores: AccountStores) => Promise<void>,
): Promise<void> {
  const stores = await openAccountStores(location);
  try {
    await work(stores);
  } finally {
    await stores.close();
  }
}

async function openAccountStores({
  dataDir,
  database,
}: StoreLocation): Promise<AccountStores & { close(): Awaitable<void> }> {
  if (database === undefined) return openSqliteAccountStores(dataDir, systemClock);
  const { openPostgresStores } = await import('./postgres/postgres-stores.ts');
  return openPostgresStores({
    url: databaseAddress(database),
    clock: systemClock,
    window: 'fixed',
    slots: 0,
    maxConnections: 2,
    onError: (error) => process.stderr.write(`${String(error)}\n`),
  });
}

async function describeAccount(
  { accounts, keys, videos }: AccountStores,
  email: string,
): Promise<object> {
  const account = await accounts.withEmail(email);
  const { used, resetAt } = await videos.quotaUse(account);
  return {
    account: account.email,
    plan: account.plan,
    billingDate: account.billingDate ?? null,
    quota: {
      used,
      limit: hasQuota(account) ? quotaOf(account) : null,
      resetAt: isoDate(resetAt),
      // `resetAt` does not reveal the day, because short months shift it: 31 January, 28 February,
      // 31 March.
      countedFrom: cycleAnchorOf(account),
    },
    limits: ownLimitsOf(account),
    keyName: (await keys.activeKey(account))?.name ?? null,
  };
}

function isoDate(ms: number): string {
  return new Date(ms).toISOString();
}
