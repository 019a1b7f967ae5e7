/** Defects that are injected into a member's environment. Simulations must detect them. All of them have occurred in other systems. */
import {
  encodeEntry,
  decodeEntry,
  MemoryStore,
  storeError,
  type Entry,
  type Head,
  type Snapshot,
  type SwapResult,
} from '@sluice/fleet';
import type { Reconciler } from '@sluice/reconciler';
import type { PreparedChange } from '@sluice/registry';
import { sound, type Making } from './simulated-member.ts';

type StoreClass = new (...parts: Parameters<Making['makeStore']>) => MemoryStore;

function withStore(Store: StoreClass): Making {
  return { ...sound, makeStore: (cluster, link, environment) => new Store(cluster, link, environment) };
}

/** Injects a watch that resumes too late after an interruption. */
class LateWatch extends MemoryStore {
  protected override resumeAt(next: number): number {
    return next + 1;
  }
}

/** Injects a compare-and-swap that does not compare the head. */
class BlindSwap extends MemoryStore {
  override swap(_base: Head | null, lineage: string, entries: readonly Entry[]): Promise<SwapResult> {
    return super.swap(this.cluster.head, lineage, entries);
  }
}

/** Injects a store that reads the head and writes later, without a transaction. */
class SlowSwap extends MemoryStore {
  override async swap(base: Head | null, lineage: string, entries: readonly Entry[]): Promise<SwapResult> {
    const head = await this.head();
    if (head?.hash !== base?.hash) return { outcome: 'lost', head };
    return super.swap(this.cluster.head, lineage, entries);
  }
}

/** Injects a store that does not track operations. A retried change may therefore be applied twice. */
class ForgetfulStore extends MemoryStore {
  override async swap(base: Head | null, lineage: string, entries: readonly Entry[]): Promise<SwapResult> {
    const result = await super.swap(base, lineage, entries);
    return result.outcome === 'known' ? { outcome: 'lost', head: this.cluster.head } : result;
  }
}

/** Injects a client that reports unknown results as failures. */
class CertainStore extends MemoryStore {
  override async swap(base: Head | null, lineage: string, entries: readonly Entry[]): Promise<SwapResult> {
    return super.swap(base, lineage, entries).catch((error: unknown) => {
      throw storeError('it was not done', error);
    });
  }
}

/** Injects a store that acknowledges a write before it is performed. */
class HastyStore extends MemoryStore {
  override async swap(base: Head | null, lineage: string, entries: readonly Entry[]): Promise<SwapResult> {
    return super.swap(base, lineage, entries).catch(() => ({ outcome: 'swapped' as const }));
  }
}

/** Injects a log read that omits an entry. */
class LeakyLog extends MemoryStore {
  override async log(from: number, to: number): Promise<readonly Entry[] | null> {
    const entries = await super.log(from, to);
    return entries === null || entries.length < 2 ? entries : entries.filter((_, i) => i !== 1);
  }
}

/** Injects nodes that return outdated heads. */
class StaleHead extends MemoryStore {
  #before: Head | null = null;

  override async head(): Promise<Head | null> {
    const before = this.#before;
    this.#before = await super.head();
    return before ?? this.#before;
  }
}

/** Injects a snapshot whose head is newer than its document. */
class HastySnapshot extends MemoryStore {
  override async snapshot(): Promise<Snapshot | null> {
    const snapshot = await super.snapshot();
    return snapshot === null ? null : { ...snapshot, document: { apps: { app: {} } } };
  }
}

/** Injects data corruption on the way to the store. */
class BrokenEntries extends MemoryStore {
  override swap(base: Head | null, lineage: string, entries: readonly Entry[]): Promise<SwapResult> {
    const broken = entries.map((entry) => decodeEntry(encodeEntry(entry).replaceAll('"op-1"', '"op-I"')));
    return super.swap(base, lineage, broken);
  }
}

/** Injects a member that retries an edit by index after any change to the array, because it treats each attempt as the first. */
function blindRerun({ hooks: { prepared } }: Reconciler): void {
  let call = prepared.promise;
  const asFirst = (change: PreparedChange): Promise<void> => call.call(prepared, { ...change, attempt: 1 });
  // Redefines the property, because the hook assigns it again when it is compiled.
  Object.defineProperty(prepared, 'promise', {
    get: () => asFirst,
    set(compiled: typeof call) {
      call = compiled;
    },
  });
}

export const faults: Readonly<Record<string, Making>> = {
  'a watch that resumes too late': withStore(LateWatch),
  'a compare-and-swap that does not compare': withStore(BlindSwap),
  'a compare-and-swap that is not atomic': withStore(SlowSwap),
  'a store that does not track operations': withStore(ForgetfulStore),
  'a client that reports unknown results as failures': withStore(CertainStore),
  'a write that is acknowledged before it is performed': withStore(HastyStore),
  'a log that omits entries': withStore(LeakyLog),
  'an outdated head': withStore(StaleHead),
  'a snapshot whose head is newer than its document': withStore(HastySnapshot),
  'an entry that is corrupted in transit': withStore(BrokenEntries),
  'an index that is reused after its array has changed': { ...sound, changeEngine: blindRerun },
  'a saved position that is newer than its document': {
    ...sound,
    save: (place, before) => ({ head: place.head, document: before?.document ?? place.document }),
  },
};
