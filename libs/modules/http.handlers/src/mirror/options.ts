import { headerOperationOptions, rewriteOptions, selectionPolicies, upstreamTransports } from '@sluice/http-app';
import {
  duration,
  inlineModule,
  integer,
  list,
  number,
  options,
  strings,
  structure,
  type Options,
} from '@sluice/registry';
import { upstreamOptions } from '../reverse_proxy/options.ts';

export const mirrorOptions = options({
  upstreams: list('Upstreams that receive the copies.', upstreamOptions),
  share: number(
    'Fraction of requests to copy, from 0 to 1. For example, 0.1 copies 10% of requests, chosen at random. Default: 1.',
    {
      minimum: 0,
      maximum: 1,
    },
  ),
  max_concurrent: integer(
    'Maximum number of mirrored requests in flight, across all worker threads. Requests beyond this limit are not mirrored. Default: 100.',
    { minimum: 1 },
  ),
  max_body_size: integer(
    'Maximum size of a request body to copy, in bytes. Requests with a larger body are not copied. Default: 1048576 (1 MiB).',
    { minimum: 0 },
  ),
  timeout: duration(
    'Timeout for a mirrored request, from sending the request header to the end of the response. Default: 30s.',
  ),
  transport: inlineModule('Transport to upstreams. Default: http.', upstreamTransports, 'protocol'),
  load_balancing: structure(
    'Load balancing settings.',
    options({
      selection_policy: inlineModule(
        'Load balancing policy; `cookie` is rejected. Default: random.',
        selectionPolicies,
        'policy',
      ),
    }),
  ),
  trusted_proxies: strings('IP ranges of proxies whose X-Forwarded-* header fields are trusted.'),
  headers: structure(
    'Header operations for mirrored requests.',
    options({ request: structure('Changes to the header fields of mirrored requests.', headerOperationOptions) }),
  ),
  rewrite: structure('Changes to the method and URI of mirrored requests.', rewriteOptions),
});

/** Validated options. */
export type MirrorConfig = Options<typeof mirrorOptions>;
