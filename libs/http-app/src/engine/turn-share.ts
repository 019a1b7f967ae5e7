/**
 * Number of bytes that a connection may write before it yields to the event loop. The socket of a fast client accepts all data immediately,
 * and settled promises continue in the same turn. Without this limit, one client with large windows could block its thread, and the server
 * would not detect a disconnect.
 */
export const turnShare: number = 256 * 1024;

/**
 * Maximum time for starting the requests of one read before yielding to the event loop, in milliseconds. A read can contain hundreds of
 * requests, and each may open a file or create an encoder.
 */
export const startTime = 4;
