/**
 * Certificates of authorities for all threads. The authorities with their keys are in the control thread; others ask it over
 * the bus, and hear of renewals.
 */
import { question, threadBusToken, topic, type Question, type Topic } from '@sluice/threads';
import { SluiceError } from '@sluice/base';
import type { Context } from '@sluice/registry';
import { pkiApp, type PkiApp } from './contract.ts';
import type { Authority } from './authority/authority.ts';

/** Certificates of an authority as PEM; keys never leave the control thread. */
export interface AuthorityCertificates {
  readonly id: string;
  readonly root: string;
  /** The intermediate in force, and others between it and the root. */
  readonly intermediate: string;
}

/** Asked by threads for the authority of an id. */
const authorityCertificates: Question<string, AuthorityCertificates> = question('pki/certificates');

/** Broadcast when an authority has a new intermediate. */
export const authorityRenewed: Topic<AuthorityCertificates> = topic('pki/renewed');

/** The certificates of an authority as they are now. */
export function certificatesOf({ id, rootCertificate, intermediateCertificate }: Authority): AuthorityCertificates {
  return { id, root: rootCertificate, intermediate: intermediateCertificate };
}

/** Responds to other threads out of an app. Called by the app in the control thread. */
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
 * The certificates of authorities, for a module of any thread; `changed` is called when one of them was renewed, until the
 * module is disposed of. Rejects where an authority is not there. In a rehearsal, where none is opened, they are empty.
 */
export async function watchAuthorities(
  ids: readonly string[],
  context: Context,
  changed: (certificates: AuthorityCertificates) => void,
): Promise<AuthorityCertificates[]> {
  // Asked for in every thread, so that a change of the authorities provisions the module again.
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
