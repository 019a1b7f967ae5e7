/**
 * Bytes one connection may write before it yields to the event loop. Sockets on a fast path accept everything immediately, and settled
 * promises never leave the current turn. Without this limit, a client with large windows would block its thread until all its responses
 * were sent, and a disconnect would go unnoticed.
 */
export const turnShare: number = 256 * 1024;

/**
 * Milliseconds for starting requests of one read before yielding to the event loop. A read can contain hundreds of requests, and each may
 * open a file or create an encoder.
 */
export const startTime = 4;
