/** How a directive of the Caddyfile reads its words. Loaded by files that read them, so not part of the main entry. */
export {
  asJson,
  compact,
  Dispenser,
  handlerDirective,
  moduleObject,
  readDuration,
  readInteger,
  readSize,
  DirectiveReader,
  type ConfigValue,
} from '@sluice/caddyfile';
