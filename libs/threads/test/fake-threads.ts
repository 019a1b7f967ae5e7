/** Simulated traffic threads for tests. Their runtimes run in the current thread and communicate over real message ports. */
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { Channel, follow, WorkerBus, type SpawnedThread, type ThreadPort } from '@sluice/threads';
import { Registry, type Register } from '@sluice/registry';
import { Runtime } from '@sluice/reconciler';
import { silentLogger, type Json } from '@sluice/base';

/** A simulated thread that a test can kill or freeze. */
export class FakeThread {
  readonly thread: number;
  readonly bus: WorkerBus;
  readonly runtime: Runtime;
  readonly spawned: SpawnedThread;
  readonly #ports: MessagePort[];
  readonly #end: (reason: string) => void;
  #deaf = false;

  constructor(thread: number, register: Register) {
    this.thread = thread;
    const { port1, port2 } = new MessageChannel();
    this.#ports = [port1, port2];
    const registry = new Registry().use(register);
    this.runtime = new Runtime({ registry, roles: { control: false, traffic: true }, log: silentLogger });
    const inside = new Channel(this.#wrap(port2), silentLogger);
    this.bus = new WorkerBus(thread, inside);
    follow(this.runtime, inside, () => this.runtime.close());
    this.bus.open(silentLogger);
    const { promise: gone, resolve } = Promise.withResolvers<string>();
    this.#end = resolve;
    this.spawned = {
      channel: new Channel(wrap(port1), silentLogger),
      gone,
      terminate: async () => this.die('it was terminated'),
    };
  }

  /** The document that the thread serves. */
  get document(): Json {
    return this.runtime.config;
  }

  /** Kills the thread. This is possible at any time. */
  die(reason = 'it was killed'): void {
    for (const port of this.#ports) port.close();
    this.#end(reason);
  }

  /** Stops receiving messages, like a thread with a blocked event loop. */
  freeze(): void {
    this.#deaf = true;
  }

  #wrap(port: MessagePort): ThreadPort {
    return {
      post: (message) => port.postMessage(message),
      receive: (listener) => port.on('message', (message) => this.#deaf || listener(message)),
    };
  }
}

/** Adapts a `MessagePort` to the `ThreadPort` interface. */
export function wrap(port: MessagePort): ThreadPort {
  return { post: (message) => port.postMessage(message), receive: (listener) => port.on('message', listener) };
}

/** Polls until a condition is true. */
export async function until(true_: () => boolean, timeout = 15_000): Promise<void> {
  const end = performance.now() + timeout;
  while (!true_()) {
    if (performance.now() > end) throw new Error('it did not become true in time');
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}
