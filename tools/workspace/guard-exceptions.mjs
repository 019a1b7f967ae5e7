/** Files and directories whose callbacks may run without a guard, with the reason. @type {Readonly<Record<string, string>>} */
export const exceptions = {
  'apps/dashboard/src/page/': 'runs in a browser, where an exception in a callback affects only that callback',
  'apps/server/src/cli/': 'a command serves no one else: an exception ends it, with an error message',
  'apps/server/src/process/signals.ts': 'logs, and calls a function that ends the process; the reload has a guard',
  'apps/server/src/test-cases/client.ts':
    'an exception ends the command, or the thread that runs the tests, which rejects the change',
  'apps/server/src/workers/port.ts': 'forwards callbacks: the recipients have guards (libs/threads)',
  'libs/modules/caddy.logging.writers/src/common/descriptor-output.ts':
    'the process is exiting, so nothing else can fail',
  'libs/native/src/sockets/loop-watch.ts':
    'the callee has a guard, created once; memory is freed by a call that cannot fail',
  'libs/quic/src/endpoint/clock.ts': 'the endpoint guards the work of each connection',
  'libs/threads/src/control-bus.ts': 'the list of listeners guards each of them',
};
