/** Guides as their tests read them: commands, and what the guide says of their output. */

/** A command with what is shown of its output. */
export interface Step {
  readonly command: string;
  /** What the output begins with; `null` where the guide shows none. */
  readonly shown: string | null;
}

/** What begins a command; other lines go on with the one before. */
const beginsCommand = /^(?:curl|tail|grep|cat|[A-Z]+=)/;

/** The commands of a block in `sh`; a command may go over several lines. */
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

/** A configuration of a guide in both languages, and what is done with it. */
export interface Recipe {
  readonly caddyfile: string;
  readonly json: string;
  readonly steps: readonly Step[];
}

/** A guide of recipes. Files, certificates and ports are said in comments, which readers do not see. */
export interface RecipePage {
  readonly files: ReadonlyMap<string, string>;
  readonly certificates: readonly (readonly [certificate: string, key: string])[];
  /** The ports to which those of HTTP and HTTPS are led, if they are. */
  readonly ports: readonly number[];
  /** Where PHP-FPM listens, if it is needed. */
  readonly php: string | null;
  readonly recipes: readonly Recipe[];
}

/** Reads a guide. */
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
