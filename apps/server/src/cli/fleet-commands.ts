/** `sluice fleet`: inspects and controls a fleet through any member. */
import { Option } from 'commander';
import type { CommandSpec } from '@sluice/registry';
import { address } from './shared-options.ts';

export const rolloutCommand: CommandSpec = {
  name: 'rollout',
  summary: 'show the progress of the rollout in steps on this server, or pause, resume, abort or promote it',
  options: [
    address,
    new Option('-w, --watch', 'follow the rollout until it completes; exits with 1 if it is rolled back'),
  ],
  argument: { name: 'order', help: 'action', values: ['status', 'pause', 'resume', 'abort', 'promote'] },
  load: async () => (await import('./commands/fleet-rollout.ts')).stepRollout,
};

const revision = { name: 'revision', help: 'fleet revision number', values: [] };

export const fleetCommand: CommandSpec = {
  name: 'fleet',
  summary: 'show the state of a fleet, and change it as a whole, through any of its members',
  options: [],
  subcommands: [
    {
      name: 'status',
      summary: 'print a table of the members with their revisions and problems',
      options: [address, new Option('-w, --watch', 'print again whenever the state changes, until interrupted')],
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
      summary: 'print the changes in a revision (default: the latest)',
      options: [address],
      argument: revision,
      load: async () => (await import('./commands/fleet-history.ts')).fleetDiff,
    },
    {
      name: 'rollback',
      summary: 'roll the whole fleet back to a revision',
      options: [address],
      argument: revision,
      load: async () => (await import('./commands/fleet-orders.ts')).fleetRollback,
    },
    {
      name: 'drain',
      summary: 'drain a member: it reports not ready, so that load balancers send it no new clients',
      options: [address, new Option('--undo', 'resume traffic to the member')],
      argument: { name: 'member', help: 'name of the member', values: [] },
      load: async () => (await import('./commands/fleet-orders.ts')).fleetDrain,
    },
    {
      name: 'rollout',
      summary: 'show the progress of the rollout, or pause, resume or abort it',
      options: [
        address,
        new Option('-w, --watch', 'follow the rollout until it completes; exits with 1 if it is rolled back'),
      ],
      argument: { name: 'order', help: 'action', values: ['status', 'pause', 'resume', 'abort'] },
      load: async () => (await import('./commands/fleet-rollout.ts')).fleetRollout,
    },
    {
      name: 'adopt',
      summary: "show what a member would lose if it adopted the store's history; adopt it with --yes",
      options: [address, new Option('-y, --yes', 'adopt it')],
      load: async () => (await import('./commands/fleet-orders.ts')).fleetAdopt,
    },
    {
      name: 'leave',
      summary: 'remove a member from its fleet; it keeps serving with its own configuration',
      options: [address],
      load: async () => (await import('./commands/fleet-orders.ts')).fleetLeave,
    },
  ],
};
