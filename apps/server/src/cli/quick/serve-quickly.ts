/** Serves a configuration created from command options. */
import { isDescriptorNetwork, isUnixNetwork, parseNetworkAddress } from '@sluice/base';
import { serveWithWorkers } from '../serve-with-workers.ts';
import type { ServeOptions } from '../../run-options.ts';
import type { QuickConfig } from './quick-config.ts';

/** The common option of commands that serve. */
export type WorkerOption = Pick<ServeOptions, 'workers'>;

/** Serves until a shutdown is requested. `onServing` receives the addresses with system-assigned ports. */
export function serveQuickly(
  { document, listen, warnings }: QuickConfig,
  { workers }: WorkerOption,
  onServing?: ServeOptions['onServing'],
): Promise<number> {
  for (const warning of warnings) process.stderr.write(`warning: ${warning}\n`);
  // Only the listening thread knows a system-assigned port, so listen in this thread.
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
