/** Options of `events.handlers.exec`. */
import { boolean, duration, integers, options, string, strings, type Options } from '@sluice/registry';

export const execOptions = options({
  command: string(
    'Program to run: the path of an executable, or a name to look up in PATH. Not interpreted by a shell. May contain placeholders.',
  ),
  args: strings('Arguments for the program. May contain placeholders, such as `{event.data.host}`.'),
  dir: string("Working directory. Default: the server's working directory."),
  timeout: duration('Maximum run time, after which the program is killed. Default: 30s.'),
  foreground: boolean('Block the event until the program exits.'),
  abort_on: integers('Exit codes that abort the event. If set, the event is blocked until the program exits.'),
});

export type ExecConfig = Options<typeof execOptions>;
