/** Lint check SL035. */
import { isArray, isObject, own, type JsonObject } from '@sluice/base';
import { defineLint, nativeJson } from '@sluice/registry';

const example = (mode: string): object => ({
  apps: {
    http: {
      servers: {
        web: {
          listen: [':8443'],
          tls_connection_policies: [
            { client_authentication: { mode, ca: { provider: 'file', pem_files: ['ca.pem'] } } },
          ],
          routes: [{ handle: [{ handler: 'static_response', body: 'hello' }] }],
        },
      },
    },
  },
});

export const optionalClientCertificate = defineLint({
  code: 'SL035',
  name: 'optional-client-certificate',
  severity: 'warning',
  summary: 'Client certificates are requested but not required, and no route checks them.',
  details: `In the \`request\` and \`verify_if_given\` modes, clients without a certificate are accepted as well. Use \`require_and_verify\`, or check \`{http.request.tls.client.subject}\` in routes.`,
  bad: nativeJson(example('verify_if_given')),
  good: nativeJson(example('require_and_verify')),
  check(configuration, report) {
    const servers = configuration.valueAt(['apps', 'http', 'servers']);
    for (const [name, server] of isObject(servers) ? Object.entries(servers) : []) {
      if (!isObject(server)) continue;
      const policies = own(server, 'tls_connection_policies');
      for (const [index, policy] of (isArray(policies) ? policies : []).entries()) {
        const client = isObject(policy) ? own(policy, 'client_authentication') : undefined;
        const mode = isObject(client) ? own(client, 'mode') : undefined;
        if ((mode !== 'verify_if_given' && mode !== 'request') || usesClientCertificates(server)) continue;
        const at = [
          'apps',
          'http',
          'servers',
          name,
          'tls_connection_policies',
          String(index),
          'client_authentication',
          'mode',
        ];
        report(
          at,
          `accepts clients without a certificate, and no route checks for one: use require_and_verify, or check {http.request.tls.client.subject} in a route`,
        );
      }
    }
  },
});

/** Reports whether the server may pass the verification result to upstreams, which can then decide whether to accept the client. */
function usesClientCertificates(server: JsonObject): boolean {
  return JSON.stringify([own(server, 'routes') ?? null, own(server, 'named_routes') ?? null]).includes('tls.client');
}
