/** Options in the block of the `tls` directive. */
import {
  duration,
  fields,
  flag,
  list,
  module,
  readBlock,
  text,
  word,
  type Block,
  type DirectiveReader,
  type Dispenser,
  type Term,
} from '@sluice/caddyfile';
import { clientAuthentication } from './client-authentication.ts';
import { cipherSuites, curves } from './known-names.ts';
import { ratio, readProvider } from './shared-syntax.ts';
import type { TlsDraft } from './tls-draft.ts';

/** Rejects words that are not in the list. */
function known(words: readonly string[], message: string): (reader: Dispenser, word: string) => string {
  return (reader, word) => {
    if (words.includes(word)) return word;
    throw reader.error(`${message}: '${word}'`);
  };
}

const checkProtocol = known(['tls1.2', 'tls1.3'], 'wrong protocol name or protocol not supported');
const protocolRange: Term = {
  ...fields('<least> [<highest>]', ['protocol_min', 'protocol_max'], {
    help: 'Protocol versions: `tls1.2`, `tls1.3`.',
  }),
  read(reader, draft) {
    const range = reader.arguments().slice(0, 2);
    for (const [at, word] of range.entries())
      draft.put([at === 0 ? 'protocol_min' : 'protocol_max'], checkProtocol(reader, word));
  },
};

/** Options of connections and certificate files, in output order. */
export const connectionOptions: Block = {
  protocols: protocolRange,
  ciphers: list('<suite>…', {
    field: 'cipher_suites',
    adds: true,
    empty: true,
    each: known(cipherSuites, 'wrong cipher suite name or cipher suite not supported'),
    help: 'Cipher suites of TLS 1.2.',
  }),
  curves: list('<curve>…', {
    adds: true,
    empty: true,
    each: known(curves, 'Wrong curve name or curve not supported'),
    help: 'Key exchange groups.',
  }),
  alpn: list('<protocol>…', { help: 'Application protocols (ALPN) to offer.' }),
  insecure_secrets_log: text('<file>', { keep: true, help: 'Writes TLS session keys to a file, for debugging.' }),
  client_auth: clientAuthentication,
  load: list('<folder>…', {
    field: 'load_folders',
    adds: true,
    empty: true,
    help: 'Directories to load certificates from.',
  }),
};

/** Options of the automation policy, in output order. */
export const automationOptions: Block = {
  issuer: module('tls.issuance', 'module', { field: 'issuers', adds: true, help: 'Certificate issuer.' }),
  key_type: text('<type>', { help: 'Key type.' }),
  renewal_window_ratio: ratio({
    help: 'Remaining fraction of the validity period at which a certificate is renewed.',
  }),
  reuse_private_keys: flag({ help: 'Reuses the private key when a certificate is renewed.' }),
  on_demand: flag({ help: 'Obtains certificates during handshakes.' }),
  get_certificate: module('tls.get_certificate', 'via', {
    adds: true,
    help: 'Certificate manager, which provides certificates during handshakes.',
  }),
};

/** An option of DNS challenges, which needs a provider. */
function ofDns(of: Term): Term {
  return {
    ...of,
    read(reader, draft, name) {
      of.read(reader, draft, name);
      (draft as TlsDraft).dnsOptions.push(name);
    },
  };
}

const dnsTime = (name: string, help: string): Term =>
  ofDns(duration({ field: `dns.${name}`, keep: true, shown: '<duration>', named: { '-1': -1 }, help }));

const provider: Term = {
  ...module('dns.providers', 'name', {
    help: 'Uses DNS challenges with this provider, or the one in the global option `dns`.',
    shown: '[<provider> …]',
  }),
  field: 'dns.provider',
  read(reader, draft) {
    if (reader.nextArgument()) draft.put(['dns', 'provider'], readProvider(reader, reader.value), true);
    else if (!(reader as DirectiveReader).options.has('dns')) throw reader.argumentError();
    // The issuer leaves the provider to the app.
    else draft.put(['dns'], draft.get(['dns']) ?? {}, true);
  },
};

export const tlsOptions: Block = {
  ...connectionOptions,
  ca: text('<url>', { field: 'acme.ca', keep: true, help: 'Directory URL of the ACME certificate authority.' }),
  ca_root: word('<file>', {
    field: 'acme.trusted_roots_pem_files',
    convert: (_reader, file) => [file],
    help: 'Root certificate to trust for HTTPS connections to the certificate authority.',
  }),
  eab: fields('<id> <key>', ['acme.external_account.key_id', 'acme.external_account.mac_key'], {
    least: 2,
    keep: true,
    help: 'External account binding for the ACME account.',
  }),
  ...automationOptions,
  dns: provider,
  resolvers: ofDns(list('<address>…', { field: 'dns.resolvers', help: 'DNS servers for DNS challenges.' })),
  propagation_delay: dnsTime('propagation_delay', 'Delay before the first check for the record.'),
  propagation_timeout: dnsTime('propagation_timeout', 'Timeout for DNS propagation.'),
  dns_ttl: dnsTime('ttl', 'TTL of records.'),
  dns_challenge_override_domain: ofDns(
    text('<name>', {
      field: 'dns.override_domain',
      keep: true,
      help: 'Domain to create challenge records in, instead of the domain of the certificate.',
    }),
  ),
};

export function readTlsBlock(draft: TlsDraft, reader: DirectiveReader): boolean {
  return readBlock(reader, draft, { block: tlsOptions, unknown: 'unknown subdirective: %' });
}
