/** Opens connections to a server under test, optionally over TLS. */
import { readFileSync } from 'node:fs';
import { connect as connectPlain, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { CaseRequest } from './cases.ts';

/** Port of the server, and directory of the client certificates. */
export interface Place {
  readonly port: number;
  readonly folder: string;
}

/** A connection, with the subject alternative names of the server certificate. */
export interface Connection {
  readonly names: string;
  readonly socket: Socket;
}

/** Opens a connection. Returns `null` if the TLS handshake is rejected. */
export function open({ port, folder }: Place, request: CaseRequest): Promise<Connection | null> {
  return new Promise((resolve, reject) => {
    if (request.port !== 'tls') {
      const socket = connectPlain(port, '127.0.0.1', () => resolve({ names: '', socket }));
      return void socket.on('error', reject);
    }
    const pem = request.client === '' ? {} : clientFiles(folder, request.client);
    const socket = connectTls({
      port,
      host: '127.0.0.1',
      servername: request.sni ?? request.headers['Host']?.replace(/:\d+$/, '') ?? 'localhost',
      rejectUnauthorized: false,
      ALPNProtocols: [request.http2 ? 'h2' : 'http/1.1'],
      maxVersion: request.tls === 'TLSv1.2' ? 'TLSv1.2' : 'TLSv1.3',
      ...pem,
    });
    socket.on('secureConnect', () => resolve({ names: socket.getPeerCertificate().subjectaltname ?? '', socket }));
    socket.on('error', () => resolve(null));
  });
}

function clientFiles(folder: string, name: string): { readonly cert: Buffer; readonly key: Buffer } {
  return { cert: readFileSync(`${folder}/${name}.pem`), key: readFileSync(`${folder}/${name}.key`) };
}
