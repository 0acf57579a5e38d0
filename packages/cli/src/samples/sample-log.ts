import { join } from 'node:path';
import { rotatingFile } from '@tributary/server';
import { descriptorDestination, LineWriter } from '@tributary/server/operations';
import { isInformation } from './last-words.ts';
import type { Sample } from './sample.ts';

/** The output of a sample, in `<data-dir>/logs/<name>.log`. */
export interface SampleLog {
  line(text: string): void;
  /** Of its standard error: shown at the terminal as well when it is more than information. */
  problem(text: string): void;
  close(): Promise<void>;
}

export interface SampleLogOptions {
  readonly dataDir: string;
  /** The format of the control plane's own log: a prefix would spoil lines of JSON, which programs read. */
  readonly format: 'text' | 'json';
}

const BYTES_MAX = 10 * 1024 * 1024;
const BACKUPS_MAX = 3;
export function openSampleLog({ name }: Sample, { dataDir, format }: SampleLogOptions): SampleLog {
  const destination = rotatingFile({
    path: join(dataDir, 'logs', `${name}.log`),
    bytesMax: BYTES_MAX,
    backupsMax: BACKUPS_MAX,
    ageMsMax: 0,
    nowMs: () => Date.now(),
  });
  // A disk that is full costs the lines of a sample and nothing else; the terminal still has its problems.
  const retained = new LineWriter({ destination, onError: () => {} });
  const terminal = new LineWriter({
    destination: descriptorDestination(2),
    onError: () => {}, // there is nowhere left to say so
  });
  return {
    line: (text) => void retained.write(`${text}\n`),
    problem: (text) => {
      retained.write(`${text}\n`);
      if (format === 'text' && !isInformation(text)) terminal.write(`[${name}] ${text}\n`);
    },
    close: async () => {
      await Promise.all([retained.close(), terminal.close()]);
    },
  };
}
