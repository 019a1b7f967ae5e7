/** HTTP/3 wire format (RFC 9114, RFC 9204): frames, QPACK, and server and client connections over QUIC. */
export { Http3ClientConnection, reasonOf, type Http3ClientUser } from './client-connection.ts';
export type { RequestFailure, Http3ClientStream, ResponseOwner } from './client-stream.ts';
export { h3Error } from './error-code.ts';
export type { ResponseFields, ResponseLimits } from './response-fields.ts';
export { Http3ServerConnection, type Http3Handler } from './server-connection.ts';
export type { Http3Stream } from './stream.ts';
