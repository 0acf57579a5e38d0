/** Programs as their users start them, on a store that is broken on purpose. */
import { join } from 'node:path';
import type { Program } from '../../test/faults/target.ts';

export const FAULT_VARIABLE = 'SOAK_FAULT';

/** The same program with one of the faults of test/faults in its store; without one as it is. */
export function withFault(program: Program, fault: string | undefined): Program {
  if (fault === undefined) return program;
  const hook = join(import.meta.dirname, 'register-fault.ts');
  const env = { ...program.env, NODE_OPTIONS: `--import=${hook}`, [FAULT_VARIABLE]: fault };
  return { ...program, env };
}
