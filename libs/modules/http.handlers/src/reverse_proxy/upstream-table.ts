/** The addresses that the proxies of a thread use, each once, and where their counters are. */
import { allocateSharedCells, SharedCells, sharedCellsToken, type Context, type SharedCell } from '@sluice/registry';
import { UpstreamHost } from './upstream-host.ts';

interface Entry {
  readonly host: UpstreamHost;
  /** Users in a configuration that is in force, or is about to be. */
  active: number;
  /** Users in all. */
  users: number;
}

/** One user's hold on an address. */
export interface HostLease {
  readonly host: UpstreamHost;
  /** The configuration of this user was replaced. Idempotent. */
  retire(): void;
  /** This user is gone. Idempotent. */
  release(): void;
}

/** The addresses of a thread. One per registry. */
export class UpstreamTable {
  readonly #entries = new Map<string, Entry>();
  /** For threads that share no memory with others, such as those of tests. */
  #ownCells: SharedCells | null = null;

  /** Takes the host of an address. */
  acquire(address: string, cells: SharedCells): HostLease {
    let entry = this.#entries.get(address);
    if (entry === undefined) {
      entry = { host: new UpstreamHost(address, cells.acquire(`upstream ${address}`)), active: 0, users: 0 };
      this.#entries.set(address, entry);
    }
    entry.active++;
    entry.users++;
    return this.#lease(address, entry);
  }

  /** A cell of a key, for as long as the module of a context lives. */
  cell(key: string, context: Context): SharedCell {
    const cell = this.cellsOf(context).acquire(key);
    context.onDispose(() => cell.release());
    return cell;
  }

  /** The cells of the thread. */
  cellsOf(context: Context): SharedCells {
    return (
      context.find(sharedCellsToken) ??
      (this.#ownCells ??= new SharedCells(allocateSharedCells({ capacity: 4096, threads: 1 }), 0))
    );
  }

  /** The hosts that configurations in force use. */
  *hosts(): IterableIterator<UpstreamHost> {
    for (const entry of this.#entries.values()) if (entry.active > 0) yield entry.host;
  }

  #lease(address: string, entry: Entry): HostLease {
    let retired = false;
    let released = false;
    const retire = (): void => {
      if (retired) return;
      retired = true;
      entry.active--;
    };
    return {
      host: entry.host,
      retire,
      release: () => {
        if (released) return;
        released = true;
        retire();
        if (--entry.users > 0) return;
        this.#entries.delete(address);
        entry.host.close();
      },
    };
  }
}
