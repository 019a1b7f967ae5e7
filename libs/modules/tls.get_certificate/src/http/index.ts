/** `tls.get_certificate.http`: requests the certificate for a handshake from an HTTP endpoint. */
import { defineModule, options, string } from '@sluice/registry';
import { SluiceError, httpGet } from '@sluice/base';
import type { ClientHello } from '@sluice/contracts';
import { certificateManagers, expandUrl, type CertificateManager } from '@sluice/tls-app';
import { pairIn } from '../common/bundle.ts';

export const httpModule = defineModule(certificateManagers, {
  name: 'http',
  help: 'Requests a certificate, its chain and its private key from an HTTP endpoint. The endpoint responds with status code 200 and PEM data, or with 204 if it has no certificate.',
  config: options({
    url: string('URL of the endpoint. Properties of the ClientHello are added as query parameters.', {
      examples: ['http://localhost:9007/certs'],
    }),
  }),
  provision(config, context): CertificateManager {
    const endpoint = expandUrl(config.url ?? '', context, 'url');
    return {
      async get(hello, signal) {
        const { status, body } = await httpGet(urlFor(hello, endpoint), { signal });
        if (status === 204) return null;
        if (status !== 200)
          throw new SluiceError('ERR_FETCH', `${endpoint.origin}${endpoint.pathname} responded with status ${status}`);
        return pairIn(body.toString('utf8'));
      },
    };
  },
});

/** Returns the URL that describes a handshake. As in Caddy, cipher suites and signature schemes can be hexadecimal numbers. */
function urlFor(hello: ClientHello, endpoint: URL): URL {
  const url = new URL(endpoint);
  const query = url.searchParams;
  query.set('server_name', hello.serverName);
  query.set('signature_schemes', hexadecimal(hello.signatureSchemes));
  query.set('cipher_suites', hexadecimal(hello.cipherSuites));
  if (hello.localAddress !== '') query.set('local_ip', hello.localAddress);
  query.sort();
  return url;
}

function hexadecimal(numbers: readonly number[]): string {
  return numbers.map((number) => number.toString(16)).join(',');
}
