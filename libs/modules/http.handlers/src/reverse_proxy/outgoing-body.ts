/** The body of the request to the upstream. */
import {
  emptyBody,
  idempotentMethods,
  ReplayableBody,
  RequestBody,
  type BodySink,
  type Exchange,
} from '@sluice/http-app';
import type { ProxyParts } from './proxy-parts.ts';

/** Bytes of a request body that are kept for a second sending. */
const maxKept = 64 * 1024;

/** A body that someone else has read, such as another proxy before this one: of unknown length, and nothing comes. */
class DrainedBody extends RequestBody {
  readonly length = -1;
  readonly trailers = null;
  readonly consumed = false;

  consume(sink: BodySink): void {
    sink.onEnd();
  }

  resume(): void {}
}

const drainedBody = new DrainedBody();

/** What is sent of the body of an exchange, with a method; kept as far as it may be wanted a second time. */
export function outgoingBody({ body }: Exchange, method: string, parts: ProxyParts): RequestBody {
  if (parts.dropsBody) return emptyBody;
  if (body.buffered() !== null) return body;
  if (body.consumed) return drainedBody;
  const isKept = body.length !== 0 && (parts.retry.match !== null || idempotentMethods.has(method));
  return isKept && parts.requestBuffer === 0 ? new ReplayableBody(body, maxKept) : body;
}
