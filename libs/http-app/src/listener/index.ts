/** Listeners: bound addresses and their connections. */
export { Listener, type ListenerOptions } from './listener.ts';
export { reusePortSupported } from './reuse-port.ts';
