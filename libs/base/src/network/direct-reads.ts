/**
 * Controls direct reads, in which all sockets of a thread share one read buffer. Direct reads depend on undocumented Node internals.
 *
 * If these internals are missing, or with `SLUICE_DIRECT_READS=off`, sockets are regular streams, which are slower. Checked for each
 * listener and each TLS connection.
 */
export const directReads: { allowed: boolean } = { allowed: process.env['SLUICE_DIRECT_READS'] !== 'off' };
