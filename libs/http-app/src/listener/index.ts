/** Listeners: bound addresses and their connections. */
export { listenerEvents, type ListenerEvents } from './events.ts';
export { Listener, type ListenerOptions } from './listener.ts';
