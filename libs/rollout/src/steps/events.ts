/** Declares the events of gradual rollouts. */
import { declareEvent } from '@sluice/registry';

export const rolloutEvents = {
  changed: declareEvent({
    origin: 'rollout',
    name: 'rollout_changed',
    help: 'A gradual rollout started, advanced, paused or ended.',
    data: {
      id: 'ID of the rollout.',
      state: 'New state of the rollout: `holding`, `paused`, `promoting`, `promoted` or `taken_back`.',
      stage: 'Current stage.',
      why: 'Reason for a pause or rollback. Empty in other states.',
    },
  }),
};
