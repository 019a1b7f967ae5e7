/** Allows connections without libuv handles, for TLS through the OpenSSL bindings. Read when a listener opens. */
export const polledSockets: { allowed: boolean } = { allowed: process.env['SLUICE_NATIVE_TLS'] === 'on' };
