/** Files and directories whose callbacks may run without a guard, with the reason. @type {Readonly<Record<string, string>>} */
export const exceptions = {
  'apps/dashboard/src/page/': 'runs in a browser, where what a callback throws ends nothing but itself',
  'apps/server/src/cli/': 'a command serves no one else: what it throws ends it, with an error that says why',
  'apps/server/src/process/signals.ts': 'logs, and calls what ends the process; the reload has a guard',
  'apps/server/src/workers/port.ts': 'hands callbacks on: those who receive have a guard (libs/threads)',
  'libs/modules/caddy.logging.writers/src/common/descriptor-output.ts':
    'the process ends: there is nothing left to fail',
  'libs/native/src/sockets/loop-watch.ts':
    'what it calls has a guard, made once; memory is freed by a call that cannot fail',
  'libs/quic/src/endpoint/clock.ts': 'the endpoint guards the work of each connection',
  'libs/threads/src/control-bus.ts': 'the list of listeners guards each of them',
};
