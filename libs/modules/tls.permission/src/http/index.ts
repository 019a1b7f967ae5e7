/** `tls.permission.http`: sends a request to an endpoint, which permits or denies an on-demand certificate. */
import { defineModule, options, string } from '@sluice/registry';
import { SluiceError, httpGet } from '@sluice/base';
import { expandUrl, permissions, type Permission } from '@sluice/tls-app';

/** Timeout for the endpoint's response, in milliseconds. The client's TLS handshake waits for the response. */
const timeout = 10_000;

export const httpModule = defineModule(permissions, {
  name: 'http',
  help: 'Asks an HTTP endpoint for permission to issue a certificate. The request contains the name in the `domain` query parameter. A 2xx status code allows the certificate to be issued.',
  config: options({
    endpoint: string('URL of the permission endpoint. Redirects are not followed.', {
      examples: ['http://localhost:5555/allowed'],
    }),
  }),
  provision(config, context): Permission {
    const endpoint = expandUrl(config.endpoint ?? '', context, 'endpoint');
    return {
      async allows(name, signal) {
        const url = new URL(endpoint);
        url.searchParams.set('domain', name);
        const { status } = await httpGet(url, { signal: AbortSignal.any([signal, AbortSignal.timeout(timeout)]) });
        if (status >= 500)
          throw new SluiceError('ERR_FETCH', `${endpoint.origin}${endpoint.pathname} responded with status ${status}`);
        return status >= 200 && status < 300;
      },
    };
  },
});
