import { blankLiterals } from '../source.ts';
import type { Tree } from '../tree.ts';

const marks: readonly { pattern: RegExp; what: string }[] = [
  { pattern: /\b(?:test|it|describe|suite)\.only\(|\bonly:\s*true\b/g, what: 'runs alone' },
  {
    pattern: /\b(?:test|it|describe|suite)\.(?:skip|todo)\(/g,
    what: "gives no reason: use { skip: 'why' } or { todo: 'why' }",
  },
  { pattern: /\b(?:skip|todo):\s*true\b/g, what: 'gives no reason: say why instead of true' },
  { pattern: /\.(?:skip|todo)\(\s*\)/g, what: 'gives no reason: say why' },
];

export function testMarks(tree: Tree): string[] {
  const tests = tree.files.filter((path) => path.endsWith('.test.ts'));
  if (tests.length === 0) return ['there are no tests'];
  return tests.flatMap((path) => {
    const source = blankLiterals(tree.read(path));
    return marks.flatMap(({ pattern, what }) =>
      [...source.matchAll(pattern)].map(
        (match) => `${path}:${lineOf(source, match.index)}: ${match[0]} ${what}`,
      ),
    );
  });
}

function lineOf(source: string, index: number): number {
  return source.slice(0, index).split('\n').length;
}
