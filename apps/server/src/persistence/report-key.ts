import { createPrivateKey, createPublicKey, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ReportSigner } from '@sluice/admin-api';
import { dataDirectory, makeDirectory, stageFile, type JsonObject } from '@sluice/base';

/** Key that signs reports as JSON Web Signatures (RFC 7515, RFC 8037). */
export class ReportKey implements ReportSigner {
  readonly #folder: string;
  #key: Promise<KeyObject> | null = null;

  constructor(folder: string = dataDirectory()) {
    this.#folder = folder;
  }

  async sign(payload: string): Promise<string> {
    const key = await this.#load();
    const header = { alg: 'EdDSA', typ: 'sluice-report+jws', jwk: publicPart(key) };
    const signed = `${encoded(JSON.stringify(header))}.${encoded(payload)}`;
    return `${signed}.${sign(null, Buffer.from(signed), key).toString('base64url')}`;
  }

  async publicKey(): Promise<JsonObject> {
    return publicPart(await this.#load());
  }

  #load(): Promise<KeyObject> {
    this.#key ??= this.#readOrMake().catch((error: unknown) => {
      // Let the next report try to load the key again. The failure may be temporary, such as a full disk.
      this.#key = null;
      throw error;
    });
    return this.#key;
  }

  async #readOrMake(): Promise<KeyObject> {
    const file = join(this.#folder, 'report-key.pem');
    try {
      return createPrivateKey(await readFile(file, 'utf8'));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
    const { privateKey } = generateKeyPairSync('ed25519');
    await makeDirectory(this.#folder);
    const staged = await stageFile(file, [privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()]);
    await staged.commit();
    return privateKey;
  }
}

function publicPart(key: KeyObject): JsonObject {
  const { kty = '', crv = '', x = '' } = createPublicKey(key).export({ format: 'jwk' });
  return { kty, crv, x };
}

function encoded(text: string): string {
  return Buffer.from(text).toString('base64url');
}
