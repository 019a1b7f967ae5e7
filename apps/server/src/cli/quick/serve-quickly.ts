/** Serves the configuration that a command has made of its options. */
import { isDescriptorNetwork, isUnixNetwork, parseNetworkAddress } from '@sluice/base';
import { serveWithWorkers } from '../serve-with-workers.ts';
import type { ServeOptions } from '../../run-options.ts';
import type { QuickConfig } from './quick-config.ts';

/** The option that commands which serve have in common. */
export type WorkerOption = Pick<ServeOptions, 'workers'>;

/** Serves until it is asked to end; `onServing` gets the addresses, with the ports that the system chose. */
export function serveQuickly(
  { document, listen, warnings }: QuickConfig,
  { workers }: WorkerOption,
  onServing?: ServeOptions['onServing'],
): Promise<number> {
  for (const warning of warnings) process.stderr.write(`warning: ${warning}\n`);
  // A port that the system chooses is known to the thread that listens: this one tells it.
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
