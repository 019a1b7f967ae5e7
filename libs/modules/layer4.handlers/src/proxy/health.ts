/** Active health checks of layer 4 upstreams. The control thread connects to each upstream at an interval. */
import { guarded, isUnixNetwork, joinHostPort, messageOf, parseNetworkAddress, taskOf } from '@sluice/base';
import { HealthBoard, HealthChecker, timeOption, type CheckedUpstream, type HealthProbe } from '@sluice/http-app';
import { hashNode } from '@sluice/reconciler';
import type { Context } from '@sluice/registry';
import { dial } from '../common/dial.ts';
import type { ActiveConfig } from './options.ts';
import { cellsOf, type Layer4Upstream } from './upstream.ts';

const defaultInterval = 30_000;
const defaultTimeout = 5000;
const at = ['health_checks', 'active'];

/** Interval at which connections to unhealthy upstreams are closed, in milliseconds. */
const closeInterval = 250;

/** Returns the health state of each upstream, shared by all threads. Starts the checks in the control thread. */
export function healthBoards(
  upstreams: readonly Layer4Upstream[],
  config: ActiveConfig,
  context: Context,
): HealthBoard[] {
  const cells = cellsOf(context);
  const key = hashNode(config);
  const boards = upstreams.map(({ address }) => {
    const cell = cells.acquire(`layer4-health ${key} ${address}`);
    context.onDispose(() => cell.release());
    return new HealthBoard(cell);
  });
  if (context.roles.control) startChecks(upstreams, boards, config, context);
  return boards;
}

function startChecks(
  upstreams: readonly Layer4Upstream[],
  boards: readonly HealthBoard[],
  config: ActiveConfig,
  context: Context,
): void {
  const timeout = timeOption(config.timeout, defaultTimeout, context, ...at, 'timeout');
  const checked = upstreams.flatMap((upstream, index): CheckedUpstream[] => {
    // Skip addresses with connection placeholders, which have no value during health checks.
    const isKnown = upstream.dials.every(({ constant }) => constant !== null);
    return isKnown ? [{ address: upstream.address, board: boards[index] as HealthBoard }] : [];
  });
  const probe: HealthProbe = {
    interval: timeOption(config.interval, defaultInterval, context, ...at, 'interval'),
    passes: Math.max(1, config.rise ?? 1),
    fails: Math.max(1, config.fall ?? 1),
    problem: (address) => problemOf(address, config.port ?? 0, timeout),
  };
  const checker = new HealthChecker(probe, checked, { log: context.log, listener: () => undefined });
  context.onCommit(() => checker.start());
  context.onRetire(() => checker.stop());
  context.onDispose(() => checker.stop());
}

/** Connects to each address of an upstream. Returns a description of the problem, or `null` on success. */
async function problemOf(addresses: string, port: number, timeout: number): Promise<string | null> {
  for (const address of addresses.split(',')) {
    try {
      const socket = await dial(withPort(address, port), {
        timeout,
        preference: null,
        local: [],
        hold: (made) => made.on('error', () => undefined),
      });
      socket.destroy();
    } catch (error) {
      return messageOf(error);
    }
  }
  return null;
}

function withPort(text: string, port: number): string {
  if (port === 0) return text;
  const { network, host } = parseNetworkAddress(text);
  return isUnixNetwork(network) ? text : `${network}/${joinHostPort(host, port)}`;
}

/** Calls `close` at an interval while the configuration is active. */
export function whileInForce(close: () => void, context: Context): void {
  let timer: NodeJS.Timeout | null = null;
  const stop = (): void => {
    if (timer !== null) clearInterval(timer);
  };
  context.onCommit(() => {
    timer = setInterval(guarded(taskOf('layer4.handlers.proxy'), close), closeInterval).unref();
  });
  context.onRetire(stop);
  context.onDispose(stop);
}
