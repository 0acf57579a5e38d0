import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** Runs a script of this folder in a process of its own; `lines` are those it prints. */
export function startProcess(script: string, args: readonly string[]): OtherProcess {
  return new OtherProcess(process.execPath, [
    ...flags(),
    join(import.meta.dirname, script),
    ...args,
  ]);
}

/** The same with a command before it, such as one that limits it. */
export function startUnder(
  command: readonly [string, ...string[]],
  script: string,
  args: readonly string[],
): OtherProcess {
  const [program, ...before] = command;
  const own = [process.execPath, ...flags(), join(import.meta.dirname, script), ...args];
  return new OtherProcess(program, [...before, ...own]);
}

function flags(): string[] {
  return process.execArgv.filter((flag) => !flag.startsWith('--test'));
}

export class OtherProcess {
  readonly child: ChildProcess;
  readonly exited: Promise<unknown>;
  #output = '';

  constructor(program: string, args: readonly string[]) {
    const { NODE_TEST_CONTEXT: _, ...env } = process.env;
    this.child = spawn(program, args, { env, stdio: ['pipe', 'pipe', 'pipe'] });
    this.exited = once(this.child, 'exit');
    const collect = (text: Buffer) => {
      this.#output += text;
    };
    this.child.stdout?.on('data', collect);
    this.child.stderr?.on('data', collect);
  }

  get output(): string {
    return this.#output;
  }

  /** Waits until the process prints the text. */
  async waitFor(text: string): Promise<void> {
    const ended = this.exited.then(() => 'ended');
    while (!this.#output.includes(text)) {
      const data = once(this.child.stdout as NodeJS.ReadableStream, 'data');
      if ((await Promise.race([data, ended])) === 'ended' && !this.#output.includes(text)) {
        assert.fail(`ended before "${text}": ${this.#output}`);
      }
    }
  }

  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.exited;
  }
}
