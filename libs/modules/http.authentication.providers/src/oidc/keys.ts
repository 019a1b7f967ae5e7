/** Keys for cookie encryption: configured secrets, or a generated key in storage. */
import { randomBytes } from 'node:crypto';
import { requiredText } from '@sluice/base';
import { storageToken, storages, writeUnder, type Storage } from '@sluice/contracts';
import type { Context, Options } from '@sluice/registry';
import type { oidcOptions } from './options.ts';
import { SealingKeys } from './sealing-keys.ts';

/** Storage key of the generated encryption key. All providers share it, because the encryption is also bound to issuer, client and host. */
const storageKey = 'oidc/cookie.key';
const lockName = 'oidc_cookie_key';
const keyLength = 32;
const minSecret = 32;

export async function loadKeys(config: Options<typeof oidcOptions>, context: Context): Promise<SealingKeys> {
  const secrets = (config.cookie_secrets ?? []).map((secret, i) => requiredText(secret, context, 'cookie_secrets', i));
  for (const [i, secret] of secrets.entries())
    if (secret.length < minSecret)
      throw context.error(
        `is too short: use at least ${minSecret} random characters, for example from "openssl rand -base64 32"`,
        'cookie_secrets',
        i,
      );
  if (secrets.length > 0) return new SealingKeys(secrets);
  const own = config.storage ?? null;
  const storage =
    own === null ? await context.app(storageToken) : await context.loadInline(storages, own, 'module', 'storage');
  return new SealingKeys([(await storedKey(storage)) ?? (await createKey(storage))]);
}

/** Returns the stored encryption key, or `null` if there is no valid key. */
async function storedKey(storage: Storage): Promise<Buffer | null> {
  const stored = await storage.load(storageKey);
  const key = stored === null ? null : Buffer.from(stored.toString(), 'base64');
  return key?.length === keyLength ? key : null;
}

/** Creates an encryption key, unless another thread or server has already created one. */
async function createKey(storage: Storage): Promise<Buffer> {
  const lock = await storage.lock(lockName);
  try {
    const known = await storedKey(storage);
    if (known !== null) return known;
    const key = randomBytes(keyLength);
    await writeUnder(lock, storage, storageKey, key.toString('base64'));
    return key;
  } finally {
    await lock.release();
  }
}
