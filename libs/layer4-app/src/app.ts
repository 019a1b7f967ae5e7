/** The `layer4` app, whose servers route connections based on their first bytes. */
import { listenerKey } from '@sluice/base';
import { httpApp } from '@sluice/http-app';
import { appToken, apps, defineModule, type AppToken, type Context, type Options } from '@sluice/registry';
import { shareCounts } from './connection/route-counts.ts';
import { layer4Options } from './options.ts';
import { provisionLayer4Server, type Layer4Server } from './server.ts';

/** Interface that the app provides to other packages. */
export interface Layer4App {
  readonly servers: ReadonlyMap<string, Layer4Server>;
}

export const layer4App: AppToken<Layer4App> = appToken<Layer4App>('layer4');

export const layer4AppModule = defineModule(apps, {
  name: 'layer4',
  help: 'Layer 4 app: routes TCP connections and UDP packets by their first bytes, for example to upstreams or to TLS termination.',
  config: layer4Options,
  provision: provisionApp,
});

async function provisionApp(config: Options<typeof layer4Options>, context: Context): Promise<Layer4App> {
  const servers = new Map<string, Layer4Server>();
  const owners = await httpAddresses(context);
  for (const [name, node] of Object.entries(config.servers ?? {})) {
    if (node === null) throw context.error('must be an object of options, not null', 'servers', name);
    const server = await context.structure(node, provisionLayer4Server, 'servers', name);
    for (const address of server.addresses) {
      const owner = owners.get(address);
      if (owner !== undefined) throw context.error(`${address} is already used by ${owner}`, 'servers', name, 'listen');
      owners.set(address, `server ${name}`);
    }
    servers.set(name, server);
  }
  shareCounts(servers, context);
  return { servers };
}

/** Returns the addresses of HTTP servers together with the server names. Needed because only one app can accept connections on an address. */
async function httpAddresses(context: Context): Promise<Map<string, string>> {
  const owners = new Map<string, string>();
  const http = await context.appIfConfigured(httpApp);
  for (const [name, { networkAddresses }] of http?.servers ?? [])
    for (const address of networkAddresses)
      owners.set(listenerKey(address), `the HTTP server ${name}; use its listener wrapper layer4 instead`);
  return owners;
}
