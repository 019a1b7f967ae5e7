/** Module packages that the tests use. */
import { register as registerHttp } from '@sluice/http-app';
import { register as registerEncoders } from '@sluice/http.encoders';
import { register as registerHandlers } from '@sluice/http.handlers';
import { register as registerMatchers } from '@sluice/http.matchers';
import { register as registerProxyParts } from '@sluice/http.reverse_proxy';
import { register as registerPki } from '@sluice/pki-app';
import type { Register } from '@sluice/registry';
import { register as registerTelemetry } from '@sluice/telemetry';
import { register as registerTls } from '@sluice/tls-app';

/** Module packages that most sites need. */
export const registers: readonly Register[] = [
  registerTelemetry,
  registerPki,
  registerTls,
  registerHttp,
  registerHandlers,
  registerMatchers,
  registerProxyParts,
  registerEncoders,
];
