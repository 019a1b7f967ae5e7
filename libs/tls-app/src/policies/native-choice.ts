/**
 * Enables TLS with the OpenSSL bindings instead of `node:tls`. Disabled unless `SLUICE_NATIVE_TLS=on`. `nativeContexts` checks this setting
 * when a policy is provisioned.
 */
export const nativeTls: { allowed: boolean } = { allowed: process.env['SLUICE_NATIVE_TLS'] === 'on' };
