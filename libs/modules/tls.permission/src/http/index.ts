/** `tls.permission.http`: sends a request to an endpoint that permits or denies a certificate. */
import { defineModule, options, string } from '@sluice/registry';
import { SluiceError, httpGet } from '@sluice/base';
import { expandUrl, permissions, type Permission } from '@sluice/tls-app';

/** Response timeout in milliseconds, during which the client's handshake waits. */
const timeout = 10_000;

export const httpModule = defineModule(permissions, {
  name: 'http',
  help: 'Sends a request to an HTTP endpoint, with the name in the `domain` query parameter. A 2xx status code allows the certificate to be issued.',
  config: options({
    endpoint: string('URL of the endpoint. Redirects are not followed.', {
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
