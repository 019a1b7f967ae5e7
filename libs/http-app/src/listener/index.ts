/** Listeners: bound addresses and their connections. */
export { listenerEvents, type ListenerEvents } from './events.ts';
export { Listener } from './listener.ts';
export type { ListenerOptions } from './listener-options.ts';
