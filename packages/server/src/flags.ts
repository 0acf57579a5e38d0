import { parseArgs } from 'node:util';

/** One flag of a server program. Names are those Kubernetes operators know. */
interface Flag {
  readonly name: string;
  readonly value: string;
  readonly fallback: string;
  readonly help: string;
}

export interface ServerFlags {
  readonly securePort: number;
  readonly bindAddress: string;
  readonly dataDir: string;
  readonly storage: string;
  readonly encryptionProviderConfig: string;
  /** Bytes; undefined means a share of what the machine has. */
  readonly memoryLimit: number | undefined;
  readonly tlsCertFile: string;
  readonly tlsPrivateKeyFile: string;
  readonly clientCaFile: string;
}

/** What a person typed wrong; the program says it and shows where help is. */
export class FlagError extends Error {
  override readonly name = 'FlagError';
}

export function serverFlagTable(program: string): readonly Flag[] {
  return [
    {
      name: 'secure-port',
      value: 'PORT',
      fallback: '6443',
      help: 'port for HTTPS; 0 picks a free one',
    },
    {
      name: 'bind-address',
      value: 'IP',
      fallback: '127.0.0.1',
      help: 'address to listen on',
    },
    {
      name: 'data-dir',
      value: 'DIR',
      fallback: `.${program}`,
      help: 'certificates, database and admin.kubeconfig',
    },
    {
      name: 'storage',
      value: 'ENGINE',
      fallback: 'memory',
      help: 'where objects are kept: memory or sqlite',
    },
    {
      name: 'memory-limit',
      value: 'SIZE',
      fallback: '',
      help: 'bound on cached objects, such as 512Mi (default: half of the memory)',
    },
    {
      name: 'encryption-provider-config',
      value: 'FILE',
      fallback: '',
      help: 'which resources are encrypted at rest, and with which keys (EncryptionConfiguration)',
    },
    {
      name: 'tls-cert-file',
      value: 'FILE',
      fallback: '',
      help: 'serving certificate (PEM); made in the data directory when absent',
    },
    {
      name: 'tls-private-key-file',
      value: 'FILE',
      fallback: '',
      help: 'key of the serving certificate (PEM)',
    },
    {
      name: 'client-ca-file',
      value: 'FILE',
      fallback: '',
      help: 'who signs client certificates (PEM); made in the data directory when absent',
    },
  ];
}

export function parseServerFlags(program: string, args: readonly string[]): ServerFlags | 'help' {
  const table = serverFlagTable(program);
  const values = parse(table, args);
  if (values.get('help') === 'true') return 'help';
  const text = (name: string) =>
    values.get(name) ?? table.find((flag) => flag.name === name)?.fallback ?? '';
  if ((text('tls-cert-file') === '') !== (text('tls-private-key-file') === '')) {
    throw new FlagError('--tls-cert-file and --tls-private-key-file go together');
  }
  return {
    securePort: portNumber(text('secure-port')),
    bindAddress: text('bind-address'),
    dataDir: text('data-dir'),
    storage: text('storage'),
    encryptionProviderConfig: text('encryption-provider-config'),
    memoryLimit: memorySize(text('memory-limit')),
    tlsCertFile: text('tls-cert-file'),
    tlsPrivateKeyFile: text('tls-private-key-file'),
    clientCaFile: text('client-ca-file'),
  };
}

export function helpText(program: string, summary: string): string {
  const rows = serverFlagTable(program).map(({ name, value, fallback, help }) => {
    const left = `  --${name} ${value}`.padEnd(32);
    return `${left}${help}${fallback === '' ? '' : ` (default ${fallback})`}`;
  });
  return `${summary}\n\nUsage: ${program} [flags]\n\n${rows.join('\n')}\n  -h, --help\n`;
}

function parse(table: readonly Flag[], args: readonly string[]): Map<string, string> {
  const options = Object.fromEntries(table.map(({ name }) => [name, { type: 'string' as const }]));
  try {
    const { values } = parseArgs({
      args: [...args],
      options: { ...options, help: { type: 'boolean' as const, short: 'h' } },
      strict: true,
    });
    return new Map(Object.entries(values).map(([name, value]) => [name, String(value)]));
  } catch (error) {
    throw new FlagError(error instanceof Error ? error.message : String(error));
  }
}

const UNITS: Readonly<Record<string, number>> = { '': 1, Ki: 2 ** 10, Mi: 2 ** 20, Gi: 2 ** 30 };

function memorySize(text: string): number | undefined {
  if (text === '') return undefined;
  const [, digits, unit = ''] = /^([1-9][0-9]{0,12})(Ki|Mi|Gi)?$/.exec(text) ?? [];
  if (digits === undefined) {
    throw new FlagError(
      `--memory-limit ${text}: a size is a number of bytes, or one with Ki, Mi or Gi`,
    );
  }
  return Number(digits) * (UNITS[unit] ?? 1);
}

function portNumber(text: string): number {
  const port = Number(text);
  if (!/^[0-9]+$/.test(text) || port > 65_535) {
    throw new FlagError(`--secure-port ${text}: a port is a number from 0 to 65535`);
  }
  return port;
}
