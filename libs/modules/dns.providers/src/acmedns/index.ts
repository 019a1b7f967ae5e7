/** The module `dns.providers.acmedns`, which uses acme-dns servers. Such servers only serve TXT records for ACME challenges. */
import { readFile } from 'node:fs/promises';
import { isObject, messageOf, SluiceError, type Json, type JsonObject } from '@sluice/base';
import { dnsProviders, type DnsProvider, type DnsRecord } from '@sluice/contracts';
import { defineModule, map, options, string, type Context, type Options } from '@sluice/registry';
import { Api } from '../common/api.ts';
import { fullName, zoneName } from '../common/names.ts';
import { requiredOption } from '../common/options.ts';

const accountFields = {
  username: string('User name, as returned when the account was registered.'),
  password: string('Account password, such as `{env.ACMEDNS_PASSWORD}`.'),
  subdomain: string('Subdomain of the account.'),
  server_url: string('URL of the acme-dns server, such as `https://auth.example.org`.'),
};

const accountOptions = options({
  ...accountFields,
  fulldomain: string('Fully qualified name of the record that the CNAME at `_acme-challenge.<domain>` points to.'),
});

const acmednsOptions = options({
  ...accountFields,
  config: map('Map of domains to accounts, instead of a single account.', accountOptions),
  config_file_path: string(
    'JSON file that an acme-dns client wrote. Contains either one account, or a map of domains to accounts.',
  ),
});

type AccountOptions = Options<typeof accountOptions>;

interface Account {
  readonly subdomain: string;
  /** Full domain of the account. Empty if unknown. */
  readonly fullDomain: string;
  readonly api: Api;
}

export const acmednsModule = defineModule(dnsProviders, {
  name: 'acmedns',
  help: 'DNS provider for acme-dns, a DNS server for ACME challenge records. Delegate `_acme-challenge.<name>` to it with a CNAME record.',
  config: acmednsOptions,
  provision: async (config, context): Promise<DnsProvider> => new AcmeDns(await accountsOf(config, context)),
});

/** Returns acme-dns accounts by domain. The key is empty for an account that applies to all domains. */
async function accountsOf(
  { config, config_file_path: file, ...single }: Options<typeof acmednsOptions>,
  context: Context,
): Promise<ReadonlyMap<string, Account>> {
  if (file) return accountsIn(await contentOf(file, context), context);
  const several = Object.entries(config ?? {});
  if (several.length === 0) return new Map([['', account(single, context)]]);
  return new Map(
    several.map(([domain, each]) => [zoneName(domain), account(each ?? {}, context, 'config', domain)] as const),
  );
}

function account(options: AccountOptions, context: Context, ...at: string[]): Account {
  const base = requiredOption(options.server_url, context, ...at, 'server_url').replace(/\/$/, '');
  if (!/^https?:\/\//.test(base))
    throw context.error('must be a URL that begins with https:// or http://', ...at, 'server_url');
  const password = requiredOption(options.password, context, ...at, 'password');
  const headers = {
    'x-api-user': requiredOption(options.username, context, ...at, 'username'),
    'x-api-key': password,
  };
  return {
    subdomain: requiredOption(options.subdomain, context, ...at, 'subdomain'),
    fullDomain: zoneName(options.fulldomain ?? ''),
    api: new Api({ name: 'acmedns', base, headers, secrets: [password] }, context),
  };
}

async function contentOf(file: string, context: Context): Promise<JsonObject> {
  const path = requiredOption(file, context, 'config_file_path');
  try {
    const value = JSON.parse(await readFile(path, 'utf8')) as Json;
    if (isObject(value)) return value;
  } catch (error) {
    throw context.error(messageOf(error), 'config_file_path');
  }
  throw context.error(`${path} contains no JSON object`, 'config_file_path');
}

function accountsIn(content: JsonObject, context: Context): ReadonlyMap<string, Account> {
  const several = Object.entries(content).filter(([, value]) => isObject(value));
  if (several.length === 0) return new Map([['', account(content as AccountOptions, context, 'config_file_path')]]);
  return new Map(
    several.map(([domain, value]) => [
      zoneName(domain),
      account(value as AccountOptions, context, 'config_file_path', domain),
    ]),
  );
}

class AcmeDns implements DnsProvider {
  readonly #accounts: ReadonlyMap<string, Account>;

  constructor(accounts: ReadonlyMap<string, Account>) {
    this.#accounts = accounts;
  }

  async append(zone: string, records: readonly DnsRecord[], signal: AbortSignal): Promise<void> {
    for (const { name, type, value } of records) {
      if (type !== 'TXT')
        throw new SluiceError('ERR_DNS_PROVIDER', `acmedns: records of type ${type} are not supported`);
      const { api, subdomain } = this.#accountOf(fullName(name, zone));
      await api.call({ method: 'POST', path: '/update', body: { subdomain, txt: value }, signal });
    }
  }

  /** Does nothing. The server keeps the last two values of an account, and values cannot be removed. */
  remove(): Promise<void> {
    return Promise.resolve();
  }

  /** Returns the account for a record name: either the challenge name itself, or the name it is delegated to. */
  #accountOf(name: string): Account {
    const domain = name.replace(/^_acme-challenge\./, '');
    const found = this.#accounts.get('') ?? this.#accounts.get(domain) ?? this.#delegatedTo(name);
    if (found === undefined)
      throw new SluiceError('ERR_DNS_PROVIDER', `acmedns: no account is configured for ${domain}`);
    return found;
  }

  #delegatedTo(name: string): Account | undefined {
    const [label] = name.split('.', 1);
    return [...this.#accounts.values()].find(
      ({ subdomain, fullDomain }) => fullDomain === name || subdomain.toLowerCase() === label,
    );
  }
}
