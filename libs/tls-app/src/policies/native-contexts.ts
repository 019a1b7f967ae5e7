/** TLS contexts of connection policies that use the OpenSSL bindings. This file is loaded only if the bindings are enabled. */
import type { Logger } from '@sluice/base';
import type { PolicyConfig } from '@sluice/contracts';
import { StreamContext, streamProblem, type StreamContextOptions } from '@sluice/native';

/** Options of a TLS context. `ciphers` contains the cipher suites of all TLS versions. */
type ContextOptions = Omit<StreamContextOptions, 'ciphersuites'>;

export interface NativeContexts {
  create(options: ContextOptions): StreamContext;
}

const contexts: NativeContexts = {
  create(options) {
    const names = options.ciphers.split(':');
    const isOfTls13 = (name: string): boolean => name.startsWith('TLS_');
    return new StreamContext({
      ...options,
      ciphers: names.filter((name) => !isOfTls13(name)).join(':'),
      ciphersuites: names.filter(isOfTls13).join(':'),
    });
  },
};

/**
 * Returns the TLS contexts if the policy's connections can use the OpenSSL bindings. Returns `null` if they use `node:tls`. Even under such
 * a policy, some connections use `node:tls`: ACME challenges, TLS within TLS, and sockets without direct reads.
 */
export function nativeContexts(config: PolicyConfig, log: Logger): NativeContexts | null {
  const problem = (config.insecure_secrets_log ?? '') === '' ? streamProblem() : 'the policy logs TLS secrets';
  if (problem === null) return contexts;
  log.warn('TLS connections use node:tls instead of the OpenSSL bindings', { reason: problem });
  return null;
}
