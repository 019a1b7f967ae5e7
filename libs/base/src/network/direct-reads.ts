/**
 * Whether sockets are read into a buffer of the thread, which builds on parts of Node that are not documented. Where they
 * are missing, and with `SLUICE_DIRECT_READS=off` in the environment, sockets are ordinary ones, which only cost more.
 * Looked at for each listener and each TLS connection.
 */
export const directReads: { allowed: boolean } = { allowed: process.env['SLUICE_DIRECT_READS'] !== 'off' };
