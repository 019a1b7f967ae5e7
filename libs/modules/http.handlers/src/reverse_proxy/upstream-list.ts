/** Upstreams of a proxy. They are configured, or a dynamic source discovers them at request time. */
import type { Exchange } from '@sluice/http-app';
import type { ProxyUpstream } from './proxy-upstream.ts';

export interface UpstreamList {
  of(exchange: Exchange): readonly ProxyUpstream[] | Promise<readonly ProxyUpstream[]>;
  readonly named: readonly ProxyUpstream[] | null;
  /** Releases resources that were acquired at request time. */
  close(): void;
}

export class StaticUpstreams implements UpstreamList {
  readonly named: readonly ProxyUpstream[];

  constructor(upstreams: readonly ProxyUpstream[]) {
    this.named = upstreams;
  }

  of(): readonly ProxyUpstream[] {
    return this.named;
  }

  close(): void {}
}
