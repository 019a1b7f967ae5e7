/** Counter block in which a thread counts TLS handshakes. Request and upstream blocks have longer names. */

export const handshakeBlock = 't';
/** Counters of completed handshakes, of resumed sessions among them, and of failed or rejected handshakes. */
export const completedHandshakes = 0;
export const resumedHandshakes = 1;
export const failedHandshakes = 2;
