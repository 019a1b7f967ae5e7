/** Caddyfile syntax for the DNS providers in this package. It is compatible with the Caddy plugins of the same names. */
import { isObject, parseNanoseconds, type Json } from '@sluice/base';
import {
  alias,
  duration,
  entries,
  fields,
  none,
  syntax,
  text,
  word,
  words,
  type Block,
  type Dispenser,
  type Grammar,
  type Line,
  type Syntax,
  type Term,
  type WordOptions,
} from '@sluice/caddyfile';

const within = ['example.com', 'tls', 'dns %'];

/** Declares an option with an optional argument. As in Caddy, an option without the argument has no effect. */
const optional = (shown: string, options: WordOptions = {}): Term => text(shown, { takes: 'optional', ...options });

/** Returns a `finish` function that checks for required fields. */
function requires(messages: Readonly<Record<string, string>>) {
  return (found: Record<string, Json>, reader: Dispenser): undefined => {
    for (const [field, message] of Object.entries(messages))
      if ((found[field] ?? '') === '') throw reader.error(message);
  };
}

/** Declares a provider that requires a token. The token can be on the provider's line or in its block. */
function withToken(
  name: string,
  field: string,
  { option = field, missing = 'missing API token', line = true, also = {} }: TokenOptions = {},
): Syntax {
  const token = text('<token>', { field, once: 'API token already set' });
  return syntax({
    line: line ? optional('[<token>]', { field }) : none,
    block: { [option]: line ? alias(token) : token, ...also },
    unknown: "unrecognized subdirective '%'",
    finish: requires({ [field]: missing }),
    within,
    example: line
      ? `${name} {env.${name.toUpperCase()}_TOKEN}`
      : `${name} {\n\t${option} {env.${name.toUpperCase()}_TOKEN}\n}`,
  });
}

interface TokenOptions {
  /** Name of the token option in the block. Default: the field name. */
  readonly option?: string;
  readonly missing?: string;
  /** False if the token can't be on the provider's line. */
  readonly line?: boolean;
  /** Additional options in the block. */
  readonly also?: Block;
}

/** Declares a boolean option: `true` or `false`. As in Go, any other word has no effect. */
function truth(field?: string): Term {
  return word('true|false', {
    takes: 'optional',
    keep: true,
    ...(field === undefined ? {} : { field }),
    convert: (_, value) =>
      /^(?:1|t|T|true|TRUE|True)$/.test(value) ? true : /^(?:0|f|F|false|FALSE|False)$/.test(value) ? false : undefined,
    words: (value) => [String(value)],
  });
}

/** Declares a duration option. A number without a unit is in seconds. Any other word has no effect. */
function wait(): Term {
  const own = duration({ field: 'route53_max_wait' });
  return {
    ...own,
    shown: '<duration>',
    read(reader, draft) {
      if (!reader.nextArgument()) return;
      const { value } = reader;
      reader.noArguments();
      try {
        draft.put(['route53_max_wait'], Number(parseNanoseconds(/^\d+$/.test(value) ? `${value}s` : value)));
      } catch {
        // Ignore invalid values, as Caddy's plugin does.
      }
    },
  };
}

/** Declares a number option. As in Go, a word that is not a number counts as 0. */
const attempts: Term = word('<number>', {
  takes: 'optional',
  field: 'max_retries',
  convert: (_, value) => (/^[+-]?\d+$/.test(value) ? Number(value) : 0),
  words: (value) => [String(value)],
});

const accountWords = ['username', 'password', 'subdomain', 'fulldomain', 'server_url'];

/** Parses an acme-dns account. */
function readAccount(reader: Dispenser): Json {
  const account: Record<string, string> = {};
  for (const name of reader.block()) {
    if (!accountWords.includes(name)) throw reader.error(`unrecognized subdirective: '${name}'`);
    if (reader.nextArgument()) account[name] = reader.value;
    reader.noArguments();
  }
  return account;
}

function accountLines(accounts: Json): readonly Line[] {
  return Object.entries(isObject(accounts) ? accounts : {}).map(([domain, account]) => ({
    words: [domain],
    block: Object.entries(isObject(account) ? account : {}).map(([name, value]) => ({
      words: [name, ...words(value)],
    })),
  }));
}

/** Declares an acme-dns option that may be set only once. */
const once = (shown: string, name: string): Term => optional(shown, { once: `${name} already set` });

function finishAcmedns(found: Record<string, Json>, reader: Dispenser): undefined {
  const single = ['username', 'password', 'subdomain', 'server_url'].every((name) => (found[name] ?? '') !== '');
  const kinds = [single, 'config_file_path' in found, 'config' in found].filter(Boolean);
  if (kinds.length !== 1)
    throw reader.error(
      'acmedns requires either config, or config_file_path, or all of username, password, subdomain and server_url',
    );
}

/** Returns the Caddyfile syntax of Route 53. The default of `skip_route53_sync_on_delete` is true in a Caddyfile, but false in JSON. */
function withEffectiveDefault(grammar: Grammar): Syntax {
  const own = syntax(grammar);
  return {
    ...own,
    write: (options, writer) =>
      own.write(isObject(options) ? { skip_route53_sync_on_delete: false, ...options } : options, writer),
  };
}

export const syntaxes = {
  acmedns: syntax({
    line: optional('[<file>]', { field: 'config_file_path' }),
    block: {
      config_file_path: alias(optional('<file>', { once: 'config_file_path already set' })),
      username: once('<name>', 'username'),
      password: once('<password>', 'password'),
      subdomain: once('<name>', 'subdomain'),
      server_url: once('<url>', 'server_url'),
      config: entries('{ <domain> { … } … }', { value: readAccount, lines: accountLines }),
    },
    unknown: "unrecognized subdirective '%'",
    finish: finishAcmedns,
    within,
    example:
      'acmedns {\n\tusername 4f2c\n\tpassword {env.ACMEDNS_PASSWORD}\n\tsubdomain 8e51\n\tserver_url https://auth.example.org\n}',
  }),
  cloudflare: withToken('cloudflare', 'api_token', { also: { zone_token: text('<token>') } }),
  desec: withToken('desec', 'token', { line: false, missing: 'missing token' }),
  digitalocean: withToken('digitalocean', 'auth_token', { option: 'api_token' }),
  duckdns: withToken('duckdns', 'api_token', {
    missing: 'DuckDNS missing API token',
    also: {
      override_domain: text('<domain>', { repeated: 'Override domain already set' }),
      resolver: text('<address>', { repeated: 'Resolver already set' }),
    },
  }),
  exec: syntax({
    line: fields('<command> [<argument>…]', ['command', 'args…'], { least: 1 }),
    block: { timeout: duration() },
    unknown: "unrecognized subdirective '%'",
    within,
    example: 'exec /usr/local/bin/change-records --quiet',
  }),
  gandi: withToken('gandi', 'bearer_token'),
  hetzner: withToken('hetzner', 'api_token'),
  ovh: syntax({
    block: {
      endpoint: optional('<region>|<url>'),
      application_key: optional('<key>'),
      application_secret: optional('<secret>'),
      consumer_key: optional('<key>'),
    },
    unknown: "unrecognized subdirective '%'",
    within,
    example:
      'ovh {\n\tendpoint ovh-eu\n\tapplication_key {env.OVH_APPLICATION_KEY}\n\tapplication_secret {env.OVH_APPLICATION_SECRET}\n\tconsumer_key {env.OVH_CONSUMER_KEY}\n}',
  }),
  rfc2136: syntax({
    block: {
      server: optional('<address>'),
      key_name: optional('<name>'),
      key_alg: optional('<algorithm>'),
      key: optional('<base64>'),
    },
    unknown: "unrecognized subdirective '%'",
    finish: requires({
      key: 'rfc2136: missing key',
      key_name: 'rfc2136: missing key_name',
      key_alg: 'rfc2136: missing key_alg',
      server: 'rfc2136: missing server',
    }),
    within,
    example: 'rfc2136 {\n\tserver 192.0.2.1:53\n\tkey_name sluice\n\tkey_alg hmac-sha256\n\tkey {env.TSIG_KEY}\n}',
  }),
  route53: withEffectiveDefault({
    block: {
      access_key_id: optional('<id>'),
      secret_access_key: optional('<key>'),
      session_token: optional('<token>'),
      token: alias(optional('<token>', { field: 'session_token' })),
      profile: optional('<name>'),
      aws_profile: alias(optional('<name>', { field: 'profile' })),
      region: optional('<name>'),
      hosted_zone_id: optional('<id>'),
      max_retries: attempts,
      wait_for_route53_sync: truth(),
      wait_for_propagation: alias(truth('wait_for_route53_sync')),
      skip_route53_sync_on_delete: truth(),
      route53_max_wait: wait(),
      max_wait_dur: alias(wait()),
      debug_logging: truth(),
    },
    unknown: "unrecognized subdirective '%'",
    // Like Caddy's plugin, write default values, but omit values that are false.
    finish: (found) => {
      const all: Record<string, Json> = {
        region: process.env['AWS_REGION'] || 'us-east-1',
        skip_route53_sync_on_delete: true,
        ...found,
      };
      return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== false && value !== 0));
    },
    within,
    example: 'route53 {\n\taccess_key_id {env.AWS_ACCESS_KEY_ID}\n\tsecret_access_key {env.AWS_SECRET_ACCESS_KEY}\n}',
  }),
};
