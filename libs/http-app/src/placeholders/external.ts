/**
 * Placeholders that read files and environment variables. Clients without full permissions don't get their values in
 * request explanations.
 */
import type { Accessor } from '@sluice/base';
import type { Exchange } from '../exchange/exchange.ts';

export type ExternalKind = 'file' | 'environment';

const withheld = new WeakMap<Exchange, (kind: ExternalKind) => void>();

/** Withholds these values in an exchange. Calls `note` for each placeholder that is read. */
export function withholdExternal(exchange: Exchange, note: (kind: ExternalKind) => void): void {
  withheld.set(exchange, note);
}

/** Returns the accessor of such a placeholder. */
export function externalAccessor(kind: ExternalKind, read: () => unknown): Accessor<Exchange> {
  return (exchange) => {
    const note = withheld.get(exchange);
    if (note === undefined) return read();
    note(kind);
    return undefined;
  };
}
