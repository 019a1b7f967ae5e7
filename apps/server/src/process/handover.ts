/**
 * Hands over listening sockets and the active configuration to a successor process. The new process inherits the sockets as file
 * descriptors, which follow the descriptor of the channel. An environment variable contains the listener keys, and the channel transfers
 * the configuration.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Json, SocketDescriptors } from '@sluice/base';
import { programArguments } from '../installation.ts';

/** Environment variable that contains the listener keys of the inherited sockets, as JSON. */
const variable = 'SLUICE_HANDOVER';
/** First socket descriptor. Lower descriptors are standard input, output and error, and the channel. */
const firstDescriptor = 4;

/** Configuration with its origin, as handed over to a successor process. */
export interface HandedConfig {
  readonly document: Json;
  /** True if the configuration comes from the configuration file, without later changes. */
  readonly fromFile: boolean;
}

/** Sockets and configuration received from the previous process. */
export interface Inheritance {
  readonly sockets: SocketDescriptors;
  readonly config: HandedConfig;
}

/**
 * Starts the program on disk with the same arguments. The program may be a newer version. The new process exits if it does not receive a
 * configuration.
 */
export function spawnSuccessor(sockets: SocketDescriptors, config: HandedConfig): ChildProcess {
  const keys = sockets.map(([key]) => key);
  const { WATCHDOG_PID: _, ...environment } = process.env;
  const child = spawn(process.execPath, [...programArguments(), ...process.argv.slice(2)], {
    env: { ...environment, [variable]: JSON.stringify(keys) },
    stdio: ['inherit', 'inherit', 'inherit', 'ipc', ...sockets.map(([, descriptor]) => descriptor)],
    detached: true,
  });
  child.send(config, () => undefined);
  return child;
}

/** Receives the handover from the previous process. Returns `null` if this process was started normally. */
export async function receiveInheritance(): Promise<Inheritance | null> {
  const keys = process.env[variable];
  if (keys === undefined) return null;
  // Delete the variable, because other child processes must not inherit it.
  delete process.env[variable];
  const sockets = (JSON.parse(keys) as string[]).map((key, index) => [key, firstDescriptor + index] as const);
  const [config] = (await once(process, 'message')) as [HandedConfig];
  process.channel?.unref();
  return { sockets, config };
}
