/** Placeholders that read files and environment variables; explanations for clients without all rights withhold them. */
import type { Accessor } from '@sluice/base';
import type { Exchange } from '../exchange/exchange.ts';

export type ExternalKind = 'file' | 'environment';

const withheld = new WeakMap<Exchange, (kind: ExternalKind) => void>();

/** Lets the placeholders of an exchange have no value; `note` is told of each that is asked for. */
export function withholdExternal(exchange: Exchange, note: (kind: ExternalKind) => void): void {
  withheld.set(exchange, note);
}

/** The accessor of such a placeholder. */
export function externalAccessor(kind: ExternalKind, read: () => unknown): Accessor<Exchange> {
  return (exchange) => {
    const note = withheld.get(exchange);
    if (note === undefined) return read();
    note(kind);
    return undefined;
  };
}
