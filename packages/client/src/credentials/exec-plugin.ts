import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { parseJson } from '@tributary/apimachinery';
import type { ExecPlugin } from '../kubeconfig/client-config.ts';

/** The credentials that a plugin printed. */
export interface ExecCredential {
  readonly token?: string;
  readonly certificate?: { readonly certificate: string; readonly key: string };
  /** Milliseconds since 1970; undefined when the credentials are valid until the server refuses them. */
  readonly expiresMs?: number;
}

export interface ExecOptions {
  readonly timeoutMs?: number;
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** Long enough for a plugin that requests a token from a cloud. */
const TIMEOUT_MS = 60_000;
const OUTPUT_BYTES_MAX = 1024 * 1024;
const COMPLAINT_MAX = 2000;

/** Runs the plugin without a terminal, with bounds on time and output. Errors never contain its standard output. */
export async function runExecPlugin(
  plugin: ExecPlugin,
  options: ExecOptions = {},
): Promise<ExecCredential> {
  const output = await run(plugin, options);
  return readCredential(plugin, output);
}

async function run(plugin: ExecPlugin, options: ExecOptions): Promise<Buffer> {
  const { timeoutMs = TIMEOUT_MS, env = process.env } = options;
  const child = spawn(plugin.command, plugin.args, {
    env: { ...env, ...pluginEnvironment(plugin) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const timeout = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    timeout.reject(failure(plugin, `did not end within ${timeoutMs} ms`));
  }, timeoutMs);
  try {
    const work = Promise.all([
      collect(child.stdout, OUTPUT_BYTES_MAX),
      collect(child.stderr, OUTPUT_BYTES_MAX),
      once(child, 'close'),
    ]);
    const [stdout, stderr, [code, signal]] = await Promise.race([work, timeout.promise]);
    if (code === 0) return stdout;
    const complaint = stderr.toString('utf8').trim().slice(-COMPLAINT_MAX);
    const end = code === null ? `was ended by ${String(signal)}` : `failed with code ${code}`;
    throw failure(plugin, complaint === '' ? end : `${end}: ${complaint}`);
  } catch (error) {
    throw explainMissing(plugin, error);
  } finally {
    clearTimeout(timer);
    child.kill('SIGKILL');
    // A grandchild may still hold the pipes open.
    child.stdout.destroy();
    child.stderr.destroy();
  }
}

function pluginEnvironment({ apiVersion, cluster, env }: ExecPlugin): Record<string, string> {
  const spec = { ...(cluster !== undefined && { cluster }), interactive: false };
  const info = { kind: 'ExecCredential', apiVersion, spec };
  return {
    ...Object.fromEntries(env.map(({ name, value }) => [name, value])),
    KUBERNETES_EXEC_INFO: JSON.stringify(info),
  };
}

async function collect(source: Readable, bytesMax: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of source) {
    bytes += chunk.length;
    if (bytes > bytesMax) throw new Error(`printed more than ${bytesMax} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function explainMissing(plugin: ExecPlugin, error: unknown): Error {
  if (!(error instanceof Error)) return failure(plugin, String(error));
  if (error instanceof ExecPluginError) return error;
  if (!('code' in error) || error.code !== 'ENOENT') return failure(plugin, error.message, error);
  const hint = plugin.installHint === undefined ? '' : `\n${printable(plugin.installHint)}`;
  return failure(plugin, `there is no such program${hint}`);
}

/** A hint comes from a file that may have been downloaded; it must not steer the terminal it is shown on. */
function printable(text: string): string {
  return text.replace(/[^\P{C}\n\t]/gu, '\u{fffd}');
}

function readCredential(plugin: ExecPlugin, output: Buffer): ExecCredential {
  const { apiVersion, kind, status } = asRecord(parseOutput(plugin, output));
  if (kind !== 'ExecCredential' || apiVersion !== plugin.apiVersion) {
    throw failure(plugin, `must print an ExecCredential of ${plugin.apiVersion}`);
  }
  if (typeof status !== 'object' || status === null) throw failure(plugin, 'printed no status');
  const fields = asRecord(status);
  const token = stringField(fields, 'token');
  const certificate = stringField(fields, 'clientCertificateData');
  const key = stringField(fields, 'clientKeyData');
  if ((certificate === undefined) !== (key === undefined)) {
    throw failure(plugin, 'printed only one of certificate and key');
  }
  if (token === undefined && certificate === undefined) {
    throw failure(plugin, 'printed neither a token nor a certificate');
  }
  const expiresMs = expiry(plugin, fields);
  return {
    ...(token !== undefined && { token }),
    ...(certificate !== undefined && key !== undefined && { certificate: { certificate, key } }),
    ...(expiresMs !== undefined && { expiresMs }),
  };
}

function parseOutput(plugin: ExecPlugin, output: Buffer): unknown {
  try {
    return parseJson(output);
  } catch {
    // The parser's error may quote the output, and the output is a secret.
    throw failure(plugin, 'did not print JSON');
  }
}

function expiry(plugin: ExecPlugin, status: Record<string, unknown>): number | undefined {
  const text = stringField(status, 'expirationTimestamp');
  if (text === undefined) return undefined;
  const milliseconds = Date.parse(text);
  if (Number.isNaN(milliseconds)) throw failure(plugin, 'printed a bad expirationTimestamp');
  return milliseconds;
}

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function stringField(fields: Record<string, unknown>, name: string): string | undefined {
  const value = fields[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The plugin returned no credentials. */
export class ExecPluginError extends Error {
  readonly command: string;

  constructor(command: string, problem: string, options?: ErrorOptions) {
    super(`exec plugin ${command}: ${problem}`, options);
    this.name = 'ExecPluginError';
    this.command = command;
  }
}

function failure({ command }: ExecPlugin, problem: string, cause?: Error): ExecPluginError {
  return new ExecPluginError(command, problem, cause === undefined ? undefined : { cause });
}
