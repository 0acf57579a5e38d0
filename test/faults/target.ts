/** The server under test: started, killed with SIGKILL, and started again on the same data. */
import { watch } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  createAuthority,
  runSource,
  type SeededRandom,
  type StartedProcess,
  startProcess,
  type TestScope,
} from '../harness/index.ts';

/** The credentials of a client. */
export interface Credentials {
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
}

export interface Program {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

const DAY_MS = 24 * 60 * 60 * 1000;
/** A server that has less before it makes new certificates at its start. */
const VALIDITY_MS = 300 * DAY_MS;
const START_TIMEOUT_MS = 60_000;
/** About as many changes of files as a first start makes in its data directory; a later one makes half of them. */
const START_CHANGES = 30;
const READY = / is ready at (\S+)/;

const WARDLE = join(
  import.meta.dirname,
  '..',
  '..',
  'samples',
  'wardle',
  'bin',
  'wardle-apiserver.js',
);
const MUTANT_SERVER = join(import.meta.dirname, 'mutant-server.ts');

/** The sample server, as its users start it. */
export function wardle(dataDir: string): Program {
  const args = ['--secure-port=0', `--data-dir=${dataDir}`, '--storage=sqlite'];
  return { command: process.execPath, args: [WARDLE, ...args] };
}

/** The same API on a store with a fault. */
export function mutantServer(
  dataDir: string,
  { fault, compileCache }: { fault: string; compileCache: string },
): Program {
  return {
    ...runSource(MUTANT_SERVER, [dataDir, fault]),
    env: { NODE_COMPILE_CACHE: compileCache },
  };
}

export class Target {
  readonly credentials: Credentials;
  readonly #scope: TestScope;
  readonly #program: Program;
  readonly #dataDir: string;
  #running: StartedProcess | undefined;
  #url = Promise.withResolvers<string>();
  #life = new AbortController();
  #isUp = false;
  #starts = 0;
  readonly #died = Promise.withResolvers<never>();

  private constructor(
    scope: TestScope,
    options: { program: Program; dataDir: string; credentials: Credentials },
  ) {
    this.#scope = scope;
    this.#program = options.program;
    this.#dataDir = options.dataDir;
    this.credentials = options.credentials;
    this.#died.promise.catch(() => undefined); // Only for those who want to know.
  }

  static async create(
    scope: TestScope,
    options: {
      dataDir: string;
      program: Program;
      /** Of a program that makes its own certificates. Absent: it is given some. */
      credentials?: Credentials;
    },
  ): Promise<Target> {
    const credentials = options.credentials ?? (await writeCredentials(options.dataDir));
    return new Target(scope, { ...options, credentials });
  }

  /** Of a running server; while there is none it is waited for. */
  url(): Promise<string> {
    return this.#url.promise;
  }

  /** Fires when the server that runs now is killed or stopped. */
  get lost(): AbortSignal {
    return this.#life.signal;
  }

  /** Rejects when a server has ended by itself. */
  get died(): Promise<never> {
    return this.#died.promise;
  }

  /** How often it was started. */
  get starts(): number {
    return this.#starts;
  }

  get pid(): number {
    return this.#expectRunning().pid;
  }

  async start(): Promise<void> {
    const running = await this.#spawn();
    const [, url = ''] = await running.waitForLog(READY, START_TIMEOUT_MS);
    this.#isUp = true;
    this.#url.resolve(url);
  }

  /** Starts, and is killed at a random change of the files in its data directory, or else as soon as it is ready. */
  async startInVain(random: SeededRandom): Promise<void> {
    const last = random.int(1, START_CHANGES);
    await mkdir(this.#dataDir, { recursive: true });
    const reached = Promise.withResolvers<void>();
    let changes = 0;
    const watcher = watch(this.#dataDir, () => {
      changes += 1;
      if (changes === last) reached.resolve();
    });
    try {
      const running = await this.#spawn();
      const ready = running.waitForLog(READY, START_TIMEOUT_MS);
      ready.catch(() => undefined); // It is killed before it is ready.
      await Promise.race([reached.promise, ready]);
    } finally {
      watcher.close();
    }
    await this.kill();
  }

  async kill(): Promise<void> {
    const running = this.#expectRunning();
    this.#forget();
    running.kill('SIGKILL');
    await running.exited;
  }

  /** Ends it as an operator does. */
  async stop(): Promise<void> {
    const running = this.#expectRunning();
    this.#forget();
    await running.stop();
  }

  async #spawn(): Promise<StartedProcess> {
    if (this.#running !== undefined) throw new Error('the server runs already');
    this.#starts += 1;
    const name = `server, start ${this.#starts}`;
    const running = await startProcess(this.#scope, { ...this.#program, name });
    this.#running = running;
    void running.exited.then(({ code, signal }) => {
      if (this.#running !== running) return;
      const how = signal === null ? `with code ${code}` : `by ${signal}`;
      this.#died.reject(new Error(`${name} ended by itself, ${how}:\n${running.log()}`));
    });
    return running;
  }

  #expectRunning(): StartedProcess {
    if (this.#running === undefined) throw new Error('the server does not run');
    return this.#running;
  }

  #forget(): void {
    this.#running = undefined;
    this.#life.abort();
    this.#life = new AbortController();
    // A client that waits for a server already goes on waiting for the same promise.
    if (this.#isUp) this.#url = Promise.withResolvers();
    this.#isUp = false;
  }
}

/** Certificates where both programs look for them. */
async function writeCredentials(dataDir: string): Promise<Credentials> {
  const folder = join(dataDir, 'pki');
  await mkdir(folder, { recursive: true });
  const notAfter = new Date(Date.now() + VALIDITY_MS);
  const authority = await createAuthority('faults-ca', { notAfter });
  const names = ['localhost', '127.0.0.1'];
  const serving = await authority.issue({
    commonName: 'localhost',
    names,
    usage: 'server',
    notAfter,
  });
  const organizations = ['system:masters'];
  const admin = await authority.issue({
    commonName: 'admin',
    organizations,
    usage: 'client',
    notAfter,
  });
  const files = {
    'ca.crt': authority.cert,
    'serving.crt': serving.cert,
    'serving.key': serving.key,
    'admin.crt': admin.cert,
    'admin.key': admin.key,
  };
  for (const [name, text] of Object.entries(files)) {
    await writeFile(join(folder, name), text, { mode: 0o600 });
  }
  return { ca: authority.cert, cert: admin.cert, key: admin.key };
}
