/** Allows connections without libuv handles, for TLS through the OpenSSL bindings. A listener reads this setting when it opens. */
export const polledSockets: { allowed: boolean } = { allowed: process.env['SLUICE_NATIVE_TLS'] === 'on' };
