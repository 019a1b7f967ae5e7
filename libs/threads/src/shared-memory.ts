/**
 * Named regions of shared memory, for state that all threads read and write without messages, such as rate limits.
 *
 * A region exists while a configuration of the control thread uses it, so the region survives changes.
 */
import { ResourcePool, token, type Context, type Token } from '@sluice/registry';
import { question, type Question, type ThreadBus } from './bus.ts';

interface RegionRequest {
  readonly name: string;
  readonly bytes: number;
}

const regionQuestion: Question<RegionRequest, SharedArrayBuffer> = question('shared-memory.region');

/** A region, pooled by each thread. */
interface Region {
  readonly memory: SharedArrayBuffer;
  close(): void;
}

/** The regions from the perspective of one thread: `context.use(sharedMemoryToken)`. */
export class SharedMemory {
  readonly #bus: ThreadBus;
  readonly #pool = new ResourcePool<Region>();

  constructor(bus: ThreadBus) {
    this.#bus = bus;
    if (bus.thread === 0) bus.onAsk(regionQuestion, ({ name, bytes }) => this.#shared(keyOf(name, bytes), bytes));
  }

  /** Number of the calling thread, for locks within a region. 0 means the control thread. */
  get thread(): number {
    return this.#bus.thread;
  }

  /**
   * Returns the region with a name and size, which is the same memory in all threads. A new region is zeroed. Regions with different sizes
   * are separate.
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
   * Returns the memory of a region. The control thread provisions a configuration before the workers do, so the region
   * exists when a worker requests it.
   */
  #shared(key: string, bytes: number): SharedArrayBuffer {
    for (const [name, region] of this.#pool) if (name === key) return region.memory;
    // The control thread has already aborted the change that this worker is preparing, so no other thread needs this memory.
    return new SharedArrayBuffer(bytes);
  }
}

const keyOf = (name: string, bytes: number): string => `${bytes} ${name}`;

export const sharedMemoryToken: Token<SharedMemory> = token('shared-memory');
