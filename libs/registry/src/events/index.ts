/** Events of the server. */
export * from './cloud-event.ts';
export * from './hub.ts';
