/** HTTP/3 wire format (RFC 9114, 9204): frames, QPACK, and server connections over QUIC. */
export { h3Error } from './error-code.ts';
export { Http3ServerConnection, type Http3Handler } from './server-connection.ts';
export type { Http3Stream } from './stream.ts';
