/** `http.reverse_proxy.transport.fastcgi`: connects to FastCGI upstreams, for example PHP-FPM. */
import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import {
  compileRoot,
  HttpError,
  noRoot,
  timeOption,
  upstreamTransports,
  type Exchange,
  type Transport,
} from '@sluice/http-app';
import { lowerAscii, unawaited } from '@sluice/base';
import { defineModule, type Context, type Options } from '@sluice/registry';
import { compileEnv } from './environment.ts';
import { FastcgiCall, type FastcgiSettings } from './fastcgi-call.ts';
import { fastcgiOptions } from './options.ts';

const defaultDialTimeout = 3000;
/** Default number of bytes to buffer to determine the length of a body without Content-Length. */
const defaultLengthBuffer = 4096;

export const fastcgiModule = defineModule(upstreamTransports, {
  name: 'fastcgi',
  help: 'Connects to upstreams over FastCGI, such as PHP-FPM.',
  config: fastcgiOptions,
  provision(config, context): Transport {
    const settings = settingsOf(config, context);
    return {
      lengthBuffer: defaultLengthBuffer,
      send(address, request, sink) {
        const call = new FastcgiCall(settings, address, request, sink);
        unawaited(call, call.start());
        return call;
      },
    };
  },
});

function settingsOf(config: Options<typeof fastcgiOptions>, context: Context): FastcgiSettings {
  const splitPath = (config.split_path ?? []).map((text, index) => {
    if (/[^\0-\x7f]/.test(text))
      throw context.error(
        `${JSON.stringify(text)} must contain only ASCII characters: paths are compared case-insensitively`,
        'split_path',
        index,
      );
    return lowerAscii(text);
  });
  const root = compileRoot(config.root);
  const real = config.resolve_root_symlink === true;
  return {
    log: context.log,
    rules: { splitPath, env: compileEnv(config.env ?? {}) },
    rootOf: (exchange: Exchange) => {
      const folder = root(exchange);
      if (folder === noRoot) throw new HttpError(404, 'a placeholder in the FastCGI root directory has no value');
      const path = resolve(folder || '.');
      return real ? realpath(path) : path;
    },
    dialTimeout: timeOption(config.dial_timeout, defaultDialTimeout, context, 'dial_timeout'),
    readTimeout: timeOption(config.read_timeout, 0, context, 'read_timeout'),
    writeTimeout: timeOption(config.write_timeout, 0, context, 'write_timeout'),
    captureStderr: config.capture_stderr === true,
  };
}
