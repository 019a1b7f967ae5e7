/** `sluice fleet` commands: inspect and control a fleet through any of its members. */
import { Option } from 'commander';
import type { CommandSpec } from '@sluice/registry';
import { address } from './shared-options.ts';

export const rolloutCommand: CommandSpec = {
  name: 'rollout',
  summary: 'show the progress of a gradual rollout on a single server, or pause, resume, abort or promote it',
  options: [
    address,
    new Option('-w, --watch', 'follow the rollout until it completes; exit with code 1 if it is rolled back'),
  ],
  argument: {
    name: 'order',
    help: 'action to take; if omitted, show the progress',
    values: ['status', 'pause', 'resume', 'abort', 'promote'],
  },
  load: async () => (await import('./commands/fleet-rollout.ts')).stepRollout,
};

const revision = { name: 'revision', help: 'revision number', values: [] };

export const fleetCommand: CommandSpec = {
  name: 'fleet',
  summary: 'show and manage a fleet through any of its members',
  options: [],
  subcommands: [
    {
      name: 'status',
      summary: 'list the members of a fleet with their revisions and problems',
      options: [
        address,
        new Option('-w, --watch', 'print the table again whenever the state changes, until interrupted'),
      ],
      load: async () => (await import('./commands/fleet-status.ts')).fleetStatus,
    },
    {
      name: 'history',
      summary: 'list recent changes to the fleet',
      options: [address],
      load: async () => (await import('./commands/fleet-history.ts')).fleetHistory,
    },
    {
      name: 'diff',
      summary: 'show the changes in a revision (default: the latest)',
      options: [address],
      argument: revision,
      load: async () => (await import('./commands/fleet-history.ts')).fleetDiff,
    },
    {
      name: 'rollback',
      summary: 'roll back the whole fleet to a revision',
      options: [address],
      argument: revision,
      load: async () => (await import('./commands/fleet-orders.ts')).fleetRollback,
    },
    {
      name: 'drain',
      summary:
        'drain a member: make it report that it is not ready, so that load balancers stop sending new clients to it',
      options: [address, new Option('--undo', 'undo: resume traffic to the member')],
      argument: { name: 'member', help: 'name of the member to drain', values: [] },
      load: async () => (await import('./commands/fleet-orders.ts')).fleetDrain,
    },
    {
      name: 'rollout',
      summary: "show the progress of the fleet's rollout, or pause, resume or abort it",
      options: [
        address,
        new Option('-w, --watch', 'follow the rollout until it completes; exit with code 1 if it is rolled back'),
      ],
      argument: {
        name: 'order',
        help: 'action to take; if omitted, show the progress',
        values: ['status', 'pause', 'resume', 'abort'],
      },
      load: async () => (await import('./commands/fleet-rollout.ts')).fleetRollout,
    },
    {
      name: 'adopt',
      summary: "show what this member would lose by adopting the store's history; with --yes, adopt it",
      options: [address, new Option('-y, --yes', "adopt the store's history")],
      load: async () => (await import('./commands/fleet-orders.ts')).fleetAdopt,
    },
    {
      name: 'leave',
      summary: 'remove this member from its fleet; it continues to serve its current configuration',
      options: [address],
      load: async () => (await import('./commands/fleet-orders.ts')).fleetLeave,
    },
  ],
};
