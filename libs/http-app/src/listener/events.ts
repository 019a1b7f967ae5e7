import { declareEvent } from '@sluice/registry';

const origin = 'http';
const data = { address: 'Network and address.', worker: 'Thread number.' };

export const listenerEvents = {
  listener_bound: declareEvent({
    origin,
    name: 'listener_bound',
    help: 'A thread started listening on an address.',
    data,
  }),
  listener_released: declareEvent({
    origin,
    name: 'listener_released',
    help: 'A thread stopped listening on an address.',
    data,
  }),
};

export type ListenerEvents = (name: keyof typeof listenerEvents) => void;
