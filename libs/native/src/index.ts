/** Bindings to OpenSSL and sockets through `node:ffi`. No other package handles memory addresses. */
export { nativeProblem, streamProblem } from './availability.ts';
export { nativeCiphers } from './openssl/ciphers.ts';
export type { EarlyDataRule, TlsClientSession } from './openssl/resumption.ts';
export { QuicTls } from './openssl/quic-tls.ts';
export { TlsContext, type TlsContextOptions } from './openssl/tls-context.ts';
export { DatagramPair } from './sockets/datagram-pair.ts';
export { fileSender, notCached, type FileSender } from './sockets/file-sender.ts';
export { PolledListener } from './sockets/polled-listener.ts';
export { PolledSocket } from './sockets/polled-socket.ts';
export { supportsPolledSockets } from './sockets/polled-switch.ts';
export { selfTest } from './self-test.ts';
export { UdpPeer } from './sockets/socket-address.ts';
export { UdpSocket, type DatagramTaker } from './sockets/udp-socket.ts';
export { StreamContext, type StreamContextOptions } from './openssl/stream-context.ts';
export { maxEncrypted, plainBytes, StreamSession, textBytes } from './openssl/stream-session.ts';
export type { TicketKeyParts, TicketKeyring } from './openssl/ticket-callback.ts';
