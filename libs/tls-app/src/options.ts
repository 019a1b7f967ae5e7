/** Options of the `tls` app. */
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

// Publishers do not exist yet, so nothing is published. Publishers in the document are accepted.
const echPublishers = namespace<object>('tls.ech.publishers');

export const automationPolicyOptions = options({
  subjects: strings('Names that the policy applies to. Default: all names that no other policy includes.'),
  issuers: inlineModules('Certificate issuers, tried in order.', issuers, 'module'),
  get_certificate: inlineModules(
    'Certificate managers, which provide certificates during handshakes.',
    certificateManagers,
    'via',
  ),
  must_staple: boolean('Request the Must-Staple extension, which requires a stapled OCSP response.'),
  renewal_window_ratio: number(
    'Remaining fraction of the validity period at which a certificate is renewed, from 0 to 1. Default: one third.',
  ),
  key_type: string('Key type: ed25519, p256, p384, rsa2048 or rsa4096.'),
  storage: inlineModule('Storage for certificates. Default: the configured storage.', storages, 'module'),
  on_demand: boolean('Obtain certificates during handshakes.'),
  reuse_private_keys: boolean('Reuse the private key when a certificate is renewed.'),
  disable_ocsp_stapling: boolean('Disable OCSP stapling, also for loaded certificates with these names.'),
  ocsp_overrides: map('Map of OCSP responder URLs to replacement URLs; empty = disabled.', text()),
});

const onDemandOptions = options({
  ask: string('URL that decides whether a certificate may be obtained for a name. Deprecated in Caddy.'),
  permission: inlineModule(
    'Permission module that decides whether a certificate may be obtained for a name.',
    permissions,
    'module',
  ),
});

const automationOptions = options({
  policies: list('Automation policies. The first policy that includes the name applies.', automationPolicyOptions),
  on_demand: structure('Restrictions of on-demand certificates.', onDemandOptions),
  ocsp_interval: duration('Maximum interval between attempts to fetch an overdue OCSP response. Default: 1 hour.'),
  renew_interval: duration('Interval between certificate checks. Default: 10 minutes.'),
  storage_clean_interval: duration('Interval between removals of expired items from storage. Default: 24 hours.'),
});

const ticketOptions = options({
  key_source: inlineModule('Source of session ticket keys.', ticketKeySources, 'provider'),
  rotation_interval: duration('Interval between key rotations. Default: 12 hours.'),
  max_keys: integer('Maximum number of keys to keep. Default: 4.'),
  disable_rotation: boolean('Disable key rotation.'),
  disabled: boolean('Disable session tickets.'),
});

const cacheOptions = options({
  capacity: integer(
    'Maximum number of on-demand certificates in memory; other certificates are not limited. Default: 10,000.',
  ),
});

const publicationOptions = options({
  configs: strings('Public names of the configurations to publish. Accepted but ignored; see encrypted_client_hello.'),
  domains: strings('Names to publish them for. Accepted but ignored; see encrypted_client_hello.'),
  publishers: moduleMap('Publishers. Accepted but ignored; see encrypted_client_hello.', echPublishers),
});

const echOptions = options({
  configs: list(
    'Configurations. Accepted but ignored; see encrypted_client_hello.',
    options({
      public_name: string('Public name, visible to others. Accepted but ignored; see encrypted_client_hello.'),
    }),
  ),
  publication: list('Publication settings. Accepted but ignored; see encrypted_client_hello.', publicationOptions),
});

export const tlsOptions = options({
  certificates: moduleMap('Certificates to load or to manage.', certificateLoaders),
  automation: structure('Certificate automation.', automationOptions),
  session_tickets: structure('Session tickets.', ticketOptions),
  cache: structure('In-memory certificate cache.', cacheOptions),
  disable_ocsp_stapling: boolean('Disable OCSP stapling for all certificates.'),
  disable_storage_check: boolean('Skip the test write to the storage before requesting certificates.'),
  disable_storage_clean: boolean('Disable the removal of expired items from storage.'),
  encrypted_client_hello: structure(
    'Accepted but ignored: OpenSSL does not support Encrypted Client Hello yet.',
    echOptions,
  ),
  dns: inlineModule('Default DNS provider.', dnsProviders, 'name'),
  resolvers: strings('DNS servers for challenges.'),
});
