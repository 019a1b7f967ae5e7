/** Encrypts session tickets as Node does (AES-128-CBC with HMAC-SHA-256). Either TLS implementation can then resume sessions of the other. */
import { randomFillSync } from 'node:crypto';
import { reportFault } from '@sluice/base';
import { callbackOf } from '../library.ts';
import { Block } from '../memory.ts';
import { openssl, opensslError } from './functions.ts';
import { streamFunctions } from './stream-functions.ts';

/** A ticket key, which consists of 16-byte parts. */
export interface TicketKeyParts {
  readonly name: Buffer;
  readonly hmac: Buffer;
  readonly aes: Buffer;
}

/** Keys of tickets. */
export interface TicketKeyring {
  /** Key for new tickets; `null` if there are no keys. */
  readonly sealingKey: TicketKeyParts | null;
  /** Returns the key that a ticket was encrypted with. Returns `null` if the key is unknown. */
  keyNamed(name: Buffer): TicketKeyParts | null;
}

const partLength = 16;
const size = BigInt(partLength);
/** Return values of the session ticket callback. */
const result = { failed: -1, refused: 0, sealed: 1, openedAndRenew: 2 };
const octetString = 5;
const utf8String = 4;
/** Size of an `OSSL_PARAM` structure, in bytes. */
const parameterSize = 40;

/** Parameters for the HMAC, and the memory that they reference. */
class Parameters {
  readonly #block = new Block(512).pin();
  readonly address: bigint = this.#block.at(0, 3 * parameterSize);
  readonly key: Buffer = this.#block.bytes.subarray(256, 256 + partLength);
  readonly aes: Buffer = this.#block.bytes.subarray(288, 288 + partLength);
  readonly aesAddress: bigint = this.#block.at(288, partLength);
  /** Key name of the current ticket. */
  readonly name: Buffer = this.#block.bytes.subarray(384, 384 + partLength);
  readonly nameAddress: bigint = this.#block.at(384, partLength);

  constructor() {
    const { bytes } = this.#block;
    bytes.write('key\0', 320, 'latin1');
    bytes.write('digest\0', 336, 'latin1');
    bytes.write('SHA256\0', 352, 'latin1');
    this.#parameter(0, { name: this.#block.at(320, 4), type: octetString, at: this.#block.at(256, 16), size: 16 });
    this.#parameter(1, { name: this.#block.at(336, 7), type: utf8String, at: this.#block.at(352, 7), size: 6 });
  }

  #parameter(index: number, { name, type, at, size }: { name: bigint; type: number; at: bigint; size: number }): void {
    const { bytes } = this.#block;
    const from = index * parameterSize;
    bytes.writeBigUInt64LE(name, from);
    bytes.writeUInt32LE(type, from + 8);
    bytes.writeBigUInt64LE(at, from + 16);
    bytes.writeBigUInt64LE(BigInt(size), from + 24);
  }
}

let callback = 0n;
const vectorsSize = 256 * partLength;
let nextVector = vectorsSize;

/** Returns this thread's ticket callback. `keyring` returns the keys for the session in progress. */
export function ticketCallback(keyring: () => TicketKeyring | null): bigint {
  if (callback !== 0n) return callback;
  const parameters = new Parameters();
  const vectors = new Block(vectorsSize).pin();
  const { EVP_CIPHER_fetch } = openssl();
  const { EVP_EncryptInit_ex, EVP_DecryptInit_ex, EVP_MAC_CTX_set_params, memcpy } = streamFunctions();
  const cipher = EVP_CIPHER_fetch(0n, 'AES-128-CBC', null);
  if (cipher === 0n) throw opensslError('OpenSSL does not support AES-128-CBC');
  callback = callbackOf(
    ['i', 'p', 'p', 'p', 'p', 'p', 'i'],
    (...[, namePlace, vectorPlace, cipherContext, macContext, sealing]) => {
      const keys = keyring();
      const { name, nameAddress } = parameters;
      if (sealing !== 1) memcpy(nameAddress, namePlace, size);
      const key = keys === null ? null : sealing === 1 ? keys.sealingKey : keys.keyNamed(name);
      if (key === null) return result.refused;
      key.hmac.copy(parameters.key);
      key.aes.copy(parameters.aes);
      if (sealing === 1) {
        key.name.copy(name);
        memcpy(namePlace, nameAddress, size);
        memcpy(vectorPlace, nextVectorOf(vectors), size);
      }
      const initialize = sealing === 1 ? EVP_EncryptInit_ex : EVP_DecryptInit_ex;
      const isReady =
        initialize(cipherContext, cipher, 0n, parameters.aesAddress, vectorPlace) === 1 &&
        EVP_MAC_CTX_set_params(macContext, parameters.address) === 1;
      if (!isReady) return result.failed;
      return sealing === 1 ? result.sealed : result.openedAndRenew;
    },
    { failure: result.failed, report: (error) => reportFault({ part: 'connection', error }) },
  );
  return callback;
}

/** Returns the address of unused random bytes. */
function nextVectorOf(vectors: Block): bigint {
  if (nextVector === vectorsSize) {
    randomFillSync(vectors.bytes);
    nextVector = 0;
  }
  const at = nextVector;
  nextVector += partLength;
  return vectors.at(at, partLength);
}
