/** Contexts of the OpenSSL bindings for connection policies. Loaded only if the bindings are allowed. */
import type { Logger } from '@sluice/base';
import type { PolicyConfig } from '@sluice/contracts';
import { StreamContext, streamProblem, type StreamContextOptions } from '@sluice/native';

/** Options of a context; `ciphers` contains the suites of all versions. */
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
 * Decides whether connections of a policy use the bindings; returns `null` for `node:tls`. Connections of such a policy still use `node:tls`
 * for ACME challenges, for TLS within TLS, and on sockets without direct reads.
 */
export function nativeContexts(config: PolicyConfig, log: Logger): NativeContexts | null {
  const problem = (config.insecure_secrets_log ?? '') === '' ? streamProblem() : 'the policy logs TLS secrets';
  if (problem === null) return contexts;
  log.warn('TLS connections use node:tls instead of the OpenSSL bindings', { reason: problem });
  return null;
}
