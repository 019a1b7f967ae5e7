/** Global options about all automation policies: the policy for all names has what they say. */
import { isObject, type Json, type JsonObject } from '@sluice/base';
import {
  duration,
  durationWord,
  list,
  module,
  moduleLines,
  none,
  objectAt,
  option,
  readFlag,
  readPreferredChains,
  text,
  valueAt,
  words,
  type Dispenser,
  type IssuerConfig,
  type Line,
  type OptionSyntax,
  type WriteGlobalOption,
  type Written,
  readModule,
} from '@sluice/caddyfile';
import { catchAllOf, challengesOf, commonEmail, isInternal, issuersOf, policiesOf } from './automation-policies.ts';
import { readIssuer, readRatio } from './shared-syntax.ts';

/** The issuer over ACME of the policy for all names. Options about it, or `cert_issuer`, made it. */
function acmeOf(document: Json): JsonObject {
  const [first] = issuersOf(catchAllOf(document));
  return first?.['module'] === 'acme' ? first : {};
}

/** An option of one word, which the policy for all names shows. */
function ofPolicies(
  shown: string,
  found: (document: Json) => Json | undefined,
  help: string,
  example: string,
): OptionSyntax {
  return option(
    { line: text(shown, { takes: 'last' }), help, example },
    {
      write(document) {
        const value = found(document);
        return value === undefined ? null : [{ words: words(value), doubtful: 'in' }];
      },
    },
  );
}

/** `cert_lifetime TIME`: it makes no policy for all names, so that the first that has issuers shows it, too. */
const certLifetime: WriteGlobalOption = (document) => {
  const usual = acmeOf(document)['certificate_lifetime'];
  if (usual !== undefined) return [{ words: durationWord(usual), doubtful: 'in' }];
  const issuers = policiesOf(document).flatMap(issuersOf);
  const shown = issuers.map((issuer) => issuer['certificate_lifetime']).find((time) => time !== undefined);
  return shown === undefined ? null : [{ words: durationWord(shown), doubtful: 'out' }];
};

/** A DNS provider. */
export function readProvider(reader: Dispenser, name: string): Json {
  return readModule(reader, 'dns.providers', 'name', name);
}

/** Chains as the directive `tls` and the global option have them. */
export function writtenChains(chains: JsonObject): Written {
  if (chains['smallest'] === true) return { words: ['smallest'] };
  return { block: Object.entries(chains).map(([name, names]): Line => ({ words: [name, ...words(names)] })) };
}

/** `cert_issuer NAME …`: the other way to say issuers. */
const certIssuer: WriteGlobalOption = async (document, writer) => {
  const issuers = issuersOf(catchAllOf(document));
  const doubtful = issuers.every(({ module }) => module === 'acme') || isInternal(issuers) ? 'out' : 'in';
  const option = { option: 'cert_issuer', namespace: 'tls.issuance', key: 'module' };
  const lines = await moduleLines(option, valueAt(catchAllOf(document), ['issuers']), writer);
  return lines.map((line): Written => ({ ...line, words: line.words.slice(1), doubtful }));
};

export const policyOptions = {
  email: ofPolicies(
    '<address>',
    (document) => commonEmail(document) || undefined,
    'Email address of the account at certificate authorities.',
    'email ada@example.com',
  ),
  local_certs: option(
    { help: "Issues all certificates with this server's own certificate authority.", example: 'local_certs' },
    {
      read: (reader) => readFlag(reader),
      write: (document) => (isInternal(issuersOf(catchAllOf(document))) ? [{ doubtful: 'in' }] : null),
    },
  ),
  key_type: ofPolicies(
    'ed25519|p256|p384|rsa2048|rsa4096',
    (document) => catchAllOf(document)['key_type'],
    'Key type of certificates.',
    'key_type p384',
  ),
  renewal_window_ratio: option(
    {
      line: text('<ratio>'),
      help: 'Remaining fraction of the validity period at which a certificate is renewed.',
      example: 'renewal_window_ratio 0.5',
    },
    {
      read(reader) {
        const value = readRatio(reader);
        reader.nothingMore();
        return value;
      },
      write(document) {
        const value = catchAllOf(document)['renewal_window_ratio'];
        return value === undefined ? null : [{ words: words(value), doubtful: 'in' }];
      },
    },
  ),
  acme_ca: ofPolicies(
    '<url>',
    (document) => acmeOf(document)['ca'],
    'Directory URL of the ACME certificate authority.',
    'acme_ca https://acme-staging-v02.api.letsencrypt.org/directory',
  ),
  acme_ca_root: ofPolicies(
    '<file>',
    (document) => acmeOf(document)['trusted_roots_pem_files'],
    'Root certificate to trust for HTTPS connections to the certificate authority.',
    'acme_ca_root /etc/pebble.pem',
  ),
  acme_eab: option(
    {
      line: none,
      block: {
        key_id: text('<id>', { takes: 'more', help: 'Key ID.' }),
        mac_key: text('<key>', { takes: 'more', help: 'MAC key, base64url-encoded.' }),
      },
      unknown: null,
      finish: (fields) => ({ key_id: '', mac_key: '', ...fields }),
      help: 'External account binding for ACME accounts.',
      example: 'acme_eab {\n\tkey_id kid-1\n\tmac_key c2VjcmV0\n}',
    },
    {
      write(document) {
        const account = acmeOf(document)['external_account'];
        if (!isObject(account)) return null;
        const lines = ['key_id', 'mac_key'].map((name): Line => ({ words: [name, ...words(account[name])] }));
        return [{ block: lines, doubtful: 'in' }];
      },
    },
  ),
  acme_dns: option(
    {
      line: module('dns.providers', 'name', { shown: '[<provider> …]' }),
      help: 'Uses DNS challenges for all certificates, with this provider or that of `dns`. Providers are separate packages.',
      example: 'acme_dns cloudflare {env.CLOUDFLARE_TOKEN}',
    },
    {
      read: (reader) => (reader.nextArgument() ? readProvider(reader, reader.value) : null),
      async write(document, writer) {
        const provider = objectAt(challengesOf(acmeOf(document)), ['dns'])['provider'];
        const lines = await moduleLines({ option: '', namespace: 'dns.providers', key: 'name' }, provider, writer);
        return lines.map((line): Written => ({ ...line, words: line.words.slice(1), doubtful: 'in' }));
      },
    },
  ),
  cert_lifetime: option(
    {
      line: duration({ takes: 'more' }),
      help: 'Requested validity period of certificates, if the certificate authority supports it.',
      example: 'cert_lifetime 30d',
    },
    { write: certLifetime },
  ),
  preferred_chains: option(
    {
      shown: ['[smallest]'],
      block: {
        root_common_name: list('<name>…', {
          help: 'Prefers the first chain whose root has one of these common names.',
        }),
        any_common_name: list('<name>…', { help: 'Prefers the first chain that contains one of these common names.' }),
      },
      help: 'Preferred chain, if the certificate authority offers several.',
      example: 'preferred_chains smallest',
    },
    {
      read: readPreferredChains,
      write(document) {
        const chains = acmeOf(document)['preferred_chains'];
        return isObject(chains) ? [{ ...writtenChains(chains), doubtful: 'in' }] : null;
      },
    },
  ),
  cert_issuer: option(
    {
      line: module('tls.issuance', 'module'),
      help: 'Certificate issuer. Can be repeated: issuers are tried in order.',
      example: 'cert_issuer internal',
    },
    {
      read: (reader, earlier): IssuerConfig[] => [...((earlier ?? []) as readonly IssuerConfig[]), readIssuer(reader)],
      write: certIssuer,
    },
  ),
};
