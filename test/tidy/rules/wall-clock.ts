/**
 * Tests do not depend on the wall clock, because a busy machine is not a defect. Tests that assert durations are
 * `*.timing.test.ts`, which run alone, or benchmarks. Other tests wait for the event itself, count, or use the
 * virtual clock.
 */
import { blankLiterals } from '../source.ts';
import type { Tree } from '../tree.ts';

interface Pattern {
  readonly what: string;
  readonly instead: string;
  readonly expression: RegExp;
}

const CLOCK = String.raw`(?:performance\.now\(\)|Date\.now\(\)|process\.hrtime(?:\.bigint)?\(\))`;
const COMPARISON = String.raw`\s(?:<=|>=|<|>)\s`;

const PATTERNS: readonly Pattern[] = [
  {
    what: 'sleeps a fixed time',
    instead: 'wait for the event with eventually(), or let the event loop turn with turns()',
    // A pause between polls is a constant named POLL_MS; 0 is one turn of the event loop.
    expression:
      /(?<![.\w])(?:sleep|delay|pause|wait|setTimeout)\s*\((?:[^(),;]+,\s*)?(?:(?!0\s*[,)])\d[\d_.]*|(?!POLL_MS\b)[A-Z][A-Z\d_]*_MS)\b/g,
  },
  {
    what: 'compares elapsed time',
    instead: 'assert order or counts, use the virtual clock, or move it to a *.timing.test.ts',
    expression: new RegExp(
      `${CLOCK}[^;{}\\n]*?${COMPARISON}|${COMPARISON}[^;{}\\n]*?${CLOCK}`,
      'g',
    ),
  },
  {
    what: 'compares a duration',
    instead: 'assert order or counts, use the virtual clock, or move it to a *.timing.test.ts',
    expression:
      /\b(?:\w*(?:took|elapsed|lasted|latency|longest|stretch|stall|least|median|p\d\d)\w*)(?:\(\))?\s(?:<=|<)\s/gi,
  },
  {
    what: 'measures time',
    instead: 'move it to a *.timing.test.ts',
    expression: /\b(?:ownTime|leastMs|monitorEventLoopDelay|eventLoopUtilization)\b/g,
  },
];

export function wallClock(tree: Tree): string[] {
  return tree.files.filter(isOrdinaryTestCode).flatMap((path) => {
    const source = blankLiterals(tree.read(path));
    return PATTERNS.flatMap(({ what, instead, expression }) =>
      [...source.matchAll(expression)].map(
        (match) => `${path}:${lineOf(source, match.index)} ${what}: ${instead}`,
      ),
    );
  });
}

function isOrdinaryTestCode(path: string): boolean {
  if (!path.endsWith('.ts') || path.endsWith('.timing.test.ts')) return false;
  if (path.startsWith('test/harness/')) return false; // The harness implements waiting and measuring.
  return (
    path.endsWith('.test.ts') ||
    /^(?:test|interop)\/|^(?:packages|samples)\/[^/]+\/test\//.test(path)
  );
}

function lineOf(source: string, index: number): number {
  return source.slice(0, index).split('\n').length;
}
