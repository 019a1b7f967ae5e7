/** `sluice fleet`: what there is to know of a fleet and to do with it, through any member. */
import { Option } from 'commander';
import type { CommandSpec } from '@sluice/registry';
import { address } from './shared-options.ts';

const revision = { name: 'revision', help: 'number of a revision of the fleet', values: [] };

/** The command. */
export const fleetCommand: CommandSpec = {
  name: 'fleet',
  summary: 'look at a fleet, and change it as a whole, through any of its members',
  options: [],
  subcommands: [
    {
      name: 'status',
      summary: 'print a table of the members: how far each is, and what keeps it',
      options: [address, new Option('-w, --watch', 'print it again whenever it changes, until it is interrupted')],
      load: async () => (await import('./commands/fleet-status.ts')).fleetStatus,
    },
    {
      name: 'history',
      summary: 'list the last changes of the fleet',
      options: [address],
      load: async () => (await import('./commands/fleet-history.ts')).fleetHistory,
    },
    {
      name: 'diff',
      summary: 'print what a revision changed (without one, the last)',
      options: [address],
      argument: revision,
      load: async () => (await import('./commands/fleet-history.ts')).fleetDiff,
    },
    {
      name: 'rollback',
      summary: 'take the whole fleet back to a revision',
      options: [address],
      argument: revision,
      load: async () => (await import('./commands/fleet-orders.ts')).fleetRollback,
    },
    {
      name: 'drain',
      summary: 'have a member say that it is not ready, so that balancers send it no more clients',
      options: [address, new Option('--undo', 'have it serve new clients again')],
      argument: { name: 'member', help: 'name of the member', values: [] },
      load: async () => (await import('./commands/fleet-orders.ts')).fleetDrain,
    },
    {
      name: 'rollout',
      summary: 'show how far the roll-out is, or have it pause, resume or abort',
      options: [address, new Option('-w, --watch', 'show it until it is over; exits with 1 if it is taken back')],
      argument: { name: 'order', help: 'what to do with it', values: ['status', 'pause', 'resume', 'abort'] },
      load: async () => (await import('./commands/fleet-rollout.ts')).fleetRollout,
    },
    {
      name: 'adopt',
      summary: 'show what a member would lose by taking what the store has, and take it with --yes',
      options: [address, new Option('-y, --yes', 'take it')],
      load: async () => (await import('./commands/fleet-orders.ts')).fleetAdopt,
    },
    {
      name: 'leave',
      summary: 'have a member leave its fleet; it keeps serving, with a configuration of its own',
      options: [address],
      load: async () => (await import('./commands/fleet-orders.ts')).fleetLeave,
    },
  ],
};
