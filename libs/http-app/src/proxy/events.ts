/** Events of upstreams, for whoever wants to hear of them. */
import { declareEvent, token, type Token } from '@sluice/registry';

const origin = 'http.handlers.reverse_proxy';
const data = { host: 'Address of the upstream, as it is dialed.' };

/** By name. */
export const upstreamHealthEvents = {
  healthy: declareEvent({
    origin,
    name: 'healthy',
    help: 'An active health check found an upstream healthy again.',
    data,
  }),
  unhealthy: declareEvent({
    origin,
    name: 'unhealthy',
    help: 'An active health check found an upstream unhealthy; it gets no further requests.',
    data,
  }),
};

/** An active health check changed its mind. */
export interface UpstreamHealthEvent {
  readonly name: keyof typeof upstreamHealthEvents;
  /** Dial text of the upstream. */
  readonly host: string;
}

/** Takes events of upstreams in the control thread; nothing happens where it is not provided. */
export const upstreamEvents: Token<(event: UpstreamHealthEvent) => void> = token('upstream-events');
