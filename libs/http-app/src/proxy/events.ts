/** Events of upstreams, for whoever wants to hear of them. */
import { declareEvent, token, type Token } from '@sluice/registry';

const origin = 'http.handlers.reverse_proxy';
const data = { host: 'Address of the upstream, as it is dialed.' };

/** By name. */
export const upstreamHealthEvents = {
  healthy: declareEvent({
    origin,
    name: 'healthy',
    help: 'An active health check finds an upstream well again.',
    data,
  }),
  unhealthy: declareEvent({
    origin,
    name: 'unhealthy',
    help: 'An active health check finds that an upstream is not well; it gets no requests.',
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
