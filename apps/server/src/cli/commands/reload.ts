/** `sluice reload`: sends a configuration file to a running server. */
import { resolve } from 'node:path';
import { adminAddress, callAdmin } from '../admin-client.ts';
import { requireConfigFile } from '../../configuration/default-config.ts';
import { formatWarning, readIntended } from '../../configuration/read-config.ts';
import { standardRegistry } from '../../configuration/standard-registry.ts';

export interface ReloadOptions {
  readonly config?: string;
  readonly adapter?: string;
  readonly address?: string;
  readonly force?: boolean;
}

/** Returns the server's warnings about an applied configuration, for example about a failure to save it. */
function warningsIn(response: string): string[] {
  if (response === '') return [];
  const { warnings = [] } = JSON.parse(response) as { warnings?: readonly { message: string }[] };
  return warnings.map(({ message }) => message);
}

/** Reloads the configuration. Resolves when it is active. */
export async function reload({ config, adapter, address, force }: ReloadOptions): Promise<number> {
  const file = requireConfigFile('reload', config, adapter);
  const { document, warnings } = await readIntended({ file, adapter }, standardRegistry);
  for (const warning of warnings) process.stderr.write(`warning: ${formatWarning(warning)}\n`);
  const response = await callAdmin({
    address: adminAddress(address, document),
    method: 'POST',
    path: '/load',
    headers: {
      'Content-Type': 'application/json',
      // As in Caddy, a server that was started with this file continues to use the file as its source.
      ...(file === '-' ? {} : { 'Caddy-Config-Source-File': encodeURI(resolve(file)) }),
      ...(force === true ? { 'Cache-Control': 'must-revalidate' } : {}),
    },
    body: JSON.stringify(document),
  });
  for (const message of warningsIn(response)) process.stderr.write(`warning: ${message}\n`);
  return 0;
}
