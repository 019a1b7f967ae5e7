/** Applies the global option `servers` to the servers of a file. */
import type { Json } from '@sluice/base';
import { caddyfileError } from '../errors.ts';
import type { GlobalOptions } from './global-options.ts';
import type { Server } from './server-model.ts';

/** Settings of one `servers` block. */
export interface ServersBlock {
  /** Listener address. If empty, the settings apply to all listeners that no other block covers. */
  readonly address: string;
  /** Server name that replaces a default name such as `srv0`. Empty to keep the default name. */
  readonly name: string;
  readonly fields: Readonly<Record<string, Json>>;
}

/** Applies the settings of the first matching `servers` block to each server. */
export function applyServerSettings(servers: readonly Server[], options: GlobalOptions): void {
  const blocks = options.get<readonly ServersBlock[]>('servers') ?? [];
  refuseRepeated(blocks, options);
  const sorted = [...blocks.filter(({ address }) => address !== ''), ...blocks.filter(({ address }) => address === '')];
  for (const server of servers) {
    const block = sorted.find(
      ({ address }) => address === '' || server.listeners.some((listener) => listener.address === address),
    );
    if (block === undefined) continue;
    server.settings = block.fields;
    if (block.name !== '') server.name = block.name;
  }
}

function refuseRepeated(blocks: readonly ServersBlock[], options: GlobalOptions): void {
  const seen = new Set<string>();
  for (const { address } of blocks) {
    if (seen.has(address))
      throw caddyfileError(
        `cannot have 'servers' global options with duplicate listener addresses: ${address}`,
        undefined,
        options.tokenOf('servers'),
      );
    seen.add(address);
  }
}
