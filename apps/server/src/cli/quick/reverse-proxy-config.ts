/** Generates the configuration for `sluice reverse-proxy`. */
import type { JsonObject } from '@sluice/base';
import { CommandError } from '../../failure.ts';
import { readDownstream, type Downstream } from './downstream.ts';
import { readHeaderFields } from './header-fields.ts';
import { accessLogOf, quickDocument, type QuickConfig, type QuickOptions } from './quick-config.ts';
import { readUpstreams } from './upstreams.ts';

export interface ReverseProxyOptions extends QuickOptions {
  readonly from?: string;
  readonly to?: readonly string[];
  readonly changeHostHeader?: boolean;
  readonly insecure?: boolean;
  readonly internalCerts?: boolean;
  readonly disableRedirects?: boolean;
  readonly headerUp?: readonly string[];
  readonly headerDown?: readonly string[];
}

export function reverseProxyConfig(options: ReverseProxyOptions): QuickConfig {
  const { from = 'localhost', to = [], insecure = false } = options;
  if (to.length === 0) throw new CommandError('reverse-proxy requires an upstream: --to ADDRESS');
  const downstream = readDownstream(from);
  const { dials, secure, warnings } = readUpstreams(to);
  const handler = {
    handler: 'reverse_proxy',
    upstreams: dials.map((dial) => ({ dial })),
    transport: { protocol: 'http', ...(secure ? { tls: insecure ? { insecure_skip_verify: true } : {} } : {}) },
    ...headersOf(options),
  };
  const { host, port } = downstream;
  const listen = [`:${port}`];
  const server = {
    listen,
    routes: [{ ...(host === '' ? {} : { match: [{ host: [host] }] }), handle: [handler] }],
    ...automaticHttps(downstream, options),
    ...accessLogOf(options),
  };
  const document = quickDocument({ proxy: server }, options, certificatesOf(downstream, options));
  return { document, listen, warnings };
}

function headersOf({ changeHostHeader = false, headerUp, headerDown }: ReverseProxyOptions): JsonObject {
  const up = {
    ...readHeaderFields('--header-up', headerUp),
    ...(changeHostHeader ? { Host: ['{http.reverse_proxy.upstream.hostport}'] } : {}),
  };
  const down = readHeaderFields('--header-down', headerDown);
  const operations = {
    ...(Object.keys(up).length === 0 ? {} : { request: { set: up } }),
    ...(Object.keys(down).length === 0 ? {} : { response: { set: down } }),
  };
  return Object.keys(operations).length === 0 ? {} : { headers: operations };
}

function automaticHttps({ scheme }: Downstream, { disableRedirects = false }: ReverseProxyOptions): JsonObject {
  if (scheme === 'http') return { automatic_https: { disable: true } };
  return disableRedirects ? { automatic_https: { disable_redirects: true } } : {};
}

function certificatesOf({ host }: Downstream, { internalCerts = false }: ReverseProxyOptions): JsonObject {
  if (!internalCerts || host === '') return {};
  return { tls: { automation: { policies: [{ subjects: [host], issuers: [{ module: 'internal' }] }] } } };
}
