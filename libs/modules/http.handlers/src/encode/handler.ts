/** The `encode` handler: negotiates a content coding and encodes the response. */
import {
  isCutError,
  type Exchange,
  type HttpEncoder,
  type HttpHandler,
  type Negotiator,
  type Next,
} from '@sluice/http-app';
import { withoutSuffix } from './entity-tag.ts';
import { EncodingFilter } from './filter.ts';
import { EncodedMemory, type RememberingEncoder } from './memory.ts';
import type { EncodingPolicy } from './policy.ts';

export class EncodeHandler implements HttpHandler {
  readonly #encoders: ReadonlyMap<string, RememberingEncoder>;
  readonly #negotiate: Negotiator;
  readonly #policy: EncodingPolicy;

  constructor(encoders: ReadonlyMap<string, HttpEncoder>, negotiate: Negotiator, policy: EncodingPolicy) {
    this.#encoders = new Map(
      [...encoders].map(([coding, encoder]) => [coding, { encoder, memory: new EncodedMemory() }]),
    );
    this.#negotiate = negotiate;
    this.#policy = policy;
  }

  handle(exchange: Exchange, next: Next): void | Promise<void> {
    const [coding] = this.#negotiate(exchange.headers.joined('accept-encoding'));
    const encoder = coding === undefined ? null : (this.#encoders.get(coding) ?? null);
    if (coding !== undefined && exchange.headers.has('if-none-match')) {
      const values = exchange.headers.all('if-none-match');
      exchange.headers.setAll(
        'if-none-match',
        values.map((value) => withoutSuffix(value, coding)),
      );
    }
    const inner = exchange.response;
    const filter = new EncodingFilter(inner, this.#policy, encoder, exchange.method === 'HEAD');
    exchange.response = filter;
    let pending: void | Promise<void>;
    try {
      pending = next(exchange);
      if (pending === undefined) pending = filter.finish();
      else return finishLater(exchange, filter, pending);
    } catch (error) {
      filter.abandon();
      exchange.response = inner;
      throw error;
    }
    exchange.response = inner;
    return pending;
  }
}

async function finishLater(exchange: Exchange, filter: EncodingFilter, pending: Promise<void>): Promise<void> {
  try {
    await pending;
    await filter.finish();
  } catch (error) {
    if (isCutError(error)) await filter.delivered();
    filter.abandon();
    throw error;
  } finally {
    exchange.response = filter.inner;
  }
}
