/**
 * What a process hands over to the one that follows it: its listening sockets, and the configuration in force. The sockets
 * are open files of the new process, from the descriptor after its channel on; their keys are in its environment, and the
 * configuration comes over the channel.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Json, SocketDescriptors } from '@sluice/base';
import { programArguments } from '../installation.ts';

/** The variable with the keys of the sockets, as JSON. */
const variable = 'SLUICE_HANDOVER';
/** Standard input, output and error, and the channel. */
const firstDescriptor = 4;

/** A configuration, and where it comes from. */
export interface HandedConfig {
  readonly document: Json;
  /** Whether it is that of the configuration file, unchanged. */
  readonly fromFile: boolean;
}

/** What the process before has handed over. */
export interface Inheritance {
  readonly sockets: SocketDescriptors;
  readonly config: HandedConfig;
}

/**
 * Starts this program again, as it is on the disk now, with the same arguments. It ends by itself if it is not told a
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

/** What the process before has handed over to this one; `null` if it was started in the usual way. */
export async function receiveInheritance(): Promise<Inheritance | null> {
  const keys = process.env[variable];
  if (keys === undefined) return null;
  // Programs that this process starts have nothing to do with it.
  delete process.env[variable];
  const sockets = (JSON.parse(keys) as string[]).map((key, index) => [key, firstDescriptor + index] as const);
  const [config] = (await once(process, 'message')) as [HandedConfig];
  process.channel?.unref();
  return { sockets, config };
}
