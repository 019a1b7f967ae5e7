/** Opens connections to a test site and records the results of the TLS handshakes. */
import { readFileSync } from 'node:fs';
import { connect as connectPlain, type Socket } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import type { SiteRequest } from '../step.ts';

/** Addresses of a test site, and the directory of client certificates. */
export interface Place {
  readonly ports: Readonly<Record<string, number>>;
  readonly folder: string;
}

/** An opened connection: lines that describe the TLS handshake, and the socket. The socket is `null` if the handshake failed. */
export interface Opened {
  readonly lines: readonly string[];
  readonly socket: Socket | null;
}

/** Encrypted protocols. */
const encrypted = new Set(['https', 'h2', 'wss', 'tls']);

/** Opens a connection for a request. */
export function open(request: SiteRequest, place: Place): Promise<Opened> {
  const secure = encrypted.has(request.transport);
  const port = place.ports[request.settings.port ?? (secure ? 'https' : 'http')] ?? 0;
  return secure ? openTls(request, port, place.folder) : openPlain(port);
}

function openPlain(port: number): Promise<Opened> {
  return new Promise((resolve) => {
    const socket = connectPlain({ port, host: '127.0.0.1', noDelay: true }, () => resolve({ lines: [], socket }));
    socket.on('error', (error) => resolve({ lines: [`connection: ${codeOf(error)}`], socket: null }));
  });
}

function openTls({ transport, name, settings }: SiteRequest, port: number, folder: string): Promise<Opened> {
  const pem = settings.client === undefined ? undefined : readFileSync(`${folder}/${settings.client}.pem`);
  return new Promise((resolve) => {
    const socket = connectTls(
      {
        port,
        host: '127.0.0.1',
        servername: settings.sni ?? hostnameOf(name),
        rejectUnauthorized: false,
        ALPNProtocols: [transport === 'h2' ? 'h2' : 'http/1.1'],
        ...(settings.tls === undefined ? {} : { maxVersion: settings.tls }),
        ...(pem === undefined ? {} : { cert: pem, key: pem }),
      },
      () => resolve({ lines: [handshakeOf(socket)], socket }),
    );
    socket.on('error', (error) => resolve({ lines: [`handshake: ${codeOf(error)}`], socket: null }));
  });
}

function hostnameOf(name: string): string {
  return /^[\d.]+$/.test(name) ? '' : name;
}

function handshakeOf(socket: TLSSocket): string {
  const { subjectaltname } = socket.getPeerCertificate();
  return `handshake: ${socket.getProtocol() ?? ''} ${socket.alpnProtocol || 'no protocol'} ${subjectaltname ?? 'no name'}`;
}

/** Returns the TLS alert, or otherwise the error code of the socket. */
export function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : error.message;
}
