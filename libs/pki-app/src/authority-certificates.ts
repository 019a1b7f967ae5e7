/**
 * Provides CA certificates to all threads. CAs and their keys exist only in the control thread. Other threads request certificates over the
 * bus and are notified when they are renewed.
 */
import { question, threadBusToken, topic, type Question, type Topic } from '@sluice/threads';
import { SluiceError } from '@sluice/base';
import type { Context } from '@sluice/registry';
import { pkiApp, type PkiApp } from './contract.ts';
import type { Authority } from './authority/authority.ts';

/** Certificates of a CA in PEM format. Private keys never leave the control thread. */
export interface AuthorityCertificates {
  readonly id: string;
  readonly root: string;
  /** Current intermediate certificate, and any certificates between it and the root. */
  readonly intermediate: string;
}

/** Requests the certificates of a CA by its ID. */
const authorityCertificates: Question<string, AuthorityCertificates> = question('pki/certificates');

/** Published when a CA has a new intermediate certificate. */
export const authorityRenewed: Topic<AuthorityCertificates> = topic('pki/renewed');

/** Returns a CA's current certificates. */
export function certificatesOf({ id, rootCertificate, intermediateCertificate }: Authority): AuthorityCertificates {
  return { id, root: rootCertificate, intermediate: intermediateCertificate };
}

/** Responds to certificate requests from other threads. The app calls this in the control thread. */
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
 * Returns CA certificates to a module in any thread. `changed` is called after each renewal until the module is disposed of. Rejects if a
 * CA doesn't exist. In a dry run, no CA is opened, so the certificates are empty.
 */
export async function watchAuthorities(
  ids: readonly string[],
  context: Context,
  changed: (certificates: AuthorityCertificates) => void,
): Promise<AuthorityCertificates[]> {
  // Request the app in every thread, so that this module is provisioned again if the CAs change.
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
