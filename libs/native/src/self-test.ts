/** Tests all native bindings in a separate process, because an incompatible OpenSSL or libuv can crash the process. */
import { createCipheriv, randomBytes } from 'node:crypto';
import { nativeProblem } from './availability.ts';
import { nativeCiphers, type AeadSuite } from './openssl/ciphers.ts';
import { QuicTls, type QuicTlsEvents } from './openssl/quic-tls.ts';
import { TlsContext } from './openssl/tls-context.ts';
import { checkStreams } from './self-test-stream.ts';
import { UdpSocket, type DatagramTaker } from './sockets/udp-socket.ts';

export const selfTestCertificate = `-----BEGIN CERTIFICATE-----
MIIBfzCCASWgAwIBAgIUVZu5Mf9nSWwG8Fg8wfaR2ExXHCIwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJc2VsZi10ZXN0MCAXDTI2MTEyNzAxMjQyMloYDzIxMjYxMTAz
MDEyNDIyWjAUMRIwEAYDVQQDDAlzZWxmLXRlc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAASZnOzm7wzqDpqPw0vKvn6ZuQhmpqA5B6/a4bRETe88wa3Ig35WrtK7
1XmGiBLzkRbwoipolomeraaVtEvCXIFPo1MwUTAdBgNVHQ4EFgQUaUJu1c+05x56
QtSuTb7WZKW/w0AwHwYDVR0jBBgwFoAUaUJu1c+05x56QtSuTb7WZKW/w0AwDwYD
VR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNIADBFAiEA4/n5FCATGd5dV7MpEBxO
8T41RYlFxbZU/2V3xRFIizsCIEBS8FAsH6FJbOtJ7nG5wgGll0GB7+mgg6HHtaM/
SexC
-----END CERTIFICATE-----
`;
export const selfTestKey = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgIGcoOcNERGn5K89I
QkOXdIIBtiI3WjMxULW5VgF8yTKhRANCAASZnOzm7wzqDpqPw0vKvn6ZuQhmpqA5
B6/a4bRETe88wa3Ig35WrtK71XmGiBLzkRbwoipolomeraaVtEvCXIFP
-----END PRIVATE KEY-----
`;

const keyLengths: Readonly<Record<AeadSuite['aead'], number>> = {
  'aes-128-gcm': 16,
  'aes-256-gcm': 32,
  'chacha20-poly1305': 32,
};
/** Maximum time for a datagram to arrive on the loopback interface, in milliseconds. */
const datagramTime = 2000;

/** Tests all native bindings. Throws if one doesn't work. Must be called in a separate process. */
export async function selfTest(): Promise<void> {
  const problem = nativeProblem();
  if (problem !== null) throw new Error(problem);
  for (const aead of Object.keys(keyLengths) as AeadSuite['aead'][]) checkSuite(aead);
  checkHandshake();
  await checkStreams(selfTestCertificate, selfTestKey);
  if (UdpSocket.supported) await checkSocket();
}

/** Compares encrypted packets with the output of `node:crypto`, and then decrypts them. */
function checkSuite(aead: AeadSuite['aead']): void {
  const secret = randomBytes(keyLengths[aead]);
  const iv = randomBytes(12);
  const header = randomBytes(20);
  const text = randomBytes(1000);
  const sealing = nativeCiphers.aead({ aead }, secret, iv, 'seal');
  const opening = nativeCiphers.aead({ aead }, secret, iv, 'open');
  const mask = nativeCiphers.headerMask({ aead }, secret);
  const bytes = Buffer.concat([header, text, Buffer.alloc(16)]);
  const packet = { bytes, start: 0, payload: header.length, end: header.length + text.length };
  sealing.seal(0, packet);
  const cipher = createCipheriv(aead as 'aes-128-gcm', secret, iv, { authTagLength: 16 });
  cipher.setAAD(header);
  const expected = Buffer.concat([header, cipher.update(text), cipher.final(), cipher.getAuthTag()]);
  if (!bytes.equals(expected)) throw new Error(`OpenSSL encrypts packets with ${aead} differently from node:crypto`);
  mask.mask(bytes, 0);
  if (!opening.open(0, packet) || !bytes.subarray(header.length, packet.end).equals(text))
    throw new Error(`OpenSSL cannot decrypt packets encrypted with ${aead}`);
  for (const each of [sealing, opening, mask]) each.free();
}

/** One side of an in-memory handshake. */
class Side implements QuicTlsEvents {
  complete = false;
  readonly session: QuicTls;
  readonly outgoing: { readonly level: number; readonly bytes: Buffer }[] = [];

  constructor(session: QuicTls) {
    this.session = session;
  }

  onCryptoData(level: number, bytes: Buffer): void {
    this.outgoing.push({ level, bytes: Buffer.from(bytes) });
  }

  onSecret(): void {}

  onTransportParameters(): void {}

  onAlert(alert: number, reason: string): void {
    throw new Error(`alert ${alert}: ${reason}`);
  }

  onComplete(): void {
    this.complete = true;
  }
}

function checkHandshake(): void {
  const common = { protocols: ['h3'], authorities: [], verification: 'none' } as const;
  const atServer = new TlsContext({
    ...common,
    isServer: true,
    certificate: selfTestCertificate,
    key: selfTestKey,
    ticketKeys: randomBytes(80),
  });
  const atClient = new TlsContext({ ...common, isServer: false, certificate: null, key: null, ticketKeys: null });
  // Send one transport parameter, because neither side accepts an empty list.
  const parameters = Buffer.from([1, 1, 30]);
  const [server, client] = [atServer, atClient].map(
    (context) =>
      new Side(new QuicTls({ context, parameters, ...(context === atClient ? { serverName: 'self-test' } : {}) })),
  ) as [Side, Side];
  server.session.start(server);
  client.session.start(client);
  for (let round = 0; round < 10 && !(server.complete && client.complete); round++) {
    for (const { level, bytes } of client.outgoing.splice(0)) server.session.receive(level, bytes);
    for (const { level, bytes } of server.outgoing.splice(0)) client.session.receive(level, bytes);
  }
  const done = server.complete && client.complete;
  for (const each of [server.session, client.session, atServer, atClient]) each.free();
  if (!done) throw new Error('OpenSSL did not complete a TLS handshake');
}

/** Tests UDP by sending a datagram from the socket to itself. */
async function checkSocket(): Promise<void> {
  const failed = (error: unknown): void => {
    throw error;
  };
  const address = { host: '127.0.0.1', port: 0, isIPv6: false, only: false, reusePort: false };
  const socket = UdpSocket.bind(address, { fault: failed });
  if (socket === null) throw new Error('cannot bind a UDP socket');
  const arrived = new Promise<string>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('a UDP datagram did not arrive')), datagramTime);
    socket.taker = {
      onDatagram: (bytes, { start, end }) => {
        clearTimeout(timer);
        resolve(bytes.toString('latin1', start, end));
      },
      onBatch: () => undefined,
      fault: failed,
    } satisfies DatagramTaker;
  });
  socket.reading = true;
  socket.memory.write('self-test', 0, 'latin1');
  const to = { host: '127.0.0.1', port: socket.port };
  socket.send({ bytes: socket.memory, start: 0, end: 9, segment: 9, to, codepoint: 2 });
  try {
    if ((await arrived) !== 'self-test')
      throw new Error('the received datagram differs from the datagram that was sent');
  } finally {
    socket.close();
  }
}
