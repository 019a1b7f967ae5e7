import { expect } from 'chai';
import { HeaderMap } from '@sluice/http1';
import { isStreamingRequest, isStreamingResponse } from '@sluice/http-app';
import { makeExchange } from '@sluice/testing';

const headersWith = (type: string): HeaderMap => {
  const headers = new HeaderMap();
  headers.set('content-type', type);
  return headers;
};

describe('detection of streaming bodies', () => {
  it('isStreamingRequest returns true for tunnels, WebSockets and gRPC calls', () => {
    const isStream = (options: Parameters<typeof makeExchange>[0]): boolean =>
      isStreamingRequest(makeExchange(options));
    expect(isStream({ method: 'CONNECT' })).to.equal(true);
    expect(isStream({ headers: { upgrade: 'websocket' } })).to.equal(true);
    expect(isStream({ method: 'POST', headers: { 'content-type': 'application/grpc+proto' } })).to.equal(true);
    expect(isStream({ method: 'POST', headers: { 'content-type': 'application/json' } })).to.equal(false);
    expect(isStream({ headers: { accept: 'text/event-stream' } })).to.equal(false);
  });

  it('isStreamingResponse returns true for event streams and gRPC responses, regardless of letter case', () => {
    for (const type of [
      'text/event-stream',
      'Text/Event-Stream; charset=utf-8',
      'application/grpc',
      'application/grpc+proto',
    ])
      expect(isStreamingResponse(headersWith(type)), type).to.equal(true);
    for (const type of ['text/html', 'text/event', ''])
      expect(isStreamingResponse(headersWith(type)), type).to.equal(false);
    expect(isStreamingResponse(new HeaderMap())).to.equal(false);
  });
});
