/**
 * Named regions of shared memory, for state that all threads read and write without messages, such as rate limits.
 *
 * A region exists as long as a configuration of the control thread uses it. Regions therefore survive configuration changes.
 */
import { ResourcePool, token, type Context, type Token } from '@sluice/registry';
import { question, type Question, type ThreadBus } from './bus.ts';

interface RegionRequest {
  readonly name: string;
  readonly bytes: number;
}

const regionQuestion: Question<RegionRequest, SharedArrayBuffer> = question('shared-memory.region');

/** A region in a thread's resource pool. */
interface Region {
  readonly memory: SharedArrayBuffer;
  close(): void;
}

/** One thread's view of the shared memory regions: `context.use(sharedMemoryToken)`. */
export class SharedMemory {
  readonly #bus: ThreadBus;
  readonly #pool = new ResourcePool<Region>();

  constructor(bus: ThreadBus) {
    this.#bus = bus;
    if (bus.thread === 0) bus.onAsk(regionQuestion, ({ name, bytes }) => this.#shared(keyOf(name, bytes), bytes));
  }

  /** Number of the calling thread, for locks within a region. The control thread is 0. */
  get thread(): number {
    return this.#bus.thread;
  }

  /**
   * Returns the region for a name and size. All threads get the same memory. A new region is zeroed. Regions with the same name but
   * different sizes are separate.
   *
   * The operating system allocates pages on first write, so an unused region costs nothing.
   * @param context of the calling module; the region is released when the module is disposed of
   */
  async acquire(name: string, bytes: number, context: Context): Promise<SharedArrayBuffer> {
    const key = keyOf(name, bytes);
    const region = await context.acquire(this.#pool, key, async () => ({
      memory:
        this.#bus.thread === 0 ? new SharedArrayBuffer(bytes) : await this.#bus.ask(regionQuestion, { name, bytes }),
      close: () => undefined,
    }));
    return region.memory;
  }

  /**
   * Returns the memory of a region. The control thread provisions a configuration before the workers do. The region therefore exists when a
   * worker requests it.
   */
  #shared(key: string, bytes: number): SharedArrayBuffer {
    for (const [name, region] of this.#pool) if (name === key) return region.memory;
    // The control thread has already aborted the change that this worker is preparing. No other thread will use this memory.
    return new SharedArrayBuffer(bytes);
  }
}

const keyOf = (name: string, bytes: number): string => `${bytes} ${name}`;

export const sharedMemoryToken: Token<SharedMemory> = token('shared-memory');
