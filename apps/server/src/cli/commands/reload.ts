/** `sluice reload`: gives a server a configuration file. */
import { adminAddress, callAdmin } from '../admin-client.ts';
import { CommandError } from '../failure.ts';
import { formatWarning, readConfig } from '../read-config.ts';
import { standardRegistry } from '../standard-registry.ts';

/** Options of `reload`. */
export interface ReloadOptions {
  readonly config?: string;
  readonly adapter?: string;
  readonly address?: string;
  readonly force?: boolean;
}

/** Resolves when the configuration is in force. */
export async function reload({ config, adapter, address, force }: ReloadOptions): Promise<number> {
  if (config === undefined) throw new CommandError('reload needs a configuration: --config FILE');
  const { document, warnings } = await readConfig({ file: config, adapter }, standardRegistry);
  for (const warning of warnings) process.stderr.write(`warning: ${formatWarning(warning)}\n`);
  await callAdmin({
    address: adminAddress(address, document),
    method: 'POST',
    path: '/load',
    headers: { 'Content-Type': 'application/json', ...(force === true ? { 'Cache-Control': 'must-revalidate' } : {}) },
    body: JSON.stringify(document),
  });
  return 0;
}
