/**
 * Files and directories whose errors need no code, with the reason: each error is caught in its own package, which throws an error with a
 * code instead, or it is never visible to others. @type {Readonly<Record<string, string>>}
 */
export const exceptions = {
  'apps/server/src/cli/commands/storage-import.ts': 'ERR_COMMAND is made of it where the archive is read',
  'apps/server/src/persistence/past.ts': 'caught where it is thrown: the file is set aside, with a warning',
  'apps/server/src/workers/traffic-thread.ts': 'a file that was started by hand ends with it',
  'libs/acme/src/client/obtain.ts':
    'the next challenge is tried; of the last one the cause is thrown, which has a code',
  'libs/acme/src/server/validation/': 'a problem document is made of it, ERR_ACME',
  'libs/admin-api/src/access/certificates.ts': 'the section gives it its place: ERR_CONFIG',
  'libs/admin-api/src/access/tokens.ts': 'the section gives it its place: ERR_CONFIG',
  'libs/admin-api/src/http/body.ts': 'the client is gone: the response is dropped',
  'libs/base/src/collections/bounded.ts': 'a defect of the caller: a fault, reported with its stack',
  'libs/base/src/json/json-text.ts': 'ERR_ADMIN_BODY and ERR_COMMAND are made of it where a text is read',
  'libs/base/src/network/socket-file.ts': 'ERR_LISTEN and ERR_ADMIN_ADDRESS are made of it where sockets are bound',
  'libs/base/src/regexp/parse.ts': 'a sign that a pattern is left to RE2',
  'libs/caddyfile/src/loaded.ts': 'a sign that a syntax is to be loaded first',
  'libs/reconciler/src/changes/adapt-config.ts':
    'ERR_ADAPTER is made of it in the same file, as of what adapters throw',
  'libs/http-app/src/engine/': 'a mistake of a handler: a fault, logged with its place in the code like any other',
  'libs/http-app/src/listener/bind.ts': 'ERR_LISTEN is made of it where it is thrown',
  'libs/http-app/src/placeholders/der.ts':
    'a certificate that no library takes: a fault of the request that asks for it',
  'libs/http-app/src/server/server.ts':
    'a mistake of a handler: a fault, logged with its place in the code like any other',
  'libs/http1/src/header-map.ts': 'a defect of the caller: a fault, reported with its stack',
  'libs/language-server/src/': 'the connection to the editor makes an error of its protocol of it',
  'libs/modules/caddy.adapters/src/': 'the contract of adapters: the engine makes ERR_ADAPTER of what they throw',
  'libs/modules/caddy.logging.writers/src/common/line-queue.ts':
    'the queue counts the lines as dropped, and logs the cause',
  'libs/modules/caddy.logging.writers/src/net/stream-output.ts': 'the listener of the same socket logs it',
  'libs/modules/http.handlers/src/file_server/lookup.ts': 'a sign that a file is to be waited for',
  'libs/modules/http.handlers/src/reverse_proxy/health/health-request.ts':
    'the reason of a failed check, logged by its caller',
  'libs/modules/http.handlers/src/templates/': 'text-template makes ERR_TEMPLATE_EXECUTION of what functions throw',
  'libs/modules/http.handlers/src/tracing/export-transport.ts': 'for the library of OpenTelemetry, which logs it',
  'libs/modules/http.handlers/src/waf/':
    'made ERR_CONFIG where the module is provisioned, or the status of one response',
  'libs/modules/http.matchers/src/expression/': 'the library of CEL makes an evaluation error of what functions throw',
  'libs/modules/http.reverse_proxy/src/transport/http/': 'ERR_UPSTREAM is made of it before the call hears of it',
  'libs/modules/tls.issuance/src/acme/account/account-store.ts': 'caught where it is thrown: the account is made again',
  'libs/modules/tls.issuance/src/acme/challenges/tls-alpn.ts': 'ends a handshake of the server for challenges',
  'libs/text-template/src/': 'a TemplateError is made of it where a template is parsed or executed',
  'libs/native/src/': 'HTTP/3 is refused with it as the reason, or a fault of one connection: a mistake of a caller',
  'libs/quic/src/': 'a mistake in this package: a fault, which ends one connection with INTERNAL_ERROR',
  'libs/tls-app/src/termination/parse-hello.ts': 'caught in the same file: it is not a ClientHello',
};
