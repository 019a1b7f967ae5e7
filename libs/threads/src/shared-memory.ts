/**
 * Regions of shared memory that modules find by name: state that all threads of a process read and write without a message,
 * such as rate limits. A region lives as long as a configuration of the control thread uses it, so that it survives changes.
 */
import { ResourcePool, token, type Context, type Token } from '@sluice/registry';
import { question, type Question, type ThreadBus } from './bus.ts';

/** A request of a worker for the memory of a region. */
interface RegionRequest {
  readonly name: string;
  readonly bytes: number;
}

const regionQuestion: Question<RegionRequest, SharedArrayBuffer> = question('shared-memory.region');

/** One region, as pooled by each thread. */
interface Region {
  readonly memory: SharedArrayBuffer;
  close(): void;
}

/** The regions as one thread sees them: `context.use(sharedMemoryToken)`. */
export class SharedMemory {
  readonly #bus: ThreadBus;
  readonly #pool = new ResourcePool<Region>();

  constructor(bus: ThreadBus) {
    this.#bus = bus;
    if (bus.thread === 0) bus.onAsk(regionQuestion, ({ name, bytes }) => this.#shared(keyOf(name, bytes), bytes));
  }

  /** The number of the calling thread, for locks within a region: 0 is the control thread. */
  get thread(): number {
    return this.#bus.thread;
  }

  /**
   * The region of a name and size, zeroed when it is new; the same memory in all threads. The operating system assigns pages
   * when they are first written, so an unused region costs nothing. A region of another size is another region.
   *
   * @param context of the module that uses it; the region is released when that module is disposed of
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

  /** The control thread provisions a configuration before the workers do, so the region exists when a worker asks. */
  #shared(key: string, bytes: number): SharedArrayBuffer {
    for (const [name, region] of this.#pool) if (name === key) return region.memory;
    // The worker still prepares a change that the control thread has already given up: no other thread will see this memory.
    return new SharedArrayBuffer(bytes);
  }
}

const keyOf = (name: string, bytes: number): string => `${bytes} ${name}`;

/** The regions of the thread. */
export const sharedMemoryToken: Token<SharedMemory> = token('shared-memory');
