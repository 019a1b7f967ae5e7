/**
 * Stores challenges for other servers that use the same storage. If several servers share an address, the CA may contact any of these
 * servers, not only the server that created the order. Uses Caddy's storage layout: `acme/<ca>/challenge_tokens/<name>.json`.
 */
import { isIP } from 'node:net';
import {
  challengeCertificate,
  type ChallengeType,
  type ClientChallengeType,
  type Identifier,
  type Solver,
} from '@sluice/acme';
import type { Storage } from '@sluice/contracts';
import { safeName, type CertificatePair, type SharedChallenges } from '@sluice/tls-app';
import { folderOf } from '../folder.ts';

/** The properties of a stored challenge that this server reads. */
interface StoredChallenge {
  readonly type: ChallengeType;
  readonly status: 'pending';
  readonly token: string;
  readonly keyAuthorization: string;
  readonly identifier: Identifier;
}

/** Wraps a solver so that its active challenges are also written to the storage. `ca` is the CA's directory URL. */
export function sharedSolver(type: ClientChallengeType, solver: Solver, storage: Storage, ca: string): Solver {
  // DNS records need not be shared, because they are visible everywhere.
  if (type === 'dns-01' || type === 'dns-persist-01') return solver;
  return async (task) => {
    const { identifier, token, keyAuthorization } = task;
    const key = keyOf(ca, identifier.value);
    const stored: StoredChallenge = { type, status: 'pending', token, keyAuthorization, identifier };
    await storage.store(key, JSON.stringify(stored));
    const remove = (): Promise<void> => storage.delete(key).catch(() => undefined);
    try {
      const takeDown = await solver(task);
      return async () => {
        await takeDown();
        await remove();
      };
    } catch (error) {
      await remove();
      throw error;
    }
  };
}

/** Reads the challenges that other servers have stored for the given CAs. */
export class StoredChallenges implements SharedChallenges {
  readonly #storage: Storage;
  readonly #authorities: readonly string[];

  constructor(storage: Storage, authorities: readonly string[]) {
    this.#storage = storage;
    this.#authorities = authorities;
  }

  async http(name: string, challenge: string): Promise<string | null> {
    const stored = await this.#find(name, ({ type, token }) => type === 'http-01' && token === challenge);
    return stored?.keyAuthorization ?? null;
  }

  async tlsAlpn(name: string): Promise<CertificatePair | null> {
    const stored = await this.#find(name, ({ type }) => type === 'tls-alpn-01');
    const identifier: Identifier = { type: isIP(name) === 0 ? 'dns' : 'ip', value: name };
    return stored === null ? null : challengeCertificate(identifier, stored.keyAuthorization);
  }

  async #find(name: string, matches: (stored: StoredChallenge) => boolean): Promise<StoredChallenge | null> {
    for (const ca of this.#authorities) {
      const value = await this.#storage.load(keyOf(ca, name));
      const stored = value === null ? null : (JSON.parse(value.toString()) as Partial<StoredChallenge>);
      if (isComplete(stored) && matches(stored)) return stored;
    }
    return null;
  }
}

function keyOf(ca: string, name: string): string {
  return `acme/${folderOf(ca)}/challenge_tokens/${safeName(name)}.json`;
}

function isComplete(stored: Partial<StoredChallenge> | null): stored is StoredChallenge {
  return typeof stored?.token === 'string' && typeof stored.keyAuthorization === 'string';
}
