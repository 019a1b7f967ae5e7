/** Connects a socket to the HTTP engine for its protocol. */
import type { Duplex } from 'node:stream';
import type { EngineHost } from './engine-host.ts';
import type { SocketFacts } from './facts.ts';
import { Http1Connection } from './http1/connection.ts';
import { Http2Connection } from './http2/connection.ts';

/** Serves HTTP on a socket. Uses HTTP/2 if TLS negotiated it or the client starts with the HTTP/2 preface. Otherwise, uses HTTP/1. */
export function serveSocket(host: EngineHost, socket: Duplex, facts: SocketFacts): void {
  if (facts.tls?.protocol === 'h2') Http2Connection.start(host, socket, facts, null);
  // With TLS, only ALPN selects HTTP/2 (RFC 9113 §3.2).
  else new Http1Connection(host, socket, facts, facts.tls === null ? Http2Connection.start : null).start();
}
