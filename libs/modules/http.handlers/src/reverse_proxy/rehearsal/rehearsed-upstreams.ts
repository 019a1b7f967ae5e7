import type { Exchange, Rehearsal } from '@sluice/http-app';
import type { ProxyUpstream } from '../proxy-upstream.ts';
import type { UpstreamList } from '../upstream-list.ts';

/** Configured upstreams for dry runs. They do not count requests. */
export class RehearsedUpstreams implements UpstreamList {
  readonly #list: UpstreamList;
  readonly #rehearsal: Rehearsal;
  #upstreams: readonly ProxyUpstream[] | null = null;

  constructor(list: UpstreamList, rehearsal: Rehearsal) {
    this.#list = list;
    this.#rehearsal = rehearsal;
  }

  of(exchange: Exchange): readonly ProxyUpstream[] {
    const { named } = this.#list;
    if (named === null) return this.#rehearsal.stop(exchange, 'dynamic upstreams are resolved per request');
    return (this.#upstreams ??= named.map((upstream) => upstream.readOnly()));
  }

  get named(): readonly ProxyUpstream[] | null {
    return this.#list.named;
  }

  close(): void {}
}
