import { boolean, duration, list, options, string } from '@sluice/registry';

export const wafOptions = options({
  directives: string('Rules and settings in SecLang, the ModSecurity rule language.'),
  load_owasp_crs: boolean(
    'Make the OWASP Core Rule Set available to Include directives, as `@coraza.conf-recommended`, `@crs-setup.conf.example` and `@owasp_crs/*.conf`.',
  ),
  include: list(
    'Files containing directives, loaded after `directives`. Paths may contain `*`.',
    string('Path or pattern.'),
  ),
  tx_id_req_header: string(
    'Request header field whose value becomes the transaction ID, for logs and `{http.transaction_id}`. If this option is not set, or if the request does not contain the field, the ID is random.',
  ),
  engine: string(
    'Path of the WAF engine, or a name to look up in `PATH`. Default: the engine that was installed with the server if there is one, otherwise `waf-engine`.',
  ),
  fail_open: boolean(
    'Let requests pass uninspected while the WAF engine is unavailable, instead of rejecting them with status code 503.',
  ),
  timeout: duration(
    'Timeout for one inspection. After the timeout, the WAF engine is considered unavailable. Default: 10s.',
  ),
});
