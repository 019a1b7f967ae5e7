/**
 * Allows reading all sockets into one buffer per thread, through undocumented parts of Node.
 *
 * If these are missing, or with `SLUICE_DIRECT_READS=off`, sockets are regular streams, which are only slower. Checked
 * for each listener and each TLS connection.
 */
export const directReads: { allowed: boolean } = { allowed: process.env['SLUICE_DIRECT_READS'] !== 'off' };
