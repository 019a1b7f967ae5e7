/**
 * The module `http.authentication.providers.http_basic`. It authenticates users with the user name and password in the `Authorization`
 * header (RFC 7617).
 */
import {
  authenticationProviders,
  passwordHashes,
  resolveGlobalText,
  type AuthenticationProvider,
  type Exchange,
  type User,
} from '@sluice/http-app';
import {
  defineModule,
  inlineModule,
  list,
  options,
  string,
  structure,
  type Context,
  type Options,
} from '@sluice/registry';
import { VerdictCache } from './verdict-cache.ts';

const accountOptions = options({
  username: string('User name. Placeholders such as {env.NAME} are replaced once, when the configuration is loaded.'),
  password: string('Password hash, either as is (`$2a$…`) or base64-encoded.'),
});

const httpBasicOptions = options({
  hash: inlineModule('Hash algorithm for the passwords. Default: bcrypt.', passwordHashes, 'algorithm'),
  accounts: list('Accounts of the users who may sign in.', accountOptions),
  realm: string('Realm, which browsers may show to the user. Default: restricted.'),
  hash_cache: structure(
    'Cache verification results in memory, so that passwords are not hashed for every request.',
    options({}),
  ),
});

export const httpBasicModule = defineModule(authenticationProviders, {
  name: 'http_basic',
  help: 'HTTP Basic authentication. Verification takes the same time for known and unknown users.',
  config: httpBasicOptions,
  async provision(config, context): Promise<AuthenticationProvider> {
    const hash = await context.loadInline(passwordHashes, config.hash ?? { algorithm: 'bcrypt' }, 'algorithm', 'hash');
    const accounts = readAccounts(config, context);
    // Verify the passwords of unknown users at the same cost as the passwords of known users. Otherwise, response times would reveal which
    // users exist.
    const decoy = hash.decoy(accounts.values().next().value ?? '');
    const challenge = `Basic realm="${config.realm || 'restricted'}"`;
    const cache = config.hash_cache == null ? null : new VerdictCache();
    const { log } = context;

    const verify = async (stored: string, password: string): Promise<boolean> => {
      const known = cache?.get(stored, password);
      if (known !== undefined) return known;
      try {
        const verdict = await hash.verify(stored, password);
        cache?.set(stored, password, verdict);
        return verdict;
      } catch (error) {
        log.error('failed to verify password', { error });
        return false;
      }
    };

    return {
      async authenticate(exchange): Promise<User | null> {
        const credentials = readCredentials(exchange);
        if (credentials !== null) {
          const stored = accounts.get(credentials.name);
          const right = await verify(stored ?? decoy, credentials.password);
          if (right && stored !== undefined) return { id: credentials.name, metadata: {} };
        }
        exchange.response.headers.set('www-authenticate', challenge);
        return null;
      },
    };
  },
});

function readAccounts(config: Options<typeof httpBasicOptions>, context: Context): Map<string, string> {
  const accounts = new Map<string, string>();
  for (const [i, account] of (config.accounts ?? []).entries()) {
    const name = resolveGlobalText(account.username ?? '', 'keep');
    const password = resolveGlobalText(account.password ?? '', 'keep');
    if (name === '' || password === '')
      throw context.error('account requires a username and a password', 'accounts', i);
    if (accounts.has(name)) throw context.error(`duplicate account ${JSON.stringify(name)}`, 'accounts', i, 'username');
    const stored = isHash(password) ? password : Buffer.from(password, 'base64').toString();
    if (!isHash(stored)) {
      throw context.error(
        'must be a password hash such as "$2a$10$…", or a base64-encoded hash, not the password itself',
        'accounts',
        i,
        'password',
      );
    }
    accounts.set(name, stored);
  }
  return accounts;
}

/** Reports whether a string has the format of a password hash. `{SHA}` and `{SSHA}` are htpasswd formats. */
function isHash(text: string): boolean {
  return text.startsWith('$') || /^\{S?SHA\}/.test(text);
}

function readCredentials(exchange: Exchange): { name: string; password: string } | null {
  const field = exchange.headers.get('authorization');
  if (field === undefined || field.slice(0, 6).toLowerCase() !== 'basic ') return null;
  const encoded = field.slice(6);
  if (!/^(?:[A-Za-z\d+/]{4})*(?:[A-Za-z\d+/]{2}==|[A-Za-z\d+/]{3}=)?$/.test(encoded)) return null;
  const text = Buffer.from(encoded, 'base64').toString();
  const colon = text.indexOf(':');
  return colon < 0 ? null : { name: text.slice(0, colon), password: text.slice(colon + 1) };
}
