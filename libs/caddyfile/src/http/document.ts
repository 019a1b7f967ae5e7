/** Assembles the document. */
import type { Json, JsonObject } from '@sluice/base';
import { asJson } from '../json.ts';
import { noteOrigin } from '../sources/origins.ts';
import type { CaddyfileToken } from '../token.ts';
import type { FinishConfig } from './contributions.ts';
import type { Assembly } from './directive-reader.ts';
import type { GlobalOptions } from './global-options.ts';
import type { Pairing } from './listeners.ts';
import { buildLogging } from './logging.ts';
import { makeServer, serverJson } from './server.ts';
import { applyServerSettings } from './server-options.ts';
import { sortSites } from './site-order.ts';
import { buildTls } from './tls-automation.ts';

export function assembleDocument(
  unsorted: readonly Pairing[],
  assembly: Assembly,
  finishers: Iterable<FinishConfig>,
): Json {
  const { options } = assembly;
  const pairings = unsorted.map((pairing) => ({ ...pairing, sites: sortSites(pairing.sites) }));
  const tokensOf = (pairing: Pairing | undefined): readonly CaddyfileToken[] => [
    ...(pairing?.sites[0]?.block.keys ?? []),
    ...options.tokens,
  ];
  const servers = pairings.map((pairing, index) => makeServer(pairing, index, assembly));
  applyServerSettings(servers, options);
  const apps: Record<string, Json> = {};
  if (servers.length > 0) {
    const named = servers.map((server, at) => [server.name, noteOrigin(serverJson(server), tokensOf(pairings[at]))]);
    apps['http'] = { servers: Object.fromEntries(named) as JsonObject };
  }
  const tls = buildTls(pairings, options);
  if (tls !== null) apps['tls'] = tls;
  const sites = pairings.flatMap((pairing) => pairing.sites);
  for (const finish of finishers) finish(apps, options, sites);
  const document: Record<string, Json> = {};
  const admin = adminOf(options);
  if (admin !== null) document['admin'] = admin;
  const logging = buildLogging(sites, options);
  if (logging !== null) document['logging'] = logging;
  const storage = options.get<Json>('storage');
  if (storage !== undefined) document['storage'] = storage;
  const sorted = Object.entries(apps).sort(([a], [b]) => (a < b ? -1 : 1));
  if (sorted.length > 0) document['apps'] = asJson(Object.fromEntries(sorted));
  return document;
}

function adminOf(options: GlobalOptions): Json | null {
  const admin = options.get<JsonObject>('admin');
  if (!options.has('persist_config')) return admin ?? null;
  return { ...admin, config: { persist: false } };
}
