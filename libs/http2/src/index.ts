/** HTTP/2 wire format: frames, HPACK, flow control, and server connections over any transport. */
// The exports below are shared with HTTP/3, whose field sections differ only in the tables.
export type { FieldSink } from './hpack/decoder.ts';
export { fieldKind, fieldName, isFieldValue, type FieldName } from './hpack/field-name.ts';
export { decodeHuffman } from './hpack/huffman.ts';
export { PeerBudgets } from './budget.ts';
export { setPriority } from './priority.ts';
export { RequestFields, type FieldLimits } from './request-fields.ts';
export { ServerConnection } from './server-connection.ts';
export type { ServerHandler } from './server-handler.ts';
export type { Http2Stream, StreamOwner } from './stream.ts';
export { writeResult, type ConnectionTransport } from './transport.ts';
export { readFieldBlock } from './read-field-block.ts';
