/** `tls.ca_pool.source.http`: downloaded certificates. */
import { caPoolSources, type CaPool } from '@sluice/contracts';
import { defineModule, options, strings, structure } from '@sluice/registry';
import { messageOf } from '@sluice/base';
import { download } from './download.ts';
import { tlsOptions } from './options.ts';
import { trustOf } from './trust.ts';

export const httpModule = defineModule(caPoolSources, {
  name: 'http',
  help: 'Downloads trusted certificate authorities over HTTP or HTTPS when the configuration is loaded.',
  config: options({
    endpoints: strings('URLs of PEM files, each containing one or more certificates.'),
    tls: structure('TLS settings for connections to the endpoints.', tlsOptions),
  }),
  async provision(config, context): Promise<CaPool> {
    const trust = await trustOf(config.tls ?? {}, context);
    // Configuration tests send no requests, so return no certificates.
    if (!context.roles.control && !context.roles.traffic) return { certificates: [] };
    const certificates: string[] = [];
    for (const [index, endpoint] of (config.endpoints ?? []).entries()) {
      try {
        certificates.push(...(await download(endpoint, trust)));
      } catch (error) {
        throw context.error(`${endpoint}: ${messageOf(error)}`, 'endpoints', index);
      }
    }
    return { certificates };
  },
});
