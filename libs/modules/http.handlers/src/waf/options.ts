/** Options of `http.handlers.waf`. */
import { boolean, duration, list, options, string } from '@sluice/registry';

export const wafOptions = options({
  directives: string('Rules and settings in SecLang, the language of ModSecurity.'),
  load_owasp_crs: boolean(
    'Provide the OWASP Core Rule Set for Include directives: `@coraza.conf-recommended`, `@crs-setup.conf.example` and `@owasp_crs/*.conf`.',
  ),
  include: list('Files with directives; may contain `*`. Loaded after `directives`.', string('Path or pattern.')),
  tx_id_req_header: string(
    'Name of a request header field whose value becomes the transaction ID in logs, `{http.transaction_id}`. Default: a random ID, which is also used if the field is missing.',
  ),
  engine: string(
    'Path of the engine, or its name in `PATH`. Default: the engine that was installed with the server, otherwise `waf-engine` in `PATH`.',
  ),
  fail_open: boolean(
    'Pass requests through uninspected while the engine is unavailable, instead of rejecting them with status 503.',
  ),
  timeout: duration('Timeout for one inspection. When it expires, the engine counts as unavailable. Default: 10s.'),
});
