import assert from 'node:assert/strict';
import test from 'node:test';
import type { Finding } from './condition.ts';
import { decideWrite, type WriteFacts } from './write-damping.ts';

const up: Finding = { status: 'True', reason: 'Passed', message: 'all checks passed' };
const down: Finding = { status: 'False', reason: 'FailedDiscoveryCheck', message: 'refused' };
const downOtherwise: Finding = { ...down, message: 'timed out' };
const gone: Finding = { ...down, reason: 'ServiceNotFound' };

const NOW = 100_000;
const quiet = {
  confirmedMs: NOW,
  externalMs: undefined,
  wroteMs: undefined,
  contradictedMs: undefined,
};

interface Case extends Partial<WriteFacts> {
  readonly name: string;
  readonly finding: Finding;
  readonly stored: Finding | undefined;
  readonly want: string;
}

const cases: readonly Case[] = [
  { name: 'nothing is there', finding: up, stored: undefined, want: 'now' },
  { name: 'it is there', finding: up, stored: up, want: 'never' },
  { name: 'another status', finding: down, stored: up, want: 'now' },
  {
    name: 'another status, just after a write',
    finding: down,
    stored: up,
    wroteMs: NOW - 100,
    want: 'later 150',
  },
  { name: 'another reason', finding: gone, stored: down, wroteMs: NOW - 1000, want: 'now' },
  {
    name: 'other words',
    finding: downOtherwise,
    stored: down,
    wroteMs: NOW - 1000,
    want: 'later 29000',
  },
  {
    name: 'other words, after a long time',
    finding: downOtherwise,
    stored: down,
    wroteMs: NOW - 30_000,
    want: 'now',
  },
  {
    name: 'other words of another process',
    finding: downOtherwise,
    stored: down,
    externalMs: NOW - 60_000,
    want: 'never',
  },
  {
    name: 'another process has seen the opposite since: look first',
    finding: up,
    stored: down,
    externalMs: NOW - 10,
    confirmedMs: NOW - 10,
    want: 'confirm',
  },
  {
    name: 'it was looked at since',
    finding: up,
    stored: down,
    externalMs: NOW - 10,
    confirmedMs: NOW - 5,
    want: 'now',
  },
  {
    name: 'it was contradicted not long ago',
    finding: up,
    stored: down,
    externalMs: NOW - 10,
    contradictedMs: NOW - 1_000,
    want: 'later 29000',
  },
  {
    name: 'it was contradicted long ago',
    finding: up,
    stored: down,
    externalMs: NOW - 10,
    contradictedMs: NOW - 30_000,
    want: 'now',
  },
  {
    name: 'contradicting is writing, too',
    finding: up,
    stored: down,
    externalMs: NOW - 10,
    wroteMs: NOW - 100,
    want: 'later 150',
  },
  {
    name: 'another reason of another process is contradicted as rarely',
    finding: gone,
    stored: down,
    externalMs: NOW - 10,
    contradictedMs: NOW - 1_000,
    want: 'later 29000',
  },
  {
    name: 'what this process wrote itself is no contradiction',
    finding: up,
    stored: down,
    contradictedMs: NOW - 1_000,
    want: 'now',
  },
];

for (const { name, want, ...facts } of cases) {
  test(name, () => {
    const decision = decideWrite({ ...quiet, nowMs: NOW, ...facts });
    assert.equal(decision.kind === 'later' ? `later ${decision.delayMs}` : decision.kind, want);
  });
}
