/** Outcomes of requests. */
import { byteAt } from '@sluice/base';
import { clientClosedRequest } from '../errors.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { proxyFacts } from '../proxy/facts.ts';
import { isUpstreamError } from '../proxy/upstream-error.ts';
import { numberOfStatus } from './counts.ts';

/** Returns the status class of a response. If the client disconnects before the response, the status counts as 499, as in access logs. */
export function classOf({ writer, aborted }: Exchange): number {
  const status = writer.status === 0 && aborted ? clientClosedRequest : writer.status;
  return byteAt(numberOfStatus, status & 1023);
}

/** Reports whether an upstream caused a 5xx response. This is the case if it sent the response, failed, or was unavailable. */
export function isUpstreamFailure(exchange: Exchange): boolean {
  const { error } = exchange;
  if (isUpstreamError(error)) return true;
  const facts = exchange.attached(proxyFacts);
  if (facts === undefined) return false;
  // If a proxied request fails without an upstream response, no upstream was available.
  const status = facts.placeholder('status_code');
  return error === null ? status === exchange.writer.status : status === undefined;
}
