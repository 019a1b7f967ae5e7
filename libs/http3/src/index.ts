/** HTTP/3 on the wire (RFC 9114, 9204): frames, QPACK, and the server's side of a connection over QUIC. */
export { h3Error } from './error-code.ts';
export { Http3ServerConnection, type Http3Handler } from './server-connection.ts';
export type { Http3Stream } from './stream.ts';
