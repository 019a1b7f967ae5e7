/** The block of counters in which a thread counts TLS handshakes. Blocks of requests and upstreams have longer names. */

/** Name of the block. */
export const handshakeBlock = 't';
/** Handshakes that were completed, those of them that resumed a session, and those that failed or were refused. */
export const completedHandshakes = 0;
export const resumedHandshakes = 1;
export const failedHandshakes = 2;
