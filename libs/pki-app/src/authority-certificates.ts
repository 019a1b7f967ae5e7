/**
 * CA certificates for all threads. CAs and their keys exist only in the control thread. Other threads query the control thread over the bus
 * and are notified of renewals.
 */
import { question, threadBusToken, topic, type Question, type Topic } from '@sluice/threads';
import { SluiceError } from '@sluice/base';
import type { Context } from '@sluice/registry';
import { pkiApp, type PkiApp } from './contract.ts';
import type { Authority } from './authority/authority.ts';

/** PEM certificates of a CA. Keys never leave the control thread. */
export interface AuthorityCertificates {
  readonly id: string;
  readonly root: string;
  /** Current intermediate, and further certificates between it and the root. */
  readonly intermediate: string;
}

/** Query for the CA with an ID. */
const authorityCertificates: Question<string, AuthorityCertificates> = question('pki/certificates');

/** Broadcast when a CA has a new intermediate. */
export const authorityRenewed: Topic<AuthorityCertificates> = topic('pki/renewed');

/** Returns the current certificates of a CA. */
export function certificatesOf({ id, rootCertificate, intermediateCertificate }: Authority): AuthorityCertificates {
  return { id, root: rootCertificate, intermediate: intermediateCertificate };
}

/** Handles queries of other threads. Called by the app in the control thread. */
export function serveCertificates(app: PkiApp, context: Context): void {
  const bus = context.find(threadBusToken);
  if (bus !== undefined) context.onDispose(bus.onAsk(authorityCertificates, (id) => certificatesIn(app, id)));
}

async function certificatesIn(app: PkiApp, id: string): Promise<AuthorityCertificates> {
  const authority = await app.authority(id);
  if (authority === null)
    throw new SluiceError('ERR_PKI_AUTHORITY', `certificate authority ${JSON.stringify(id)} does not exist`, {
      status: 404,
    });
  return certificatesOf(authority);
}

/**
 * Returns CA certificates to a module in any thread. `changed` is called after a renewal, until the module is disposed of. Rejects if a CA
 * does not exist. In a dry run, which opens no CA, the certificates are empty.
 */
export async function watchAuthorities(
  ids: readonly string[],
  context: Context,
  changed: (certificates: AuthorityCertificates) => void,
): Promise<AuthorityCertificates[]> {
  // Every thread requests the app, so that a change of the CAs provisions the module again.
  const app = await context.app(pkiApp);
  const bus = context.find(threadBusToken);
  if (bus !== undefined) {
    context.onDispose(
      bus.onBroadcast(authorityRenewed, (certificates) => {
        if (ids.includes(certificates.id)) changed(certificates);
      }),
    );
  }
  const { control, traffic } = context.roles;
  if (control) return Promise.all(ids.map((id) => certificatesIn(app, id)));
  if (!traffic || bus === undefined) return ids.map((id) => ({ id, root: '', intermediate: '' }));
  return Promise.all(ids.map((id) => bus.ask(authorityCertificates, id)));
}
