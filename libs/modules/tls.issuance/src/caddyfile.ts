/** Caddyfile syntax of the certificate issuers. */
import type { Json } from '@sluice/base';
import {
  block,
  duration,
  fields,
  flag,
  integer,
  list,
  module,
  preferredChains,
  readModule,
  syntax,
  text,
  valueAt,
  word,
  type Block,
  type Term,
} from '@sluice/caddyfile';

const within = ['example.com', 'tls', 'issuer %'];

/** Declares the provider of the DNS challenge. If no name is given, the `tls` app's provider is used. */
function provider(base: string): Term {
  const own = module('dns.providers', 'name', { field: `${base}.provider`, shown: '[<provider> …]' });
  const path = base.split('.');
  return {
    ...own,
    read(reader, draft) {
      if (!reader.nextArgument()) draft.put(path, draft.get(path) ?? {}, true);
      else draft.put([...path, 'provider'], readModule(reader, 'dns.providers', 'name', reader.value));
    },
    write(option, options, writer) {
      const isEmpty = Object.keys(valueAt(options, path) ?? { none: null }).length === 0;
      return isEmpty ? [{ words: [option] }] : own.write(option, options, writer);
    },
  };
}

/** Declares the DNS challenge options, which are stored below `base` in the JSON configuration. */
function dnsOptions(base: string): Block {
  const field = (name: string): { field: string; keep: true } => ({ field: `${base}.${name}`, keep: true });
  return {
    dns: provider(base),
    resolvers: list('<address>…', field('resolvers')),
    dns_challenge_override_domain: text('<name>', field('override_domain')),
    propagation_delay: duration(field('propagation_delay')),
    propagation_timeout: duration({ ...field('propagation_timeout'), named: { '-1': -1 } }),
    dns_ttl: duration(field('ttl')),
  };
}

function challengeOptions(name: string, challenge: string): Block {
  const base = `challenges.${challenge}`;
  return {
    [`disable_${name}_challenge`]: flag({
      field: `${base}.disabled`,
      help: `Disables the ACME ${challenge}-01 challenge.`,
    }),
    [`alt_${name}_port`]: integer('<port>', {
      field: `${base}.alternate_port`,
      what: 'port',
      keep: true,
      help: `Port on which to listen for the ACME ${challenge}-01 challenge.`,
    }),
  };
}

const directory = (known: Json): string => `directory is already specified: ${String(known)}`;

export const syntaxes = {
  acme: syntax({
    line: text('[<directory>]', { field: 'ca', takes: 'optional', writes: false }),
    block: {
      dir: text('<url>', { field: 'ca', repeated: directory }),
      test_dir: text('<url>', { field: 'test_ca' }),
      email: text('<address>'),
      profile: text('<name>'),
      timeout: duration({ field: 'acme_timeout' }),
      lifetime: duration({ field: 'certificate_lifetime' }),
      trusted_roots: list('<file>…', { field: 'trusted_roots_pem_files', empty: true }),
      ...challengeOptions('http', 'http'),
      ...challengeOptions('tlsalpn', 'tls-alpn'),
      distributed: word('false', {
        field: 'challenges.distributed',
        keep: true,
        convert(reader, value) {
          if (value === 'false') return false;
          throw reader.error("only accepted value is 'false'");
        },
        words: (value) => (value === false ? ['false'] : null),
      }),
      ...dnsOptions('challenges.dns'),
      dns_persist: block({ timeout: duration(), resolvers: list('<address>…') }, { field: 'challenges.dns-persist' }),
      eab: fields('<key id> <mac key>', ['external_account.key_id', 'external_account.mac_key'], {
        least: 2,
        keep: true,
        help: 'External account binding (EAB) credentials from the certificate authority.',
      }),
      preferred_chains: preferredChains,
    },
    unknown: 'unrecognized ACME issuer property: %',
    within,
    example: 'acme {\n\tdir https://acme-staging-v02.api.letsencrypt.org/directory\n\temail ada@example.com\n}',
  }),
  internal: syntax({
    block: { ca: text('<id>'), lifetime: duration({ takes: 'more' }), sign_with_root: flag() },
    within,
    example: 'internal {\n\tlifetime 24h\n}',
  }),
  zerossl: syntax({
    line: text('<key>', { field: 'api_key' }),
    block: {
      listen_host: text('<host>'),
      alt_http_port: integer('<port>', { field: 'alternate_http_port', what: 'port' }),
      ...dnsOptions('cname_validation'),
    },
    unknown: (option) =>
      option === 'validity_days'
        ? 'invalid number of days validity_days: strconv.Atoi: parsing "validity_days": invalid syntax'
        : `unrecognized zerossl issuer property: ${option}`,
    within,
    example: 'zerossl {env.ZEROSSL_KEY}',
  }),
};
