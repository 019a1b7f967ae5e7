/** Configuration options of the `tls` app. */
import {
  boolean,
  duration,
  inlineModule,
  inlineModules,
  integer,
  list,
  map,
  moduleMap,
  namespace,
  number,
  options,
  string,
  strings,
  structure,
  text,
} from '@sluice/registry';
import { dnsProviders, storages } from '@sluice/contracts';
import { certificateLoaders, certificateManagers, issuers, permissions, ticketKeySources } from './contracts/index.ts';

// There are no ECH publisher modules yet. Publishers in a configuration are accepted but ignored.
const echPublishers = namespace<object>('tls.ech.publishers');

export const automationPolicyOptions = options({
  subjects: strings(
    'Host names to which the policy applies. Default: all names that are not included in another policy.',
  ),
  issuers: inlineModules('Certificate issuers, which are tried in order.', issuers, 'module'),
  get_certificate: inlineModules(
    'Certificate managers: external sources that provide certificates during TLS handshakes.',
    certificateManagers,
    'via',
  ),
  must_staple: boolean('Request certificates with the Must-Staple extension, which requires a stapled OCSP response.'),
  renewal_window_ratio: number(
    'Fraction of the validity period that remains when a certificate is renewed, from 0 to 1. Default: one third.',
  ),
  key_type: string('Key type for new certificates: ed25519, p256, p384, rsa2048 or rsa4096.'),
  storage: inlineModule('Storage for certificates. Default: the configured storage.', storages, 'module'),
  on_demand: boolean('Obtain certificates on demand, during TLS handshakes.'),
  reuse_private_keys: boolean('Reuse the private key when a certificate is renewed.'),
  disable_ocsp_stapling: boolean('Disable OCSP stapling for the names in this policy, including loaded certificates.'),
  ocsp_overrides: map(
    'Map of OCSP responder URLs to replacement URLs. Empty string = do not query the OCSP responder.',
    text(),
  ),
});

const onDemandOptions = options({
  ask: string(
    'URL to query for permission to obtain a certificate for a name. Deprecated in Caddy; use `permission` instead.',
  ),
  permission: inlineModule(
    'Module that decides whether a certificate may be obtained for a name.',
    permissions,
    'module',
  ),
});

const automationOptions = options({
  policies: list(
    'Automation policies. For each name, the first policy that includes it applies.',
    automationPolicyOptions,
  ),
  on_demand: structure('Restrictions for on-demand certificates.', onDemandOptions),
  ocsp_interval: duration('Maximum interval between attempts to fetch an overdue OCSP response. Default: 1 hour.'),
  renew_interval: duration('Interval at which certificates are checked for renewal. Default: 10 minutes.'),
  storage_clean_interval: duration('Interval at which expired items are removed from storage. Default: 24 hours.'),
});

const ticketOptions = options({
  key_source: inlineModule('Source of the TLS session ticket keys.', ticketKeySources, 'provider'),
  rotation_interval: duration('Interval at which session ticket keys are rotated. Default: 12 hours.'),
  max_keys: integer('Maximum number of session ticket keys to keep. Default: 4.'),
  disable_rotation: boolean('Disable key rotation.'),
  disabled: boolean('Disable session tickets.'),
});

const cacheOptions = options({
  capacity: integer(
    'Maximum number of on-demand certificates in memory. Other certificates are not limited. Default: 10,000.',
  ),
});

const publicationOptions = options({
  configs: strings(
    'Public names of the ECH configurations to publish. Accepted but ignored; see encrypted_client_hello.',
  ),
  domains: strings(
    'Domain names for which to publish the ECH configurations. Accepted but ignored; see encrypted_client_hello.',
  ),
  publishers: moduleMap(
    'Publishers of ECH configurations. Accepted but ignored; see encrypted_client_hello.',
    echPublishers,
  ),
});

const echOptions = options({
  configs: list(
    'Encrypted Client Hello (ECH) configurations. Accepted but ignored; see encrypted_client_hello.',
    options({
      public_name: string(
        'Public server name in the unencrypted part of the ClientHello. Accepted but ignored; see encrypted_client_hello.',
      ),
    }),
  ),
  publication: list(
    'Publication settings for ECH configurations. Accepted but ignored; see encrypted_client_hello.',
    publicationOptions,
  ),
});

export const tlsOptions = options({
  certificates: moduleMap(
    'Certificates to load, and names for which to obtain certificates automatically.',
    certificateLoaders,
  ),
  automation: structure('Certificate automation settings.', automationOptions),
  session_tickets: structure('TLS session ticket settings.', ticketOptions),
  cache: structure('Settings for the in-memory certificate cache.', cacheOptions),
  disable_ocsp_stapling: boolean('Disable OCSP stapling for all certificates.'),
  disable_storage_check: boolean(
    'Disable the storage check, which tests whether storage is writable before certificates are requested.',
  ),
  disable_storage_clean: boolean('Disable the removal of expired items from storage.'),
  encrypted_client_hello: structure(
    'Accepted but ignored: OpenSSL does not support Encrypted Client Hello yet.',
    echOptions,
  ),
  dns: inlineModule('Default DNS provider.', dnsProviders, 'name'),
  resolvers: strings('DNS servers to use for DNS challenges.'),
});
