import { boolean, duration, map, options, string, strings, text } from '@sluice/registry';

export const fastcgiOptions = options({
  root: string(
    'Root directory of scripts, as the FastCGI responder sees it. May contain placeholders. Default: {http.vars.root}, otherwise the working directory.',
  ),
  split_path: strings(
    'Suffixes of script names, such as `.php`. The rest of the path becomes PATH_INFO, decoded: for `/index.php/x%3Fa`, it is `/x?a`.',
  ),
  resolve_root_symlink: boolean('Resolve symbolic links in the root directory before sending it.'),
  env: map('Parameters to add or override. Values may contain placeholders.', text()),
  dial_timeout: duration('Connect timeout. Default: 3s.'),
  read_timeout: duration('Read timeout. 0 = no timeout.'),
  write_timeout: duration('Write timeout. 0 = no timeout.'),
  capture_stderr: boolean('Log the standard error of scripts as warnings, one per line.'),
});
