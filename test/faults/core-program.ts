/** The control plane as a program that is started, killed and started again. */
import { join } from 'node:path';
import { controlPlanePki } from '@tributary/core-server';
import { runSource, type TestScope, temporaryDirectory } from '../harness/index.ts';
import { type Credentials, type Program, Target } from './target.ts';

const MAIN = join(import.meta.dirname, '..', '..', 'packages', 'cli', 'src', 'main.ts');

export interface CoreProgramOptions {
  /** 0 for any. */
  readonly port?: number;
  readonly flags?: readonly string[];
}

/** `tributary up` on SQLite. */
export function tributaryUp(dataDir: string, options: CoreProgramOptions = {}): Program {
  const { port = 0, flags = [] } = options;
  const own = [`--data-dir=${dataDir}`, `--secure-port=${port}`, '--storage=sqlite'];
  return runSource(MAIN, ['up', ...own, ...flags]);
}

/** A control plane that has not been started yet, in a directory of its own. */
export async function createCore(
  scope: TestScope,
  options: CoreProgramOptions = {},
): Promise<{ target: Target; dataDir: string }> {
  const dataDir = await temporaryDirectory(scope, 'tributary-core-');
  const credentials = await adminOf(dataDir);
  const program = tributaryUp(dataDir, options);
  return { target: await Target.create(scope, { dataDir, program, credentials }), dataDir };
}

/** The administrator of the control plane that lives, or will live, in a directory. */
export async function adminOf(dataDir: string): Promise<Credentials> {
  const pki = await controlPlanePki(join(dataDir, 'pki'), { nowMs: Date.now() });
  return { ca: pki.servingCa, cert: pki.admin.cert, key: pki.admin.key };
}
