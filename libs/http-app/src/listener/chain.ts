/** Composes the processing steps for the accepted sockets of a listener: wrappers in order, TLS at its marker, and the HTTP engines last. */
import type { TlsTermination } from '@sluice/contracts';
import type { ServeSocket, SocketChain } from '../engine/index.ts';
import type { ListenerWrapper, NextSocket } from './wrapper.ts';

/**
 * Returns the chain of listener wrappers. Returns `null` if accepted connections go directly to the HTTP engines. As in Caddy, TLS comes
 * first if there is no marker.
 */
export function composeChain(wrappers: readonly ListenerWrapper[], tls: TlsTermination | null): SocketChain | null {
  const mark = wrappers.findIndex(({ place }) => place === 'tls');
  const before = wrappers.slice(0, Math.max(0, mark));
  const after = wrappers.slice(mark + 1);
  let chain: SocketChain | null = null;
  for (const wrapper of after.toReversed()) chain = wrapped(wrapper, chain);
  if (tls !== null) chain = secured(tls, chain);
  for (const wrapper of before.toReversed()) chain = wrapped(wrapper, chain);
  return chain;
}

function wrapped(wrapper: ListenerWrapper, inner: SocketChain | null): SocketChain {
  if (inner === null) return (socket, facts, serve) => wrapper.wrap(socket, facts, serve);
  return (socket, facts, serve) => wrapper.wrap(socket, facts, (ready, known) => inner(ready, known, serve));
}

function secured(tls: TlsTermination, inner: SocketChain | null): SocketChain {
  const next: (serve: ServeSocket) => NextSocket =
    inner === null ? (serve) => serve : (serve) => (socket, facts) => inner(socket, facts, serve);
  return (socket, facts, serve) => {
    const after = next(serve);
    tls.accept(socket, facts, (secure, info) => {
      facts.tls = info;
      after(secure, facts);
    });
  };
}
