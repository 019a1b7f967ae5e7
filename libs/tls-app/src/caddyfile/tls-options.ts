/** Options in the block of a `tls` directive. */
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

/** Returns a parser that rejects words not contained in the list. */
function known(words: readonly string[], message: string): (reader: Dispenser, word: string) => string {
  return (reader, word) => {
    if (words.includes(word)) return word;
    throw reader.error(`${message}: '${word}'`);
  };
}

const checkProtocol = known(['tls1.2', 'tls1.3'], 'wrong protocol name or protocol not supported');
const protocolRange: Term = {
  ...fields('<least> [<highest>]', ['protocol_min', 'protocol_max'], {
    help: 'Minimum and maximum TLS version: `tls1.2` or `tls1.3`.',
  }),
  read(reader, draft) {
    const range = reader.arguments().slice(0, 2);
    for (const [at, word] of range.entries())
      draft.put([at === 0 ? 'protocol_min' : 'protocol_max'], checkProtocol(reader, word));
  },
};

/** Connection and certificate file options, in the order of the generated configuration. */
export const connectionOptions: Block = {
  protocols: protocolRange,
  ciphers: list('<suite>…', {
    field: 'cipher_suites',
    adds: true,
    empty: true,
    each: known(cipherSuites, 'wrong cipher suite name or cipher suite not supported'),
    help: 'TLS 1.2 cipher suites.',
  }),
  curves: list('<curve>…', {
    adds: true,
    empty: true,
    each: known(curves, 'Wrong curve name or curve not supported'),
    help: 'TLS key exchange groups, in order of preference.',
  }),
  alpn: list('<protocol>…', { help: 'Application protocols to negotiate with ALPN.' }),
  insecure_secrets_log: text('<file>', {
    keep: true,
    help: 'Path of the file to which TLS session secrets are written. Use only for debugging.',
  }),
  client_auth: clientAuthentication,
  load: list('<folder>…', {
    field: 'load_folders',
    adds: true,
    empty: true,
    help: 'Directories from which to load certificates and keys.',
  }),
};

/** Automation policy options, in the order of the generated configuration. */
export const automationOptions: Block = {
  issuer: module('tls.issuance', 'module', { field: 'issuers', adds: true, help: 'Certificate issuer.' }),
  key_type: text('<type>', {
    help: 'Key type for new certificates: `ed25519`, `p256`, `p384`, `rsa2048` or `rsa4096`.',
  }),
  renewal_window_ratio: ratio({
    help: 'Fraction of the validity period that remains when a certificate is renewed.',
  }),
  reuse_private_keys: flag({ help: 'Reuses the private key when a certificate is renewed.' }),
  on_demand: flag({ help: 'Obtains certificates on demand, during TLS handshakes.' }),
  get_certificate: module('tls.get_certificate', 'via', {
    adds: true,
    help: 'Certificate manager: an external source that provides certificates during TLS handshakes.',
  }),
};

/** Declares an option of the DNS challenge, which requires a DNS provider. */
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
    help: 'Enables the DNS challenge, with this provider or the one set with the `dns` global option.',
    shown: '[<provider> …]',
  }),
  field: 'dns.provider',
  read(reader, draft) {
    if (reader.nextArgument()) draft.put(['dns', 'provider'], readProvider(reader, reader.value), true);
    else if (!(reader as DirectiveReader).options.has('dns')) throw reader.argumentError();
    // If the option has no arguments, the DNS provider of the `tls` app is used.
    else draft.put(['dns'], draft.get(['dns']) ?? {}, true);
  },
};

export const tlsOptions: Block = {
  ...connectionOptions,
  ca: text('<url>', { field: 'acme.ca', keep: true, help: 'ACME directory URL of the certificate authority.' }),
  ca_root: word('<file>', {
    field: 'acme.trusted_roots_pem_files',
    convert: (_reader, file) => [file],
    help: 'PEM file that contains the root certificate to trust for HTTPS connections to the certificate authority.',
  }),
  eab: fields('<id> <key>', ['acme.external_account.key_id', 'acme.external_account.mac_key'], {
    least: 2,
    keep: true,
    help: 'External account binding (EAB) credentials for the ACME account.',
  }),
  ...automationOptions,
  dns: provider,
  resolvers: ofDns(list('<address>…', { field: 'dns.resolvers', help: 'DNS servers to use for DNS challenges.' })),
  propagation_delay: dnsTime(
    'propagation_delay',
    'Time to wait before first checking whether the DNS record has propagated.',
  ),
  propagation_timeout: dnsTime(
    'propagation_timeout',
    'Maximum time to wait for the DNS record to propagate. -1 = do not check.',
  ),
  dns_ttl: dnsTime('ttl', 'TTL of the DNS challenge records.'),
  dns_challenge_override_domain: ofDns(
    text('<name>', {
      field: 'dns.override_domain',
      keep: true,
      help: "Domain in which to create DNS challenge records, instead of the certificate's domain.",
    }),
  ),
};

export function readTlsBlock(draft: TlsDraft, reader: DirectiveReader): boolean {
  return readBlock(reader, draft, { block: tlsOptions, unknown: 'unknown subdirective: %' });
}
