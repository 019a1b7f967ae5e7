/**
 * Bytes that one connection may write before the event loop has a turn. Sockets on a fast path accept everything at once,
 * and promises that are already settled never leave the turn: without this bound one client with large windows would keep
 * its thread busy until all of its responses were sent, and the end of its own connection would not be seen.
 */
export const turnShare: number = 256 * 1024;

/**
 * Milliseconds for which the requests that came in one read are started before the event loop has a turn. A read can bring
 * hundreds of them, and each may open a file or make an encoder.
 */
export const startTime = 4;
