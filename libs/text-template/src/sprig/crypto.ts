/**
 * Template functions for password hashes, AES encryption and private keys. They block the event loop, for example for 70 ms per bcrypt
 * hash.
 */
import { createCipheriv, createDecipheriv, generateKeyPairSync, randomBytes } from 'node:crypto';
import { createRequire } from 'node:module';
import type * as Bcrypt from '@node-rs/bcrypt';
import { messageOf } from '../errors.ts';
import { declare, type TemplateFunction } from '../functions/declare.ts';
import { text, uint32 } from '../functions/parameters.ts';
import { byteLength, decodeText, encodeText } from '../values/text.ts';
import { derivePassword } from './derive-password.ts';
import { decodeBase64Bytes } from './encoding.ts';

const require = createRequire(import.meta.url);
const algorithm = 'aes-256-cbc';
const blockSize = 16;

/** Returns a bcrypt hash with cost 10. On failure, returns an error message instead of the hash. Loads the library on first use. */
function bcrypt(password: string): string {
  if (byteLength(password) > 72)
    return 'failed to encrypt string with bcrypt: bcrypt: password length exceeds 72 bytes';
  const { hashSync } = require('@node-rs/bcrypt') as typeof Bcrypt;
  return hashSync(encodeText(password), { cost: 10, version: '2a' });
}

function htpasswd(user: string, password: string): string {
  return user.includes(':') ? `invalid username: ${user}` : `${user}:${bcrypt(password)}`;
}

/** Returns the AES key: the password, truncated or zero-padded to 32 bytes. */
function keyOf(password: string): Buffer {
  const key = Buffer.alloc(32);
  key.set(encodeText(password).subarray(0, 32));
  return key;
}

function encryptAes(password: string, value: string): string {
  if (value === '') return '';
  const start = randomBytes(blockSize);
  const cipher = createCipheriv(algorithm, keyOf(password), start);
  return Buffer.concat([start, cipher.update(encodeText(value)), cipher.final()]).toString('base64');
}

function decryptAes(password: string, value: string): string {
  const bytes = decodeBase64Bytes(value);
  if (typeof bytes === 'string') throw new Error(bytes);
  if (bytes.length === 0) return '';
  if (bytes.length < 2 * blockSize || bytes.length % blockSize !== 0)
    throw new Error('the data is not valid AES-CBC ciphertext');
  try {
    const decipher = createDecipheriv(algorithm, keyOf(password), bytes.subarray(0, blockSize));
    return decodeText(Buffer.concat([decipher.update(bytes.subarray(blockSize)), decipher.final()]));
  } catch (error) {
    throw new Error(`the data can't be decrypted: ${messageOf(error)}`, { cause: error });
  }
}

/** Generates a private key in PEM format. */
function genPrivateKey(type: string): string {
  switch (type) {
    case '':
    case 'rsa':
      return generateKeyPairSync('rsa', { modulusLength: 4096 }).privateKey.export({ type: 'pkcs1', format: 'pem' });
    case 'ecdsa':
      return generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'sec1', format: 'pem' });
    case 'ed25519':
      return generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' });
    default:
      return `Unknown type ${type}`;
  }
}

export const crypto: Readonly<Record<string, TemplateFunction>> = {
  bcrypt: declare([text], bcrypt),
  htpasswd: declare([text, text], htpasswd),
  derivePassword: declare([uint32, text, text, text, text], (...[counter, type, master, user, site]) =>
    derivePassword({ counter, type, master, user, site }),
  ),
  encryptAES: declare([text, text], encryptAes),
  decryptAES: declare([text, text], decryptAes),
  genPrivateKey: declare([text], genPrivateKey),
};
