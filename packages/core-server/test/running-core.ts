/** `tributary up` as a process, for tests of its output. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  logShows,
  type StartedProcess,
  startProcess,
  type TestScope,
  temporaryDirectory,
} from '../../../test/harness/index.ts';

const program = join(import.meta.dirname, '../../cli/bin/tributary.js');
const READY = /is ready at (https:\S+)/;

export interface RunningCore {
  readonly url: string;
  /** PEM. */
  readonly ca: string;
  readonly directory: string;
  readonly dataDir: string;
  readonly process: StartedProcess;
}

export async function startRunningCore(
  scope: TestScope,
  options: {
    readonly tokens: readonly string[];
    readonly files?: Readonly<Record<string, string>>;
    readonly flags?: (directory: string) => readonly string[];
    /** A program that runs the process, such as one that limits its resources. */
    readonly wrapper?: readonly [string, ...string[]];
  },
): Promise<RunningCore> {
  const directory = await temporaryDirectory(scope, 'running-core-');
  const dataDir = join(directory, 'data');
  await mkdir(dataDir);
  const files = { ...options.files, 'tokens.csv': `${options.tokens.join('\n')}\n` };
  for (const [name, content] of Object.entries(files)) {
    await writeFile(join(directory, name), content, { mode: 0o600 });
  }
  const [command, ...first] = [...(options.wrapper ?? []), process.execPath];
  const started = await startProcess(scope, {
    name: 'tributary up',
    command: command ?? process.execPath,
    args: [
      ...first,
      program,
      'up',
      '--secure-port=0',
      `--data-dir=${dataDir}`,
      `--token-auth-file=${join(directory, 'tokens.csv')}`,
      ...(options.flags?.(directory) ?? []),
    ],
    ready: logShows(READY),
  });
  const [, url = ''] = await started.waitForLog(READY);
  const ca = await readFile(join(dataDir, 'pki', 'server-ca.crt'), 'utf8');
  return { url, ca, directory, dataDir, process: started };
}
