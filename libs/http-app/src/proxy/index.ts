/** Contracts of the reverse proxy: its parts live in packages of their own and know each other by these alone. */
export * from './dial-address.ts';
export * from './events.ts';
export { proxyFacts, type HeldResponse, type ProxiedRequest, type ProxyFacts } from './facts.ts';
export * from './idempotent.ts';
export { SendBuffer } from './send-buffer.ts';
export * from './transport.ts';
export * from './trust.ts';
export * from './upstream.ts';
export * from './upstream-error.ts';
export * from './upstream-sample.ts';
export { timeOption } from './time-option.ts';
export { ReplayableBody } from './replayable-body.ts';
