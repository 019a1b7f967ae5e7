import { boolean, duration, map, options, string, strings, text } from '@sluice/registry';

export const fastcgiOptions = options({
  root: string(
    'Root directory of the scripts, as seen by the FastCGI responder. May contain placeholders. Default: {http.vars.root} if it is set, otherwise the working directory.',
  ),
  split_path: strings(
    'Suffixes of script names, such as `.php`, at which to split paths. The rest of the path is decoded and becomes PATH_INFO: for `/index.php/x%3Fa`, PATH_INFO is `/x?a`.',
  ),
  resolve_root_symlink: boolean(
    'Resolve symbolic links in the path of the root directory before sending the path to the FastCGI responder.',
  ),
  env: map('FastCGI parameters to add or override. Values may contain placeholders.', text()),
  dial_timeout: duration('Timeout for establishing a connection. Default: 3s.'),
  read_timeout: duration('Timeout for reading from the FastCGI responder. 0 = no timeout.'),
  write_timeout: duration('Timeout for writing to the FastCGI responder. 0 = no timeout.'),
  capture_stderr: boolean('Log each line that a script writes to standard error, as a warning.'),
});
