/**
 * Handover to a successor process: listening sockets and the active configuration.
 * The new process inherits the sockets as file descriptors, which follow that of the channel. The environment contains
 * the listener keys, and the channel transfers the configuration.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Json, SocketDescriptors } from '@sluice/base';
import { programArguments } from '../installation.ts';

/** Environment variable with the socket keys, as JSON. */
const variable = 'SLUICE_HANDOVER';
/** Number of the first socket descriptor, after standard input, output, error, and the channel. */
const firstDescriptor = 4;

/** A configuration and its origin. */
export interface HandedConfig {
  readonly document: Json;
  /** True if the configuration file is the source, without later changes. */
  readonly fromFile: boolean;
}

/** The handover from the previous process. */
export interface Inheritance {
  readonly sockets: SocketDescriptors;
  readonly config: HandedConfig;
}

/** Starts the program that is now on disk, with the same arguments. The new process exits if it does not receive a configuration. */
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

/** Returns the handover of the previous process; `null` if this process was started normally. */
export async function receiveInheritance(): Promise<Inheritance | null> {
  const keys = process.env[variable];
  if (keys === undefined) return null;
  // Other child processes must not inherit the variable.
  delete process.env[variable];
  const sockets = (JSON.parse(keys) as string[]).map((key, index) => [key, firstDescriptor + index] as const);
  const [config] = (await once(process, 'message')) as [HandedConfig];
  process.channel?.unref();
  return { sockets, config };
}
