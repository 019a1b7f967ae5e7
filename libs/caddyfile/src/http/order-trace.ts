/** Records lists of directives, to explain their order. */
import type { ServerBlock } from '../parser/site.ts';
import type { CaddyfileToken } from '../token.ts';
import type { ConfigValue } from './config-value.ts';

/** The directives of a site or a block. */
export interface DirectiveList {
  /** Configuration that the directives produced, in source order. */
  readonly values: readonly ConfigValue[];
  /** True if the directives were sorted. False if they keep their source order. */
  readonly sorted: boolean;
}

export interface SiteTrace extends DirectiveList {
  readonly block: ServerBlock;
  /** Error routes. */
  readonly errors: readonly ConfigValue[];
}

/** Records all lists of directives in a file. */
export class OrderTrace {
  readonly #sites = new Map<ServerBlock, SiteTrace>();
  readonly #blocks = new Map<CaddyfileToken, DirectiveList>();

  /** Records a site. The same site may belong to several servers. */
  site(trace: SiteTrace): void {
    this.#sites.set(trace.block, trace);
  }

  /** Records the block of a directive. `owner` is the token of the directive name. */
  block(owner: CaddyfileToken, list: DirectiveList): void {
    this.#blocks.set(owner, list);
  }

  /** Returns all sites in source order. */
  get sites(): SiteTrace[] {
    return [...this.#sites.values()].sort((a, b) => (a.block.keys[0]?.line ?? 0) - (b.block.keys[0]?.line ?? 0));
  }

  /** Returns the directives inside a directive's block. Returns `undefined` if the directive has no such block. */
  within(owner: CaddyfileToken): DirectiveList | undefined {
    return this.#blocks.get(owner);
  }
}
