/** Reference documentation of this package. */
import type { JsonObject } from '@sluice/base';
import type { PackageReference } from '@sluice/registry';

const example = (source: JsonObject): JsonObject => ({
  apps: {
    dynamic_dns: {
      dns_provider: { name: 'exec', command: 'change-records' },
      domains: { 'example.com': ['@'] },
      ip_sources: [source],
    },
  },
});

export const reference: PackageReference = {
  examples: {
    'dynamic_dns.ip_sources.interface': example({ source: 'interface', name: 'eth0' }),
    'dynamic_dns.ip_sources.simple_http': example({ source: 'simple_http', endpoints: ['https://icanhazip.com'] }),
    'dynamic_dns.ip_sources.static': example({ source: 'static', ips: ['192.0.2.7'] }),
    'dynamic_dns.ip_sources.upnp': example({ source: 'upnp' }),
  },
};
