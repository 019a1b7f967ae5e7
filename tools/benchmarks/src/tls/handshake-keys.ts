/** The TLS 1.3 key schedule (RFC 8446 §7.1) for a client that does not verify the server. It supports only X25519, AES-128-GCM and SHA-256. */
import { createHmac, createPublicKey, diffieHellman, hash, type KeyObject } from 'node:crypto';

/** Encryption key and IV of one direction. */
export interface TrafficKeys {
  readonly key: Buffer;
  readonly iv: Buffer;
}

/** Keys derived from the ClientHello and ServerHello. */
export interface HandshakeKeys {
  readonly secret: Buffer;
  readonly server: TrafficKeys;
  readonly client: TrafficKeys;
  /** HMAC key for the client's Finished message. */
  readonly finished: Buffer;
}

const zeros = Buffer.alloc(32);
const derived = expandLabel(hmac(zeros, zeros), 'derived', sha256(''), 32);

/** Derives the keys for the rest of the handshake. `messages` are the ClientHello and ServerHello. `share` is the server's public key. */
export function handshakeKeys(privateKey: KeyObject, share: Buffer, messages: Buffer): HandshakeKeys {
  const publicKey = createPublicKey({
    key: { kty: 'OKP', crv: 'X25519', x: share.toString('base64url') },
    format: 'jwk',
  });
  const secret = hmac(derived, diffieHellman({ privateKey, publicKey }));
  const transcript = sha256(messages);
  const client = expandLabel(secret, 'c hs traffic', transcript, 32);
  return {
    secret,
    server: trafficKeys(expandLabel(secret, 's hs traffic', transcript, 32)),
    client: trafficKeys(client),
    finished: expandLabel(client, 'finished', '', 32),
  };
}

/** Derives the keys for client data after the handshake. `transcript` is the hash of all messages up to the server's Finished. */
export function applicationKeys(handshakeSecret: Buffer, transcript: Buffer): TrafficKeys {
  const secret = hmac(expandLabel(handshakeSecret, 'derived', sha256(''), 32), zeros);
  return trafficKeys(expandLabel(secret, 'c ap traffic', transcript, 32));
}

/** HMAC-SHA-256. */
export function hmac(key: Buffer, data: Buffer): Buffer {
  return createHmac('sha256', key).update(data).digest();
}

export function sha256(data: Buffer | string): Buffer {
  return hash('sha256', data, 'buffer');
}

function trafficKeys(secret: Buffer): TrafficKeys {
  return { key: expandLabel(secret, 'key', '', 16), iv: expandLabel(secret, 'iv', '', 12) };
}

/** HKDF-Expand-Label for at most one block of output. */
function expandLabel(secret: Buffer, label: string, context: Buffer | string, length: number): Buffer {
  const name = `tls13 ${label}`;
  const info = Buffer.alloc(5 + name.length + context.length);
  info.writeUInt16BE(length, 0);
  info[2] = name.length;
  info.write(name, 3, 'latin1');
  info[3 + name.length] = context.length;
  if (typeof context !== 'string') context.copy(info, 4 + name.length);
  info[info.length - 1] = 1;
  return hmac(secret, info).subarray(0, length);
}
