/** Tests TLS over TCP in memory, with a `node:tls` client. */
import { Duplex } from 'node:stream';
import { StreamContext } from './openssl/stream-context.ts';
import { plainBytes, StreamSession, textBytes } from './openssl/stream-session.ts';

/** Maximum time for the handshake, in milliseconds. */
const timeout = 5000;

/** Performs a handshake for each TLS version, and sends a line in each direction. Throws if the test fails. */
export async function checkStreams(certificate: string, key: string): Promise<void> {
  const context = new StreamContext({
    certificate,
    key,
    minVersion: 0x0303,
    maxVersion: 0x0304,
    ciphers: 'ECDHE-ECDSA-AES128-GCM-SHA256',
    ciphersuites: 'TLS_AES_128_GCM_SHA256',
    groups: 'X25519',
    options: 0,
    alpn: Buffer.from('\x08http/1.1'),
    sessionId: 'self-test',
    sendsTickets: true,
    ticketKeys: null,
    verification: 'none',
    authorities: [],
  });
  try {
    for (const maxVersion of ['TLSv1.2', 'TLSv1.3'] as const) await checkVersion(context, maxVersion);
  } finally {
    context.free();
  }
}

async function checkVersion(context: StreamContext, maxVersion: 'TLSv1.2' | 'TLSv1.3'): Promise<void> {
  const { connect } = await import('node:tls');
  const session = new StreamSession(context, null);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let isComplete = false;
  const flush = (): void => {
    const output = session.sendTo(-1);
    if (output !== null) wire.push(output);
  };
  const wire: Duplex = new Duplex({
    read: () => undefined,
    write(chunk: Buffer, _encoding, done) {
      session.feed(chunk, 0, chunk.length);
      isComplete ||= session.handshake();
      if (isComplete && plainBytes().toString('latin1', 0, session.read()) === 'ping')
        session.writeText(textBytes().write('pong'));
      flush();
      done(session.failure);
    },
  });
  const timer = setTimeout(() => reject(new Error('OpenSSL did not complete a TLS handshake')), timeout);
  const client = connect({ socket: wire, rejectUnauthorized: false, ALPNProtocols: ['http/1.1'], maxVersion });
  client.on('error', reject).on('data', (chunk) => {
    try {
      if (chunk.toString() !== 'pong' || client.alpnProtocol !== 'http/1.1')
        throw new Error('the OpenSSL self-test received data that differs from the data it sent');
      resolve();
    } catch (error) {
      reject(error);
    }
  });
  client.write('ping');
  try {
    await promise;
  } finally {
    clearTimeout(timer);
    client.destroy();
    session.free();
  }
}
