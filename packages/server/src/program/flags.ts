import { parseArgs } from 'node:util';
import { remoteUserHeaders } from '@tributary/client/http';
import { type commonFlagDefinitions, type Flag, serverFlagDefinitions } from './flag-table.ts';
import { flag as booleanFlag, FlagError } from './flag-values.ts';

export { FlagError } from './flag-values.ts';

/** The flags of a program, by the field of their value. */
export type FlagDefinitions = Readonly<Record<string, Flag>>;

/** The parsed values of flags. */
export type FlagValues<Definitions extends FlagDefinitions> = {
  readonly [Field in keyof Definitions]: Definitions[Field] extends Flag<infer T> ? T : never;
};

export type ServerFlags = FlagValues<ReturnType<typeof serverFlagDefinitions>>;
export type CommonFlags = FlagValues<ReturnType<typeof commonFlagDefinitions>>;

export function serverFlagTable(program: string): readonly Flag[] {
  return Object.values(serverFlagDefinitions(program));
}

export function parseServerFlags(program: string, args: readonly string[]): ServerFlags | 'help' {
  const flags = parseFlags(serverFlagDefinitions(program), args);
  if (flags !== 'help') requireTogether(flags);
  return flags;
}

export function parseFlags<Definitions extends FlagDefinitions>(
  definitions: Definitions,
  args: readonly string[],
): FlagValues<Definitions> | 'help' {
  const values = parse(Object.values(definitions), args);
  if (values.has('help')) return 'help';
  const entries = Object.entries(definitions).map(
    ([field, { name, fallback, parse: read }]) =>
      [field, read(values.get(name) ?? fallback, name)] as const,
  );
  return Object.fromEntries(entries) as FlagValues<Definitions>;
}

export function helpText(program: string, summary: string, table: readonly Flag[]): string {
  const rows = table.map(({ name, value, fallback, help }) => {
    const left = `  --${name} ${value}`.padEnd(40);
    return `${left}  ${help}${fallback === '' ? '' : ` (default ${fallback})`}`;
  });
  return `${summary}\n\nUsage: ${program} [flags]\n\n${rows.join('\n')}\n  -h, --help\n`;
}

/** Throws for flags that are valid only together. */
export function requireTogether(
  flags: Pick<CommonFlags, 'tlsCertFile' | 'tlsPrivateKeyFile' | 'requestheaderUidHeaders'>,
): void {
  if ((flags.tlsCertFile === '') !== (flags.tlsPrivateKeyFile === '')) {
    throw new FlagError('--tls-cert-file and --tls-private-key-file must be set together');
  }
  const uidHeaders = flags.requestheaderUidHeaders;
  if (uidHeaders.length > 0 && !uidHeaders.includes(remoteUserHeaders.uid)) {
    throw new FlagError(
      '--requestheader-uid-headers is set without specifying the standard X-Remote-Uid header',
    );
  }
}

function parse(table: readonly Flag[], args: readonly string[]): Map<string, string> {
  const options = Object.fromEntries(
    table.map(({ name }) => [name, { type: 'string' as const, multiple: true }]),
  );
  const switches = new Set(
    table.flatMap(({ name, parse: read }) => (read === booleanFlag ? [`--${name}`] : [])),
  );
  const normalizedArgs = args.map((arg) => normalized(arg, switches));
  try {
    const { values } = parseArgs({
      args: normalizedArgs,
      options: {
        ...options,
        v: { type: 'string' as const, multiple: true, short: 'v' },
        help: { type: 'boolean' as const, short: 'h' },
      },
      strict: true,
    });
    const texts = Object.entries(values).map(([name, value]) => [name, joined(name, value, table)]);
    return new Map(texts as [string, string][]);
  } catch (error) {
    if (error instanceof FlagError) throw error;
    throw new FlagError(error instanceof Error ? error.message : String(error));
  }
}

/** As in other Kubernetes programs: `-v=3`, and a boolean flag without a value is true. */
function normalized(arg: string, switches: ReadonlySet<string>): string {
  if (arg.startsWith('-v=')) return `-${arg}`;
  return switches.has(arg) ? `${arg}=true` : arg;
}

/** Values of a repeated list flag are joined; of any other flag the last one wins. */
function joined(name: string, value: unknown, table: readonly Flag[]): string {
  if (!Array.isArray(value)) return String(value);
  const isList = /NAMES|LIST|PATTERNS|PREFIXES/.test(
    table.find((one) => one.name === name)?.value ?? '',
  );
  return isList ? value.join(',') : String(value.at(-1));
}
