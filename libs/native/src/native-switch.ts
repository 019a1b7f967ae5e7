/** Environment variable; `off` disables the bindings. */
const variable = 'SLUICE_NATIVE';

/** Returns the reason why the environment disables the bindings, or `null`. */
export function nativeSwitch(): string | null {
  return process.env[variable] === 'off' ? `the environment variable ${variable} disables the OpenSSL bindings` : null;
}
