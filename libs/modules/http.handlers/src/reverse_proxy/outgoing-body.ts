/** Request body that is sent to the upstream. */
import {
  emptyBody,
  idempotentMethods,
  ReplayableBody,
  RequestBody,
  type BodySink,
  type Exchange,
} from '@sluice/http-app';
import type { ProxyParts } from './proxy-parts.ts';

/** Maximum number of body bytes to keep for a retry. */
const maxKept = 64 * 1024;

/** A body that was already consumed, for example by an earlier proxy. Its length is unknown, and it contains no data. */
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

/** Returns the body to send. It keeps as much data as retries need. */
export function outgoingBody({ body }: Exchange, method: string, parts: ProxyParts): RequestBody {
  if (parts.dropsBody) return emptyBody;
  if (body.buffered() !== null) return body;
  if (body.consumed) return drainedBody;
  const isKept = body.length !== 0 && (parts.retry.match !== null || idempotentMethods.has(method));
  return isKept && parts.requestBuffer === 0 ? new ReplayableBody(body, maxKept) : body;
}
