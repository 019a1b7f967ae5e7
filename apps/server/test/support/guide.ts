/** A command in a guide and its documented output. */
export interface Step {
  readonly command: string;
  /** Expected beginning of the output, or `null` if the guide does not show any output. */
  readonly shown: string | null;
}

/** Matches the first line of a command. Other lines continue the previous command. */
const beginsCommand = /^(?:curl|tail|grep|cat|[A-Z]+=)/;

/** Returns the commands in a `sh` block. A command may span several lines. */
export function stepsIn(block: string): Step[] {
  const steps: Step[] = [];
  for (const line of block.trimEnd().split('\n')) {
    const last = steps.at(-1);
    if (line.startsWith('# ') && last !== undefined) steps[steps.length - 1] = { ...last, shown: line.slice(2) };
    else if (beginsCommand.test(line)) steps.push({ command: line, shown: null });
    else if (last !== undefined) steps[steps.length - 1] = { ...last, command: `${last.command}\n${line}` };
  }
  return steps;
}

/** A configuration as a Caddyfile and as JSON, and the commands that use it. */
export interface Recipe {
  readonly caddyfile: string;
  readonly json: string;
  readonly steps: readonly Step[];
}

/** A guide with recipes. Comments that are not visible to readers specify files, certificates and ports. */
export interface RecipePage {
  readonly files: ReadonlyMap<string, string>;
  readonly certificates: readonly (readonly [certificate: string, key: string])[];
  /** Ports to which the test forwards HTTP and HTTPS, if any. */
  readonly ports: readonly number[];
  /** Address of PHP-FPM, if the recipe requires it. */
  readonly php: string | null;
  readonly recipes: readonly Recipe[];
}

/** Parses a guide. */
export function readRecipes(text: string): RecipePage {
  const files = [...text.matchAll(/<!-{2} file: (\S+) -->\n\n`\S+`:\n\n```\w+\n([^]*?)```/g)];
  const certificates = [...text.matchAll(/<!-{2} certificate: (\S+) (\S+) -->/g)];
  const configurations = [
    ...text.matchAll(
      /<!-{2} adapted -->\n\n```caddyfile\n([^]*?)```\n\n```json\n([^]*?)```\n([^]*?)(?=<!-- |$(?![^]))/g,
    ),
  ];
  return {
    files: new Map(files.map(([, path = '', content = '']) => [path, content])),
    certificates: certificates.map(([, certificate = '', key = '']) => [certificate, key]),
    ports: (/<!-{2} ports: ([\d ]+) -->/.exec(text)?.[1] ?? '').split(' ').filter(Boolean).map(Number),
    php: /<!-{2} php: (\S+) -->/.exec(text)?.[1] ?? null,
    recipes: configurations.map(([, caddyfile = '', json = '', rest = '']) => ({
      caddyfile,
      json,
      steps: [...rest.matchAll(/```sh\n([^]*?)```/g)].flatMap(([, block = '']) => stepsIn(block)),
    })),
  };
}
