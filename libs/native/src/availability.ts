/** Checks whether the native bindings are available in this process. */
import { messageOf } from '@sluice/base';
import { nativeSwitch } from './native-switch.ts';
import { nativeCiphers } from './openssl/ciphers.ts';
import { openssl } from './openssl/functions.ts';
import { streamFunctions } from './openssl/stream-functions.ts';

let known: string | null | undefined;

/**
 * Returns the reason why the native bindings can't be used. Returns `null` if they can. The check runs once per thread. It resolves all
 * functions, checks the OpenSSL version, and encrypts a packet with a known result (RFC 9001 §A.5).
 */
export function nativeProblem(): string | null {
  const off = nativeSwitch();
  if (off !== null) return off;
  if (known === undefined) known = findProblem();
  return known;
}

/** Returns the reason why the native bindings can't be used for TLS over TCP. Returns `null` if they can. */
export function streamProblem(): string | null {
  const problem = nativeProblem();
  if (problem !== null) return problem;
  try {
    streamFunctions();
    return null;
  } catch (error) {
    return messageOf(error);
  }
}

function findProblem(): string | null {
  try {
    openssl();
    const key = Buffer.from('c6d98ff3441c3fe1b2182094f69caa2ed4b716b65488960a7a984979fb23e1c8', 'hex');
    const iv = Buffer.from('e0459b3474bdd0e44a41c144', 'hex');
    const bytes = Buffer.concat([Buffer.from('4200bff401', 'hex'), Buffer.alloc(16)]);
    const aead = nativeCiphers.aead({ aead: 'chacha20-poly1305' }, key, iv, 'seal');
    aead.seal(654_360_564, { bytes, start: 0, payload: 4, end: 5 });
    aead.free();
    return bytes.toString('hex', 4) === '655e5cd55c41f69080575d7999c25a5bfb'
      ? null
      : 'OpenSSL encrypts packets differently from RFC 9001';
  } catch (error) {
    return messageOf(error);
  }
}
