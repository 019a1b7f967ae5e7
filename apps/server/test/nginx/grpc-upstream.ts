/** A gRPC service used as the upstream of the test cases. It reports the request headers and responds with trailers only. */
import { once } from 'node:events';
import { createSecureServer, createServer, type Http2Server, type ServerHttp2Stream } from 'node:http2';

/** Header fields that the service reports. Other fields differ between proxies. */
const reported = ['host', ':path', 'te', 'content-type', 'x-set', 'grpc-timeout'];

/** Certificate and private key of a service that uses TLS. */
export interface Identity {
  readonly cert: Buffer;
  readonly key: Buffer;
}

/** Starts a gRPC service over HTTP/2, with TLS if an identity is given. */
export async function startGrpcUpstream(identity: Identity | null): Promise<Http2Server> {
  const server = identity === null ? createServer() : createSecureServer(identity);
  server.on('stream', (stream: ServerHttp2Stream, headers) => {
    stream.on('error', () => undefined);
    let length = 0;
    stream.on('data', (chunk: Buffer) => (length += chunk.length));
    stream.on('end', () => {
      if (stream.destroyed) return;
      const type = { ':status': 200, 'content-type': 'application/grpc' };
      if (headers[':path'] === '/pkg.Service/Missing')
        return stream.respond({ ...type, 'grpc-status': '12', 'grpc-message': 'no such method' }, { endStream: true });
      stream.respond({ ...type, 'x-hidden': 'yes' }, { waitForTrailers: true });
      stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0', 'x-checksum': String(length) }));
      // A proxy may send the host in either the Host field or `:authority`.
      const all: Record<string, unknown> = { ...headers, host: headers[':authority'] ?? headers.host };
      stream.end(JSON.stringify({ ...Object.fromEntries(reported.map((name) => [name, all[name]])), length }));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}
