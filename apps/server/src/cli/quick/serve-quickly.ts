/** Serves a configuration that was generated from command options. */
import { isDescriptorNetwork, isUnixNetwork, parseNetworkAddress } from '@sluice/base';
import { serveWithWorkers } from '../serve-with-workers.ts';
import type { ServeOptions } from '../../run-options.ts';
import type { QuickConfig } from './quick-config.ts';

/** Option that all serving commands have in common. */
export type WorkerOption = Pick<ServeOptions, 'workers'>;

/** Serves requests until a shutdown is requested. `onServing` receives the addresses, including the ports that the system assigned. */
export function serveQuickly(
  { document, listen, warnings }: QuickConfig,
  { workers }: WorkerOption,
  onServing?: ServeOptions['onServing'],
): Promise<number> {
  for (const warning of warnings) process.stderr.write(`warning: ${warning}\n`);
  // Listen in this thread, because only the listening thread can determine a system-assigned port.
  const inThisThread = workers === undefined && listen.some(hasChosenPort);
  return serveWithWorkers({
    document,
    ...(inThisThread ? { workers: 0 } : workers === undefined ? {} : { workers }),
    ...(onServing === undefined ? {} : { onServing }),
  });
}

function hasChosenPort(address: string): boolean {
  const { network, startPort } = parseNetworkAddress(address);
  return startPort === 0 && !isUnixNetwork(network) && !isDescriptorNetwork(network);
}
