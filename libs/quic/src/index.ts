/** QUIC (RFC 9000, 9001, 9002, 9369): connections, streams and loss recovery over any datagram transport and any TLS implementation. */
export type { CloseReason } from './connection/close-reason.ts';
export type { ConnectionOptions, ConnectionUser, QuicConnection } from './connection/connection-host.ts';
export type { ConnectionLog } from './connection/connection-log.ts';
export type { Connection } from './connection/connection.ts';
export { ecn } from './connection/ack-tracker.ts';
export { nodeCiphers } from './crypto/node-ciphers.ts';
export type { TlsEvents, TlsSession } from './crypto/tls-session.ts';
export type { Clock } from './endpoint/clock.ts';
export type { DatagramRun, DatagramTransport } from './endpoint/datagram-batch.ts';
export { Endpoint, type Accepted, type EndpointOptions, type Incoming } from './endpoint/endpoint.ts';
export { Qlog, type QlogOptions } from './qlog/qlog.ts';
export type { QuicStream, StreamUser } from './streams/stream.ts';
export type { PeerAddress } from './wire/address.ts';
export { isQuicError } from './wire/error-code.ts';
export { level } from './wire/level.ts';
export { version1, version2 } from './wire/version.ts';
export { readFirstFlight } from './inspect/client-hello.ts';
