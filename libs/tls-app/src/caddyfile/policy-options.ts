/** Global options that apply to all automation policies. They are stored in the policy for all names. */
import { isObject, type Json, type JsonObject } from '@sluice/base';
import {
  duration,
  module,
  none,
  objectAt,
  option,
  preferredChains,
  present,
  text,
  valueAt,
  type IssuerConfig,
  type OptionGrammar,
  type OptionSyntax,
  type Term,
} from '@sluice/caddyfile';
import { catchAllOf, commonEmail, isInternal, issuersOf, policiesOf } from './automation-policies.ts';
import { ratio, readIssuer, readProvider } from './shared-syntax.ts';

/** Returns the ACME issuer in the policy for all names. The issuer was created by `cert_issuer` or by an ACME option. */
function acmeOf(document: Json): JsonObject {
  const [first] = issuersOf(catchAllOf(document));
  return first?.['module'] === 'acme' ? first : {};
}

/** Declares an option that is stored in the policy for all names. */
function ofPolicies(grammar: OptionGrammar, own: Parameters<typeof option>[1] = {}): OptionSyntax {
  return option({ doubtful: 'in', ...grammar }, own);
}

const ofProvider = module('dns.providers', 'name', { shown: '[<provider> …]' });

/** A DNS provider. An empty value selects the provider of the `tls` app. */
const acmeDns: Term = {
  ...ofProvider,
  write(name, fields, writer) {
    const isDefault = Object.keys(objectAt(fields, [''])).length === 0;
    return isDefault ? [{ words: [name] }] : ofProvider.write(name, fields, writer);
  },
};

const last = { takes: 'last' } as const;

export const policyOptions = {
  email: ofPolicies({
    line: text('<address>', last),
    from: (document) => commonEmail(document) || undefined,
    help: 'Email address for ACME accounts at certificate authorities.',
    example: 'email ada@example.com',
  }),
  local_certs: ofPolicies({
    line: present,
    from: (document) => isInternal(issuersOf(catchAllOf(document))) || undefined,
    help: "Issues all certificates from this server's local certificate authority.",
    example: 'local_certs',
  }),
  key_type: ofPolicies({
    line: text('ed25519|p256|p384|rsa2048|rsa4096', last),
    from: (document) => catchAllOf(document)['key_type'],
    help: 'Key type for new certificates: `ed25519`, `p256`, `p384`, `rsa2048` or `rsa4096`.',
    example: 'key_type p384',
  }),
  renewal_window_ratio: ofPolicies({
    line: ratio({}),
    finish(fields, reader) {
      reader.nothingMore();
      return fields;
    },
    from: (document) => catchAllOf(document)['renewal_window_ratio'],
    help: 'Fraction of the validity period that remains when a certificate is renewed.',
    example: 'renewal_window_ratio 0.5',
  }),
  acme_ca: ofPolicies({
    line: text('<url>', last),
    from: (document) => acmeOf(document)['ca'],
    help: 'ACME directory URL of the certificate authority.',
    example: 'acme_ca https://acme-staging-v02.api.letsencrypt.org/directory',
  }),
  acme_ca_root: ofPolicies({
    line: text('<file>', last),
    from: (document) => acmeOf(document)['trusted_roots_pem_files'],
    help: 'PEM file that contains the root certificate to trust for HTTPS connections to the certificate authority.',
    example: 'acme_ca_root /etc/pebble.pem',
  }),
  acme_eab: ofPolicies({
    line: none,
    block: {
      key_id: text('<id>', { takes: 'more', help: 'Key ID.' }),
      mac_key: text('<key>', { takes: 'more', help: 'MAC key, base64url-encoded.' }),
    },
    unknown: null,
    unset: { key_id: '', mac_key: '' },
    from: (document) => acmeOf(document)['external_account'],
    help: 'External account binding (EAB) credentials for ACME accounts.',
    example: 'acme_eab {\n\tkey_id kid-1\n\tmac_key c2VjcmV0\n}',
  }),
  acme_dns: ofPolicies(
    {
      line: acmeDns,
      from(document) {
        const dns = valueAt(acmeOf(document), ['challenges', 'dns']);
        return isObject(dns) ? (dns['provider'] ?? {}) : undefined;
      },
      help: 'Enables the DNS challenge for all certificates, with this provider or the one set with the `dns` global option.',
      example: 'acme_dns cloudflare {env.CLOUDFLARE_TOKEN}',
    },
    { read: (reader) => (reader.nextArgument() ? readProvider(reader, reader.value) : null) },
  ),
  /** This option does not create a policy for all names. It is therefore also stored in the first policy that has issuers. */
  cert_lifetime: ofPolicies({
    line: duration({ takes: 'more' }),
    from: (document) =>
      [acmeOf(document), ...policiesOf(document).flatMap(issuersOf)]
        .map((issuer) => issuer['certificate_lifetime'])
        .find((time) => time !== undefined),
    doubtful: (document) => (acmeOf(document)['certificate_lifetime'] === undefined ? 'out' : 'in'),
    help: 'Validity period to request for certificates, if the certificate authority supports it.',
    example: 'cert_lifetime 30d',
  }),
  preferred_chains: ofPolicies({
    line: preferredChains,
    from: (document) => acmeOf(document)['preferred_chains'],
    help: 'Certificate chain to prefer if the certificate authority offers several.',
    example: 'preferred_chains smallest',
  }),
  cert_issuer: ofPolicies(
    {
      line: module('tls.issuance', 'module'),
      adds: true,
      from: (document) => catchAllOf(document)['issuers'],
      doubtful(document) {
        const issuers = issuersOf(catchAllOf(document));
        return issuers.every(({ module }) => module === 'acme') || isInternal(issuers) ? 'out' : 'in';
      },
      help: 'Certificate issuer. Can be repeated; issuers are tried in order.',
      example: 'cert_issuer internal',
    },
    { read: (reader): IssuerConfig => readIssuer(reader) },
  ),
};
