/** Faults that apply to all stores and members. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Relay } from '@sluice/testing';
import type { Random } from '../random.ts';
import type { Fault } from './engine.ts';

/** A process that a trial can kill and restart. */
interface Mortal {
  kill(): Promise<void>;
  run(): Promise<void>;
  signal(name: NodeJS.Signals): void;
}

/** Returns a fault that kills the process and restarts it. */
export function killed(name: string, process: Mortal): Fault {
  return {
    name: `${name} is killed`,
    async strike(milliseconds) {
      await process.kill();
      await sleep(milliseconds);
      await process.run();
    },
  };
}

/** Returns a fault that suspends the process with SIGSTOP and resumes it with SIGCONT. */
export function stopped(name: string, process: Mortal): Fault {
  return {
    name: `${name} is suspended`,
    async strike(milliseconds) {
      process.signal('SIGSTOP');
      await sleep(milliseconds);
      process.signal('SIGCONT');
    },
  };
}

/**
 * Returns three faults that reset connections. The first one resets immediately, and the second one in the middle of a message. The third
 * one also refuses new connections for a time.
 */
export function cut(name: string, relays: readonly Relay[], random: Random): readonly Fault[] {
  const cutAll = (): void => {
    for (const relay of relays) relay.cut();
  };
  return [
    {
      name: `${name}: connections are cut`,
      async strike() {
        cutAll();
      },
    },
    {
      name: `${name}: connections are cut in the middle of a message`,
      async strike(milliseconds) {
        for (const relay of relays) relay.cutAfter(random.below(4000));
        await sleep(milliseconds);
        for (const relay of relays) relay.cutAfter(null);
      },
    },
    {
      name: `${name}: connections are refused`,
      async strike(milliseconds) {
        for (const relay of relays) relay.refuses = true;
        cutAll();
        await sleep(milliseconds);
        for (const relay of relays) relay.refuses = false;
      },
    },
  ];
}

/** Returns a fault that delays all data for a time. The data is then delivered, or the connections are reset. */
export function heldUp(name: string, relays: readonly Relay[], random: Random): Fault {
  return {
    name: `${name}: no data is forwarded`,
    async strike(milliseconds) {
      for (const relay of relays) relay.hold();
      await sleep(milliseconds);
      if (random.below(2) === 0) for (const relay of relays) relay.cut();
      for (const relay of relays) relay.release();
    },
  };
}
