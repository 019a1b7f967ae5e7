/** Options in the block of the directive `tls`. */
import type { Json } from '@sluice/base';
import {
  block,
  fields,
  list,
  module,
  note,
  option,
  readBlock,
  readDuration,
  text,
  tlsPiles,
  type Block,
  type DirectiveReader,
  type Dispenser,
  type Draft,
  type Term,
  readModule,
} from '@sluice/caddyfile';
import { readClientAuthentication } from './client-authentication.ts';
import { cipherSuites, curves, protocols } from './known-names.ts';
import { readIssuer, readRatio } from './shared-syntax.ts';
import type { TlsDraft } from './tls-draft.ts';

type Read = (draft: TlsDraft, reader: DirectiveReader, option: string) => void;

/** An option that code reads. */
function own(shown: string, help: string, read: Read, more: Partial<Term> = {}): Term {
  return {
    ...note(shown, help),
    read: (reader, draft, name) => read(draft as TlsDraft, reader as DirectiveReader, name),
    ...more,
  };
}

/** An option of the connection policy. */
function ofConnection(of: Term): Term {
  return { ...of, read: (reader, draft, name) => of.read(reader, (draft as TlsDraft).connection, name) };
}

/** Rejects words that are not among these. */
function known(words: readonly string[], message: string): (reader: Dispenser, word: string) => string {
  return (reader, word) => {
    if (words.includes(word)) return word;
    throw reader.error(`${message}: '${word}'`);
  };
}

const checkProtocol = known(protocols, 'wrong protocol name or protocol not supported');
const protocolRange: Term = {
  ...fields('<least> [<highest>]', ['protocol_min', 'protocol_max'], {
    help: 'Protocol versions: `tls1.2`, `tls1.3`.',
  }),
  read(reader, draft: Draft) {
    const [least, most] = reader
      .arguments()
      .slice(0, 2)
      .map((word) => checkProtocol(reader, word));
    if (least !== undefined) draft.put(['protocol_min'], least);
    if (most !== undefined) draft.put(['protocol_max'], most);
  },
};

const clientAuthentication: Term = {
  ...block(
    {
      mode: text('request|require|verify_if_given|require_and_verify', { help: 'Whether certificates are required.' }),
      trusted_leaf_cert: list('<base64>…', { field: 'trusted_leaf_certs', help: 'Accepted client certificates.' }),
      trust_pool: module('tls.ca_pool.source', 'provider', { field: 'ca', help: 'Trusted certificate authorities.' }),
      verifier: module('tls.client_auth.verifier', 'verifier', {
        field: 'verifiers',
        help: 'Additional verifiers.',
      }),
    },
    { field: 'client_authentication', help: 'Requests client certificates.' },
  ),
  read: (reader, draft) =>
    draft.put(['client_authentication'], readClientAuthentication(reader as DirectiveReader), true),
};

/** Options of connections, in the order in which they are written. */
export const connectionOptions: Block = {
  protocols: ofConnection(protocolRange),
  ciphers: ofConnection(
    list('<suite>…', {
      field: 'cipher_suites',
      adds: true,
      empty: true,
      each: known(cipherSuites, 'wrong cipher suite name or cipher suite not supported'),
      help: 'Cipher suites of TLS 1.2.',
    }),
  ),
  curves: ofConnection(
    list('<curve>…', {
      adds: true,
      empty: true,
      each: known(curves, 'Wrong curve name or curve not supported'),
      help: 'Key exchange groups.',
    }),
  ),
  alpn: ofConnection(list('<protocol>…', { help: 'Application protocols (ALPN) to offer.' })),
  insecure_secrets_log: ofConnection(
    text('<file>', { keep: true, help: 'Writes TLS session keys to a file, for debugging.' }),
  ),
  client_auth: ofConnection(clientAuthentication),
};

const dnsTime = (field: string, help: string): Term =>
  own('<duration>', help, (draft, reader, name) => {
    const value = reader.onlyArgument();
    draft.dnsOptions.push(name);
    draft.dns[field] = value === '-1' ? -1 : readDuration(reader, value, name);
  });

function readProvider(reader: DirectiveReader): Json | null {
  if (!reader.nextArgument()) {
    if (reader.options.has('dns')) return null;
    throw reader.argumentError();
  }
  const name = reader.value;
  return readModule(reader, 'dns.providers', 'name', name);
}

const options: Block = {
  ...connectionOptions,
  load: own(
    '<folder>…',
    'Directories to load certificates from.',
    (draft, reader) => void draft.folders.push(...reader.remaining()),
  ),
  ca: own('<url>', 'Directory URL of the ACME certificate authority.', (draft, reader) => {
    draft.acme['ca'] = reader.onlyArgument();
  }),
  ca_root: own(
    '<file>',
    'Root certificate to trust for HTTPS connections to the certificate authority.',
    (draft, reader) => {
      draft.acme['trusted_roots_pem_files'] = [reader.onlyArgument()];
    },
  ),
  eab: own('<id> <key>', 'External account binding for the ACME account.', (draft, reader) => {
    const [keyId = '', macKey = '', ...more] = reader.arguments(2);
    if (more.length > 0) throw reader.argumentError();
    draft.acme['external_account'] = { key_id: keyId, mac_key: macKey };
  }),
  key_type: own('<type>', 'Key type.', (draft, reader) => {
    draft.keyType = reader.onlyArgument();
  }),
  renewal_window_ratio: own(
    '<ratio>',
    'Remaining fraction of the validity period at which a certificate is renewed.',
    (draft, reader) => {
      draft.renewalWindowRatio = readRatio(reader);
    },
  ),
  reuse_private_keys: own('', 'Reuses the private key when a certificate is renewed.', (draft, reader) => {
    reader.noArguments();
    draft.add(tlsPiles.reusePrivateKeys, true);
  }),
  on_demand: own('', 'Obtains certificates during handshakes.', (draft, reader) => {
    reader.noArguments();
    draft.onDemand = true;
  }),
  issuer: own('<module> …', 'Certificate issuer.', (draft, reader) => void draft.explicit.push(readIssuer(reader)), {
    module: 'tls.issuance',
  }),
  get_certificate: own(
    '<module> …',
    'Certificate manager, which provides certificates during handshakes.',
    (draft, reader) => {
      const name = reader.argument();
      draft.managers.push(readModule(reader, 'tls.get_certificate', 'via', name));
    },
    { module: 'tls.get_certificate' },
  ),
  dns: own(
    '<provider> …',
    'Uses DNS challenges with this provider.',
    (draft, reader) => {
      draft.dns['provider'] = readProvider(reader) ?? reader.options.get<Json>('dns') ?? {};
    },
    { module: 'dns.providers' },
  ),
  resolvers: own('<address>…', 'DNS servers for DNS challenges.', (draft, reader, name) => {
    draft.dnsOptions.push(name);
    draft.dns['resolvers'] = reader.arguments();
  }),
  propagation_delay: dnsTime('propagation_delay', 'Delay before records are looked up.'),
  propagation_timeout: dnsTime('propagation_timeout', 'Timeout for DNS propagation.'),
  dns_ttl: dnsTime('ttl', 'TTL of records.'),
  dns_challenge_override_domain: own(
    '<name>',
    'Domain to create challenge records in, instead of the domain of the certificate.',
    (draft, reader, name) => {
      draft.dnsOptions.push(name);
      draft.dns['override_domain'] = reader.onlyArgument();
    },
  ),
};

/** Reads the block. Reports whether there is one. */
export function readTlsBlock(draft: TlsDraft, reader: DirectiveReader): boolean {
  return readBlock(reader, draft, { block: options, unknown: 'unknown subdirective: %' });
}

/** Describes the directive. */
export const description = option({
  shown: ['[internal|force_automate|<email>]', '<certificate> <key>'],
  block: options,
  help: 'TLS settings of a site: an issuer, certificate files, or connection options.',
  within: ['example.com'],
  example: 'tls ada@example.com {\n\tprotocols tls1.3\n}\nrespond hi',
}).describe('tls', { module: '', option: () => '' });
