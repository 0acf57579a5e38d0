/** Runs the program once for each list of arguments, in one process, and prints what each run said as JSON. */
import { runServer } from '@tributary/server';
import { wardle } from '../src/api.ts';

export interface Refusal {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

const refusals: Refusal[] = [];
process.setMaxListeners(0); // each run listens for signals
const { write } = process.stdout;
for (const args of JSON.parse(process.argv[2] ?? '[]') as string[][]) {
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    process[name].write = (text: string | Uint8Array) => {
      said[name] += String(text);
      return true;
    };
  }
  const status = await runServer(wardle, { program: 'wardle-apiserver', summary: '', args });
  refusals.push({ status, ...said });
}
process.stdout.write = write;
process.stdout.write(JSON.stringify(refusals), () => process.exit(0));
