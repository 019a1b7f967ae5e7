/** Options of `events.handlers.exec`. */
import { boolean, duration, integers, options, string, strings, type Options } from '@sluice/registry';

export const execOptions = options({
  command: string(
    'Program: a path, or a name to look up in PATH. Not interpreted by a shell. May contain placeholders.',
  ),
  args: strings('Arguments of the program. May contain placeholders, such as `{event.data.host}`.'),
  dir: string("Working directory. Default: the server's working directory."),
  timeout: duration('Timeout after which the program is killed. Default: 30s.'),
  foreground: boolean('Make the event wait for the program.'),
  abort_on: integers('Exit codes that abort the event. If set, the event waits for the program.'),
});

export type ExecConfig = Options<typeof execOptions>;
