/**
 * Placeholders that read files and environment variables. In request explanations, their values are hidden from admin clients without full
 * permissions.
 */
import type { Accessor } from '@sluice/base';
import type { Exchange } from '../exchange/exchange.ts';

export type ExternalKind = 'file' | 'environment';

const withheld = new WeakMap<Exchange, (kind: ExternalKind) => void>();

/** Hides the values of file and environment placeholders in an exchange. Calls `note` for each placeholder that is read. */
export function withholdExternal(exchange: Exchange, note: (kind: ExternalKind) => void): void {
  withheld.set(exchange, note);
}

/** Returns the accessor of a file or environment placeholder. */
export function externalAccessor(kind: ExternalKind, read: () => unknown): Accessor<Exchange> {
  return (exchange) => {
    const note = withheld.get(exchange);
    if (note === undefined) return read();
    note(kind);
    return undefined;
  };
}
