/** Installs and removes root certificates in all trust stores of a machine. */
import { messageOf } from '@sluice/base';
import { token, type Token } from '@sluice/registry';
import { linuxStore } from './linux.ts';
import { macosStore } from './macos.ts';
import { nssStores } from './nss.ts';
import type { Machine, RootCertificate, TrustStore } from './store.ts';
import { windowsStore } from './windows.ts';

/** Machine on which `install_trust` installs root certificates. The control thread provides this service, and tests replace it. */
export const machineToken: Token<Machine> = token<Machine>('machine');

/** Result for one trust store. `error` is `null` on success. */
export interface TrustOutcome {
  readonly store: string;
  readonly error: string | null;
}

/** Installs a root certificate in all trust stores. Errors of individual stores don't reject the promise. */
export async function trustRoot(root: RootCertificate, machine: Machine): Promise<TrustOutcome[]> {
  return each(await storesOf(machine), (store) => store.install(root));
}

/** Removes a root certificate from all trust stores. Errors of individual stores don't reject the promise. */
export async function untrustRoot(root: RootCertificate, machine: Machine): Promise<TrustOutcome[]> {
  return each(await storesOf(machine), (store) => store.remove(root));
}

async function storesOf(machine: Machine): Promise<TrustStore[]> {
  if (machine.platform === 'win32') return [windowsStore(machine)];
  const browsers = await nssStores(machine);
  if (machine.platform === 'darwin') return [macosStore(machine), ...browsers];
  const system = await linuxStore(machine);
  return system === null ? browsers : [system, ...browsers];
}

async function each(stores: readonly TrustStore[], act: (store: TrustStore) => Promise<void>): Promise<TrustOutcome[]> {
  const outcomes: TrustOutcome[] = [];
  for (const store of stores) {
    try {
      await act(store);
      outcomes.push({ store: store.name, error: null });
    } catch (error) {
      outcomes.push({ store: store.name, error: messageOf(error) });
    }
  }
  return outcomes;
}
