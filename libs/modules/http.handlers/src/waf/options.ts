/** Options of `http.handlers.waf`. */
import { boolean, duration, list, options, string } from '@sluice/registry';

export const wafOptions = options({
  directives: string('Rules and settings in SecLang, the language of ModSecurity.'),
  load_owasp_crs: boolean(
    'Provide the OWASP Core Rule Set for Include directives: `@coraza.conf-recommended`, `@crs-setup.conf.example` and `@owasp_crs/*.conf`.',
  ),
  include: list('Files with directives; may contain `*`. Loaded after `directives`.', string('Path or pattern.')),
  tx_id_req_header: string(
    'Name of a request field whose value is the transaction ID in logs, `{http.transaction_id}`. Default, also if the field is missing: a random ID.',
  ),
  engine: string(
    'Path of the engine, or its name in `PATH`. Default: the engine that was installed with the server, otherwise `waf-engine` in `PATH`.',
  ),
  fail_open: boolean(
    'Pass requests on without inspection while the engine is unavailable, instead of rejecting them with status 503.',
  ),
  timeout: duration('Maximum duration of one inspection. Longer ones count as an unavailable engine. Default: 10s.'),
});
