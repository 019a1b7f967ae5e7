/** Reference documentation of this package. */
import type { JsonObject } from '@sluice/base';
import type { PackageReference } from '@sluice/registry';

/** Returns an example configuration for a wildcard certificate that uses a DNS provider. */
const example = (provider: JsonObject): JsonObject => ({
  apps: {
    tls: {
      certificates: { automate: ['*.example.com'] },
      automation: {
        policies: [{ subjects: ['*.example.com'], issuers: [{ module: 'acme', challenges: { dns: { provider } } }] }],
      },
    },
  },
});

export const reference: PackageReference = {
  examples: {
    'dns.providers.acmedns': example({
      name: 'acmedns',
      username: '5d26a340',
      password: '{env.ACMEDNS_PASSWORD}',
      subdomain: '37c51280',
      server_url: 'https://auth.example.org',
    }),
    'dns.providers.cloudflare': example({ name: 'cloudflare', api_token: '{env.CF_API_TOKEN}' }),
    'dns.providers.desec': example({ name: 'desec', token: '{env.DESEC_TOKEN}' }),
    'dns.providers.digitalocean': example({ name: 'digitalocean', auth_token: '{env.DO_AUTH_TOKEN}' }),
    'dns.providers.duckdns': example({ name: 'duckdns', api_token: '{env.DUCKDNS_API_TOKEN}' }),
    'dns.providers.exec': example({ name: 'exec', command: '/usr/local/bin/change-records', args: ['--quiet'] }),
    'dns.providers.gandi': example({ name: 'gandi', bearer_token: '{env.GANDI_BEARER_TOKEN}' }),
    'dns.providers.hetzner': example({ name: 'hetzner', api_token: '{env.HETZNER_API_TOKEN}' }),
    'dns.providers.ovh': example({
      name: 'ovh',
      endpoint: 'ovh-eu',
      application_key: '{env.OVH_APPLICATION_KEY}',
      application_secret: '{env.OVH_APPLICATION_SECRET}',
      consumer_key: '{env.OVH_CONSUMER_KEY}',
    }),
    'dns.providers.rfc2136': example({
      name: 'rfc2136',
      server: '192.0.2.1:53',
      key_name: 'sluice',
      key_alg: 'hmac-sha256',
      key: '{env.TSIG_KEY}',
    }),
    'dns.providers.route53': example({
      name: 'route53',
      access_key_id: '{env.AWS_ACCESS_KEY_ID}',
      secret_access_key: '{env.AWS_SECRET_ACCESS_KEY}',
    }),
  },
};
