/** Lint check SL053. */
import { isArray, isObject, own, type JsonObject } from '@sluice/base';
import { defineLint, nativeJson } from '@sluice/registry';

const example = (suite: string): object => ({
  apps: {
    http: {
      servers: {
        web: {
          listen: [':8443'],
          tls_connection_policies: [{ cipher_suites: [suite] }],
          routes: [{ handle: [{ handler: 'static_response', body: 'hello' }] }],
        },
      },
    },
  },
});

export const weakCipherSuite = defineLint({
  code: 'SL053',
  name: 'weak-cipher-suite',
  severity: 'warning',
  summary: 'A weak cipher suite is enabled.',
  details: `Padding attacks (Lucky Thirteen, POODLE) have repeatedly broken CBC suites. Suites that begin with \`TLS_RSA\` have no forward secrecy, and RC4 and 3DES are broken. HTTP/2 prohibits all of these suites (RFC 9113, appendix A). Remove the option: the default contains only GCM and ChaCha20 suites.`,
  bad: nativeJson(example('TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA')),
  good: nativeJson(example('TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256')),
  check(configuration, report) {
    const at = ['apps', 'http', 'servers'];
    const servers = configuration.valueAt(at);
    for (const [name, server] of isObject(servers) ? Object.entries(servers) : []) {
      const policies = isObject(server) ? own(server, 'tls_connection_policies') : undefined;
      for (const [index, policy] of (isArray(policies) ? policies : []).entries()) {
        if (!isObject(policy)) continue;
        for (const [number, suite] of suitesOf(policy).entries()) {
          const weakness = weaknessOf(suite);
          if (weakness !== null)
            report(
              [...at, name, 'tls_connection_policies', String(index), 'cipher_suites', String(number)],
              `${suite} ${weakness}: remove the cipher suite, or remove the whole list`,
            );
        }
      }
    }
  },
});

function suitesOf(policy: JsonObject): readonly string[] {
  const suites = own(policy, 'cipher_suites');
  return isArray(suites) ? suites.map(String) : [];
}

function weaknessOf(suite: string): string | null {
  if (/RC4|3DES|_DES_|NULL|EXPORT|_anon_|MD5/i.test(suite)) return 'is broken';
  if (/_CBC_/i.test(suite)) return 'uses CBC mode, which is vulnerable to padding attacks';
  return /^TLS_RSA_WITH/i.test(suite) ? 'does not provide forward secrecy' : null;
}
