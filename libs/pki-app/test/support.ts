/** A registry with in-memory storage, and verification of certificates with OpenSSL. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { register } from '@sluice/pki-app';
import { createLogger, type LogEntry } from '@sluice/base';
import { Registry } from '@sluice/registry';
import { Runtime } from '@sluice/reconciler';
import { MemoryStorage, registerStorage } from '@sluice/testing';

export interface Bench {
  readonly registry: Registry;
  readonly runtime: Runtime;
  readonly storage: MemoryStorage;
  readonly logged: LogEntry[];
  load(authorities: object): Promise<void>;
}

/** Creates a test environment. A test may reuse `storage` to simulate a restart. */
export function bench(storage: MemoryStorage = new MemoryStorage(), control = true): Bench {
  const logged: LogEntry[] = [];
  const log = createLogger({ enabled: () => true, write: (entry) => logged.push(entry) });
  const registry = new Registry().use(registerStorage(storage)).use(register);
  const runtime = new Runtime({ registry, roles: { control, traffic: !control }, log });
  const load = async (authorities: object): Promise<void> => {
    const document = { storage: { module: 'memory' }, apps: { pki: { certificate_authorities: { ...authorities } } } };
    runtime.commit(await runtime.prepare(document));
  };
  return { registry, runtime, storage, logged, load };
}

/** Returns the output of `openssl verify` in strict mode, or `null` if OpenSSL is not installed. */
export function verify(root: string, intermediate: string, leaf: string, ...more: string[]): string | null {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-pki-'));
  try {
    const file = (name: string, content: string): string => {
      writeFileSync(join(folder, name), content);
      return join(folder, name);
    };
    const untrusted = intermediate === '' ? [] : ['-untrusted', file('intermediate', intermediate)];
    const args = ['verify', '-x509_strict', '-CAfile', file('root', root), ...untrusted, ...more, file('leaf', leaf)];
    return execFileSync('openssl', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
      .replace(/^.*: /, '')
      .trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    return String((error as { stderr?: string }).stderr);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
