/** Bodies that may never end, which handlers must neither buffer nor wait for. */
import type { HeaderMap } from '@sluice/http1';
import type { Exchange } from './exchange.ts';

export function isStreamingRequest({ method, headers }: Exchange): boolean {
  return method === 'CONNECT' || headers.has('upgrade') || hasType(headers, 'application/grpc');
}

/** Reports whether the body of a response may never end: an event stream or the response of a gRPC call. */
export function isStreamingResponse(headers: HeaderMap): boolean {
  return hasType(headers, 'text/event-stream') || hasType(headers, 'application/grpc');
}

function hasType(headers: HeaderMap, type: string): boolean {
  const found = headers.get('content-type');
  return found !== undefined && found.length >= type.length && found.slice(0, type.length).toLowerCase() === type;
}
