/** Options of `php_fastcgi` that are for its transport or its routes, and not for the proxy. */
import { asJson, compact, dictionary, readDuration, type DirectiveReader } from '@sluice/caddyfile';
import type { Json, JsonObject } from '@sluice/base';

/** Collects options. */
export class FastCgiOptions {
  index = 'index.php';
  tryFiles: readonly string[] = [];
  split: readonly string[] = ['.php'];
  readonly #fields: Record<string, Json> = {};
  readonly #environment = dictionary();

  /** Reads an option; false if it is for the proxy. */
  read(option: string, reader: DirectiveReader): boolean {
    switch (option) {
      case 'root':
        this.#fields['root'] = reader.argument();
        return true;
      case 'split':
        this.split = reader.arguments();
        return true;
      case 'env': {
        const name = reader.argument();
        this.#environment[name] = reader.onlyArgument();
        return true;
      }
      case 'index':
        this.index = reader.onlyArgument();
        return true;
      case 'try_files':
        this.tryFiles = reader.arguments();
        return true;
      case 'resolve_root_symlink':
      case 'capture_stderr':
        reader.remaining();
        this.#fields[option] = true;
        return true;
      case 'dial_timeout':
      case 'read_timeout':
      case 'write_timeout':
        this.#fields[option] = readDuration(reader, reader.argument(), option);
        return true;
      default:
        return false;
    }
  }

  /** Options of the transport. */
  transport(): JsonObject {
    return compact({ ...this.#fields, env: this.#environment, split_path: asJson(this.split) });
  }
}
