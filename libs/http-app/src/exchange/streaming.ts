/** Detects response bodies that may never end. Handlers must neither buffer such a body nor wait for its end. */
import type { HeaderMap } from '@sluice/http1';
import type { Exchange } from './exchange.ts';

export function isStreamingRequest({ method, headers }: Exchange): boolean {
  return method === 'CONNECT' || headers.has('upgrade') || hasType(headers, 'application/grpc');
}

/** Reports whether a response body may never end. This applies to event streams and to responses of gRPC calls. */
export function isStreamingResponse(headers: HeaderMap): boolean {
  return hasType(headers, 'text/event-stream') || hasType(headers, 'application/grpc');
}

function hasType(headers: HeaderMap, type: string): boolean {
  const found = headers.get('content-type');
  return found !== undefined && found.length >= type.length && found.slice(0, type.length).toLowerCase() === type;
}
