/** Events of upstreams, for whoever wants to hear of them. */
import { token, type Token } from '@sluice/registry';

/** An active health check changed its mind. */
export interface UpstreamHealthEvent {
  readonly name: 'healthy' | 'unhealthy';
  /** Dial text of the upstream. */
  readonly host: string;
}

/** Takes events of upstreams in the control thread; nothing happens where it is not provided. */
export const upstreamEvents: Token<(event: UpstreamHealthEvent) => void> = token('upstream-events');
