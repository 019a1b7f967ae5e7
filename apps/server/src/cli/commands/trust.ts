/** `sluice trust` and `sluice untrust`: install and remove root certificates in the trust stores of the local machine. */
import { readFile } from 'node:fs/promises';
import {
  defaultAuthority,
  rootCertificate,
  thisMachine,
  trustRoot,
  untrustRoot,
  type RootCertificate,
  type TrustOutcome,
} from '@sluice/pki-app';
import { messageOf } from '@sluice/base';
import { adminAddress, callAdmin } from '../admin-client.ts';
import { CommandError, failure } from '../../failure.ts';
import { readConfig } from '../../configuration/read-config.ts';
import { standardRegistry } from '../../configuration/standard-registry.ts';

export interface TrustOptions {
  readonly ca?: string;
  readonly address?: string;
  readonly config?: string;
  readonly adapter?: string;
}

export interface UntrustOptions extends TrustOptions {
  readonly cert?: string;
}

/** Installs the root certificate of a running server's CA. */
export async function trust(options: TrustOptions): Promise<number> {
  const root = await rootOfServer(options);
  return report(root, 'is trusted by', await trustRoot(root, thisMachine));
}

/** Removes a root certificate, which is read from a file or from a running server. */
export async function untrust(options: UntrustOptions): Promise<number> {
  const root = options.cert === undefined ? await rootOfServer(options) : await rootOfFile(options.cert);
  return report(root, 'is no longer trusted by', await untrustRoot(root, thisMachine));
}

async function rootOfServer({
  ca = defaultAuthority,
  address,
  config,
  adapter,
}: TrustOptions): Promise<RootCertificate> {
  const document =
    config === undefined ? null : (await readConfig({ file: config, adapter }, standardRegistry)).document;
  const path = `/pki/ca/${encodeURIComponent(ca)}`;
  const response = await callAdmin({ address: adminAddress(address, document), method: 'GET', path });
  const { root_certificate: pem } = JSON.parse(response) as { root_certificate?: unknown };
  if (typeof pem !== 'string')
    throw new CommandError(`the server returned no root certificate for the certificate authority ${ca}`);
  return rootCertificate(pem);
}

async function rootOfFile(path: string): Promise<RootCertificate> {
  try {
    return rootCertificate(await readFile(path, 'utf8'));
  } catch (error) {
    throw new CommandError(`reading the certificate ${path}: ${messageOf(error)}`, error);
  }
}

/** Prints the result for each trust store. The command fails if any trust store failed. */
function report(root: RootCertificate, done: string, outcomes: readonly TrustOutcome[]): number {
  if (outcomes.length === 0) throw new CommandError('no supported trust store found on this machine');
  for (const { store, error } of outcomes) {
    if (error === null) process.stdout.write(`${root.name} ${done} ${store}\n`);
    else process.stderr.write(`${store}: ${error}\n`);
  }
  return outcomes.some(({ error }) => error !== null) ? failure : 0;
}
