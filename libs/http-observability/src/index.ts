/** Observability of `http` app servers: statistics by route and upstream, request traces, active connections. */
export { register } from './register.ts';
export { QuicLogRecorder } from './qlogs/quic-log-recorder.ts';
export { QuicLogStore, quicLogStoreToken } from './qlogs/quic-log-store.ts';
export { LiveRequests, liveRequestsToken } from './samples/live-requests.ts';
export { RequestSamples, requestSamplesToken, type KeyedRecord } from './samples/request-samples.ts';
export { ThreadSampler } from './samples/thread-sampler.ts';
export { RequestTraces, requestTracesToken } from './traces/request-traces.ts';
export { TraceRecorder } from './traces/trace-recorder.ts';
