/** Connection policies as options of `tls`. */
import { isObject, type Json, type JsonObject } from '@sluice/base';
import { moduleLines, optionLines, words, type Line, type Writer } from '@sluice/caddyfile';

/** Lines for what connections of a site have of their own. */
export async function connectionLines(policy: JsonObject, writer: Writer): Promise<readonly Line[]> {
  const protocols = [...words(policy['protocol_min']), ...words(policy['protocol_max'])];
  return [
    ...(protocols.length > 0 ? [{ words: ['protocols', ...protocols] }] : []),
    ...optionLines(policy, [
      ['ciphers', 'cipher_suites'],
      ['curves', 'curves'],
      ['alpn', 'alpn'],
      ['insecure_secrets_log', 'insecure_secrets_log'],
    ]),
    ...(await clientLines(policy['client_authentication'], writer)),
  ];
}

async function clientLines(value: Json | undefined, writer: Writer): Promise<readonly Line[]> {
  if (!isObject(value)) return [];
  const pool = { option: 'trust_pool', namespace: 'tls.ca_pool.source', key: 'provider' };
  const verifier = { option: 'verifier', namespace: 'tls.client_auth.verifier', key: 'verifier' };
  const block = [
    ...optionLines(value, [
      ['mode', 'mode'],
      ['trusted_leaf_cert', 'trusted_leaf_certs'],
    ]),
    ...(await moduleLines(pool, value['ca'], writer)),
    ...(await moduleLines(verifier, value['verifiers'], writer)),
  ];
  return [{ words: ['client_auth'], block }];
}
