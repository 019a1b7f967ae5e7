/**
 * Controls direct reads, in which all sockets of a thread share one read buffer. Direct reads depend on undocumented Node internals.
 *
 * If these internals are missing, or if `SLUICE_DIRECT_READS=off` is set, sockets are regular streams, which are slower. Each listener and
 * each TLS connection checks this setting.
 */
export const directReads: { allowed: boolean } = { allowed: process.env['SLUICE_DIRECT_READS'] !== 'off' };
