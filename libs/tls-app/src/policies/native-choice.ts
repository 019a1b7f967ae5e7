/**
 * Allows TLS through the OpenSSL bindings instead of `node:tls`. Off unless `SLUICE_NATIVE_TLS=on`. Checked when a policy is provisioned, by
 * `nativeContexts`.
 */
export const nativeTls: { allowed: boolean } = { allowed: process.env['SLUICE_NATIVE_TLS'] === 'on' };
