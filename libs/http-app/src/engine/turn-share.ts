/**
 * Number of bytes that a connection may write before it yields to the event loop. A socket with a fast reader accepts
 * everything immediately, and settled promises stay in the current turn. Without this limit, one client with large
 * windows could block its thread, and a disconnect would go unnoticed.
 */
export const turnShare: number = 256 * 1024;

/**
 * Time for starting requests of one read before yielding to the event loop, in milliseconds. A read can contain
 * hundreds of requests, and each may open a file or create an encoder.
 */
export const startTime = 4;
