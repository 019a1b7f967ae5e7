/** Name of the counter block for the TLS handshakes of a thread. Counter blocks for requests and upstreams have longer names. */

export const handshakeBlock = 't';
/** Counter indexes: completed handshakes, completed handshakes that resumed a session, and failed or rejected handshakes. */
export const completedHandshakes = 0;
export const resumedHandshakes = 1;
export const failedHandshakes = 2;
