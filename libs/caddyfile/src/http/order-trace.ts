/** Keeps in which lists directives stood, for those who ask why they run in the order that they do. */
import type { ServerBlock } from '../parser/site.ts';
import type { CaddyfileToken } from '../token.ts';
import type { ConfigValue } from './config-value.ts';

/** The directives of a site or of a block. */
export interface DirectiveList {
  /** What they made, as written. */
  readonly values: readonly ConfigValue[];
  /** Whether they were sorted, and not to stay as written. */
  readonly sorted: boolean;
}

export interface SiteTrace extends DirectiveList {
  readonly block: ServerBlock;
  /** What becomes of errors. */
  readonly errors: readonly ConfigValue[];
}

/** The lists of a file. */
export class OrderTrace {
  readonly #sites = new Map<ServerBlock, SiteTrace>();
  readonly #blocks = new Map<CaddyfileToken, DirectiveList>();

  /** A site, which may be that of several servers. */
  site(trace: SiteTrace): void {
    this.#sites.set(trace.block, trace);
  }

  /** The block of the directive whose name is `owner`. */
  block(owner: CaddyfileToken, list: DirectiveList): void {
    this.#blocks.set(owner, list);
  }

  /** All sites, as they are written. */
  get sites(): SiteTrace[] {
    return [...this.#sites.values()].sort((a, b) => (a.block.keys[0]?.line ?? 0) - (b.block.keys[0]?.line ?? 0));
  }

  /** What stands in the block of a directive; `undefined` if it has none of directives. */
  within(owner: CaddyfileToken): DirectiveList | undefined {
    return this.#blocks.get(owner);
  }
}
