/** `layer4.handlers.throttle`: limits the rate at which connections are read. */
import { parseDuration } from '@sluice/base';
import { layer4Handlers, type Layer4Handler } from '@sluice/layer4-app';
import { defineModule, duration, integer, number, options, type Context, type Options } from '@sluice/registry';
import { Bucket } from './bucket.ts';
import { ThrottledSocket } from './throttled-socket.ts';

const throttleOptions = options({
  read_bytes_per_second: number('Maximum read rate per connection, in bytes per second. 0 = no limit.'),
  read_burst_size: integer(
    'Maximum number of bytes to read in a burst from each connection. Default: the value of `read_bytes_per_second`.',
  ),
  total_read_bytes_per_second: number(
    'Maximum total read rate for all connections of this handler, per thread, in bytes per second. 0 = no limit.',
  ),
  total_read_burst_size: integer(
    'Maximum total number of bytes to read in a burst from all connections. Default: the value of `total_read_bytes_per_second`.',
  ),
  latency: duration('Delay before the first read from each connection. 0 = no delay.'),
});

export const throttleModule = defineModule(layer4Handlers, {
  name: 'throttle',
  help: 'Throttles or delays reads from clients, for example to simulate slow networks.',
  config: throttleOptions,
  provision(config, context): Layer4Handler {
    const rate = config.read_bytes_per_second ?? 0;
    const burst = burstOf(rate, config.read_burst_size ?? 0, context, 'read');
    const totalRate = config.total_read_bytes_per_second ?? 0;
    const total = bucketOf(totalRate, burstOf(totalRate, config.total_read_burst_size ?? 0, context, 'total_read'));
    const latency = latencyOf(config, context);
    return {
      handle(connection, next) {
        const buckets = [bucketOf(rate, burst), total].filter((bucket) => bucket !== null);
        connection.socket = new ThrottledSocket(connection.socket, connection, buckets, latency);
        next(connection);
      },
    };
  },
});

function bucketOf(rate: number, burst: number): Bucket | null {
  return rate > 0 ? new Bucket(rate, burst) : null;
}

function burstOf(rate: number, burst: number, context: Context, prefix: 'read' | 'total_read'): number {
  if (rate < 0) throw context.error(`must not be negative: ${rate}`, `${prefix}_bytes_per_second`);
  if (burst < 0) throw context.error(`must not be negative: ${burst}`, `${prefix}_burst_size`);
  return Math.max(1, burst || Math.trunc(rate));
}

function latencyOf(config: Options<typeof throttleOptions>, context: Context): number {
  try {
    return Math.max(0, parseDuration(config.latency ?? 0));
  } catch (error) {
    throw context.error((error as Error).message, 'latency');
  }
}
