/** HTTP/2 on the wire: frames, HPACK, flow control, and the server's side of a connection over any transport. */
export { errorCode } from './error-code.ts';
export type { FieldLimits, RequestFields } from './request-fields.ts';
export { ServerConnection } from './server-connection.ts';
export type { ServerHandler } from './server-handler.ts';
export type { Http2Stream, StreamOwner } from './stream.ts';
export { writeResult, type ConnectionTransport } from './transport.ts';
