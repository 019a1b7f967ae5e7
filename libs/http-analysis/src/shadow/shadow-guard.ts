/**
 * Prevents replayed requests from changing anything outside the shadow thread. Skips handlers that have state or side effects. Rejects
 * requests with unsafe methods unless the task explicitly permits them for the upstream.
 */
import {
  AbortError,
  attachmentKey,
  type Exchange,
  type HttpHandler,
  type HttpMatcher,
  type PartPlace,
  type Probe,
  type Transport,
  type UpstreamStandIn,
} from '@sluice/http-app';
import { hasNoSideEffects, idOf, isStateful, safeMethods, unsafeReason } from './side-effects.ts';

/** Handlers that require services which only exist in threads that serve traffic. */
const unavailable: ReadonlySet<string> = new Set(['acme_server', 'metrics'].map(idOf));

/** State of one replayed request. */
export class Passage {
  /** Reason why the request was not fully replayed. `null` if it was replayed completely. */
  leftOut: string | null = null;
  readonly bypassed = new Set<string>();
}

export const passageKey = attachmentKey<Passage>('shadow');

function leaveOut(exchange: Exchange, reason: string): AbortError {
  const passage = exchange.attached(passageKey);
  if (passage !== undefined) passage.leftOut ??= reason;
  return new AbortError(reason);
}

/** Observes the handlers of replayed requests. The server actually processes these requests. */
export const shadowProbe: Probe = {
  rehearsal: null,
  handler: (inner: HttpHandler, { id }: PartPlace): HttpHandler => {
    // Skip stateful handlers, so that the server handles a request in the same way each time.
    if (isStateful(id))
      return {
        handle: (exchange, next) => {
          exchange.attached(passageKey)?.bypassed.add(id);
          return next(exchange);
        },
      };
    if (unavailable.has(id))
      return {
        handle: (exchange) => {
          throw leaveOut(exchange, `${id} is not available in a shadow replay`);
        },
      };
    // Only handlers without side effects may receive requests with unsafe methods.
    if (hasNoSideEffects(id)) return inner;
    return {
      handle: (exchange, next) => {
        const reason = unsafeReason(id, exchange);
        if (reason !== null) throw leaveOut(exchange, reason);
        return inner.handle(exchange, next);
      },
    };
  },
  matcher: (inner: HttpMatcher): HttpMatcher => inner,
};

/** Sends requests to real upstreams. `unsafe` lists the dial addresses that may receive requests with unsafe methods. */
export function guardedUpstreams(unsafe: readonly string[]): UpstreamStandIn {
  const named = new Set(unsafe);
  return { transport: (configured) => guardedTransport(configured, named), source: (configured) => configured };
}

function guardedTransport(configured: Transport, named: ReadonlySet<string>): Transport {
  const { lengthBuffer, usesTls } = configured;
  return {
    ...(lengthBuffer === undefined ? {} : { lengthBuffer }),
    ...(usesTls === undefined ? {} : { usesTls }),
    send: (address, request, sink) => {
      const { exchange, method, upgrade } = request;
      const reason =
        upgrade !== ''
          ? 'upgraded connections are not replayed'
          : safeMethods.has(method) || named.has(address.text) || named.has(address.hostPort)
            ? null
            : `${method} requests to ${address.text} are not allowed: add the upstream to the unsafe option to replay them`;
      if (reason === null) return configured.send(address, request, sink);
      // Don't report this error as an upstream failure, because it must not affect the health of the upstream.
      sink.onError(exchange === null ? new AbortError(reason) : leaveOut(exchange, reason));
      return { resume: () => undefined, abort: () => undefined };
    },
  };
}
