/** Options of `events.handlers.exec`. */
import { boolean, duration, integers, options, string, strings, type Options } from '@sluice/registry';

/** The options. */
export const execOptions = options({
  command: string('The program: a path, or a name that is looked for in PATH. No shell reads it. With placeholders.'),
  args: strings('Its arguments, one each, with placeholders such as `{event.data.host}`.'),
  dir: string('The folder in which it runs. Default: that of the server.'),
  timeout: duration('Longest time that it may run before it is killed. Default 30s.'),
  foreground: boolean('Let the event wait for it.'),
  abort_on: integers('Exit codes that abort the event. Where there are any, the event waits.'),
});

/** Their type. */
export type ExecConfig = Options<typeof execOptions>;
