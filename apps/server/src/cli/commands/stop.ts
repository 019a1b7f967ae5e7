/** `sluice stop`: stops a running server. */
import { adminAddress, callAdmin } from '../admin-client.ts';
import { configFileOf } from '../../configuration/default-config.ts';
import { readConfig } from '../../configuration/read-config.ts';
import { standardRegistry } from '../../configuration/standard-registry.ts';

export interface StopOptions {
  readonly address?: string;
  readonly config?: string;
  readonly adapter?: string;
}

/** Requests a shutdown. Resolves when the server has accepted the request and begins to shut down. */
export async function stop({ address, config, adapter }: StopOptions): Promise<number> {
  const file = address === undefined ? configFileOf(config, adapter) : config;
  const document = file === undefined ? null : (await readConfig({ file, adapter }, standardRegistry)).document;
  await callAdmin({ address: adminAddress(address, document), method: 'POST', path: '/stop' });
  return 0;
}
