import { boolean, duration, map, options, string, strings, text } from '@sluice/registry';

export const fastcgiOptions = options({
  root: string(
    'Root directory of the scripts, as seen by the FastCGI responder. May contain placeholders. Default: {http.vars.root} if it is set, otherwise the working directory.',
  ),
  split_path: strings(
    'Suffixes of script names, such as `.php`. The rest of the path is decoded and becomes PATH_INFO: for `/index.php/x%3Fa`, PATH_INFO is `/x?a`.',
  ),
  resolve_root_symlink: boolean('Resolve symbolic links in the root directory before sending it to the responder.'),
  env: map('FastCGI parameters to add or override. Values may contain placeholders.', text()),
  dial_timeout: duration('Timeout for establishing a connection. Default: 3s.'),
  read_timeout: duration('Read timeout. 0 = no timeout.'),
  write_timeout: duration('Write timeout. 0 = no timeout.'),
  capture_stderr: boolean('Log each line that scripts write to standard error as a warning.'),
});
