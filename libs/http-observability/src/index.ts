/** Observation of `http` app servers: statistics by route and upstream, request traces, active connections. */
export { register } from './register.ts';
export { RequestTraces, requestTracesToken } from './traces/request-traces.ts';
export { TraceRecorder } from './traces/trace-recorder.ts';
