/** The option `admin.identity`: certificates that identify this server. The option has its own list of issuers. */
import { tlsApp, type ServerIdentity } from '@sluice/contracts';
import type { Context } from '@sluice/registry';
import type { JsonObject } from '@sluice/base';
import { ManagedName } from '../automation/managed-name.ts';
import { provisionAutomationPolicy, provisionDefaults } from '../automation/policy.ts';
import { qualifies, qualifiesForPublic } from '../automation/qualify.ts';
import { normalName } from '../certificates/names.ts';
import { challengeBoardToken } from '../contracts/challenge-board.ts';
import { noBoard } from '../challenges/no-board.ts';
import { expandGlobal } from '../global-text.ts';
import type { Issuer } from '../contracts/issuer.ts';
import { ThreadTls } from '../thread-tls.ts';
import { IdentityCertificates } from './identity-certificates.ts';

/** Provisions the `admin.identity` option. The control thread provides this function as the `identityProvision` service. */
export async function provisionIdentity(node: JsonObject, context: Context): Promise<ServerIdentity> {
  const tls = await context.app(tlsApp);
  const board = tls instanceof ThreadTls ? tls.management?.notices : undefined;
  context.provide(challengeBoardToken, board ?? noBoard);
  const policy = await provisionAutomationPolicy({ issuers: node['issuers'] ?? null }, context);
  const names = ((node['identifiers'] ?? []) as readonly string[]).map((name) => normalName(expandGlobal(name)));
  const wrong = names.findIndex((name) => !qualifies(name));
  if (wrong >= 0)
    throw context.error(`${JSON.stringify(names[wrong])} is not a valid certificate name`, 'identifiers', wrong);
  const issuersOf = policy.issuers === null ? await defaultIssuers(context) : () => policy.issuers ?? [];
  const identity = new IdentityCertificates(context.log);
  const managed = names.map(
    (name) => new ManagedName(name, policy, { issuers: issuersOf(name), events: identity, log: context.log }),
  );
  if (!context.roles.control) return identity;
  context.onStart(() => identity.load(managed));
  context.onCommit(() => identity.begin());
  context.onRetire(() => identity.stop());
  context.onDispose(() => identity.stop());
  return identity;
}

async function defaultIssuers(context: Context): Promise<(name: string) => readonly Issuer[]> {
  const { issuers } = await provisionDefaults(context);
  return (name) => (qualifiesForPublic(name) ? issuers.public : issuers.internal);
}
