/** Exchanges signed DNS messages over TCP (RFC 1035 §4.2.2). */
import { randomInt } from 'node:crypto';
import { connect } from 'node:net';
import { decode, type DecodedPacket } from 'dns-packet';
import { isSluiceError, messageOf, SluiceError } from '@sluice/base';
import { ResponseVerifier, sign, type TsigKey } from './tsig.ts';

/** A DNS name server and its TSIG key. */
export interface Server {
  readonly host: string;
  readonly port: number;
  readonly key: TsigKey;
}

/** Response timeout, in milliseconds. */
const timeout = 20_000;

/**
 * Sends a DNS message, with a new message ID. Returns the response messages up to the first one that `isLast` accepts. Verifies all
 * messages. Rejects if the server returns an error.
 */
export async function exchange(
  { host, port, key }: Server,
  request: Buffer,
  signal: AbortSignal,
  isLast: (message: DecodedPacket) => boolean = () => true,
): Promise<DecodedPacket[]> {
  const id = randomInt(0x10000);
  request.writeUInt16BE(id);
  const signed = sign(request, key, now());
  const verifier = new ResponseVerifier(key, signed.mac);
  const socket = connect({ host, port });
  const both = AbortSignal.any([signal, AbortSignal.timeout(timeout)]);
  const abort = (): void => void socket.destroy(both.reason as Error);
  both.addEventListener('abort', abort, { once: true });
  try {
    both.throwIfAborted();
    socket.write(framed(signed.message));
    const messages: DecodedPacket[] = [];
    for await (const message of messagesOf(socket)) {
      const decoded = checked(message, id, verifier);
      messages.push(decoded);
      if (isLast(decoded)) break;
    }
    if (messages.length === 0) throw failure('the server closed the connection without a response');
    if (verifier.pending) throw failure('the last message of the response is not signed');
    return messages;
  } catch (error) {
    if (isSluiceError(error)) throw error;
    throw new SluiceError('ERR_DNS_PROVIDER', `rfc2136: ${host}:${port}: ${messageOf(error)}`, { cause: error });
  } finally {
    both.removeEventListener('abort', abort);
    socket.destroy();
  }
}

function checked(message: Buffer, id: number, verifier: ResponseVerifier): DecodedPacket {
  if (message.length < 12 || message.readUInt16BE(0) !== id)
    throw failure('the response ID does not match the request ID');
  const code = message.readUInt8(3) & 0xf;
  // An error response may be unsigned, because the server may not have the key or the zone.
  if (code !== 0 && message.readUInt16BE(10) === 0) throw refusal(code);
  verifier.verify(message, now());
  if (code !== 0) throw refusal(code);
  return decode(message);
}

/** Descriptions of DNS response codes (RFC 1035 §4.1.1, RFC 2136 §2.2). */
const codes: Readonly<Record<number, string>> = {
  1: 'FORMERR: the server cannot parse the message',
  2: 'SERVFAIL: the server failed to process the request',
  4: 'NOTIMP: the server does not support updates',
  5: 'REFUSED: the key has no permission for this zone or record',
  9: 'NOTAUTH: the server is not authoritative for the zone, or rejects the key',
  10: 'NOTZONE: the name is not in the zone',
};

function refusal(code: number): SluiceError {
  return failure(codes[code] ?? `response code ${code}`);
}

function failure(reason: string): SluiceError {
  return new SluiceError('ERR_DNS_PROVIDER', `rfc2136: ${reason}`);
}

async function* messagesOf(socket: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let received = Buffer.alloc(0);
  for await (const chunk of socket) {
    received = Buffer.concat([received, chunk]);
    while (received.length >= 2) {
      const length = received.readUInt16BE(0);
      if (received.length < 2 + length) break;
      yield received.subarray(2, 2 + length);
      received = received.subarray(2 + length);
    }
  }
}

function framed(message: Buffer): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(message.length);
  return Buffer.concat([length, message]);
}

function now(): number {
  return Math.floor(Date.now() / 1000);
}
