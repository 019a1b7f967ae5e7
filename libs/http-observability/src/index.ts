/** Observation of servers of the app `http`: statistics by route and upstream, request traces, held connections. */
export { register } from './register.ts';
export { RequestTraces, requestTracesToken } from './traces/request-traces.ts';
export { TraceRecorder } from './traces/trace-recorder.ts';
