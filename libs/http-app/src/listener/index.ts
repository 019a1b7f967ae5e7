/** Listeners: bound addresses and their connections. */
export { Listener, type ListenerEvents, type ListenerOptions } from './listener.ts';
export { reusePortSupported } from './reuse-port.ts';
