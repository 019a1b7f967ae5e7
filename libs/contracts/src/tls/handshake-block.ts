/** The block of counters in which a thread counts TLS handshakes. Blocks of requests and upstreams have longer names. */

/** Name of the block. */
export const handshakeBlock = 't';
/** Counters of completed handshakes, of resumed sessions among them, and of failed or rejected handshakes. */
export const completedHandshakes = 0;
export const resumedHandshakes = 1;
export const failedHandshakes = 2;
