/** Options of `http.reverse_proxy.transport.fastcgi`. */
import { boolean, duration, map, options, string, strings, text } from '@sluice/registry';

/** Options of the transport. */
export const fastcgiOptions = options({
  root: string(
    'Directory of the scripts, as the responder sees it; may contain placeholders. Default {http.vars.root}, or the working directory.',
  ),
  split_path: strings(
    'Ends of script names, such as `.php`: what stands after is PATH_INFO. The path is decoded first: of `/index.php/x%3Fa` it is `/x?a`.',
  ),
  resolve_root_symlink: boolean('Tell the responder where the directory really is.'),
  env: map('Parameters to set besides, or in place of others; values may contain placeholders.', text()),
  dial_timeout: duration('Longest time to connect. Default 3s.'),
  read_timeout: duration('Longest time between two reads. 0: none.'),
  write_timeout: duration('Longest time for a write. 0: none.'),
  capture_stderr: boolean('Log what scripts write to standard error as warnings, a line each.'),
});
