import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RecordedVerdicts } from './verdict.ts';

const FILE = join(import.meta.dirname, 'verdicts.json');

export function readRecordedVerdicts(): RecordedVerdicts {
  return JSON.parse(readFileSync(FILE, 'utf8')) as RecordedVerdicts;
}

export function writeRecordedVerdicts(recorded: RecordedVerdicts): string {
  writeFileSync(FILE, `${JSON.stringify(recorded, null, 2)}\n`);
  return FILE;
}
