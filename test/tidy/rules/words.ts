/**
 * Names and comments use the words of the Kubernetes documentation, so that a reader who searches for one finds the
 * code. The glossary is in CONTRIBUTING.md.
 */
import { blankLiterals, commentsOf } from '../source.ts';
import type { Tree } from '../tree.ts';

/** Words that names do not contain, and what to write instead. */
const WORDS: readonly (readonly [word: RegExp, instead: string])[] = [
  [/^judg/, 'validate, check, decide or result'],
  [/^(?:lift(?:s|ed|ing|ers?)?|lens(?:es)?)$/, 'convert or converter'],
  [/^answer/, 'response, respond or return'],
  [/^surroundings$/, 'dependencies'],
  [/^wish/, 'options, request or preference'],
  [/^(?:hear(?:s|d|ing|ers?)?|told|tell(?:s|ing|er)?)$/, 'on…, notify or report'],
  [/^kept$/, 'cached, stored or retained'],
  [/^strangers?$/, 'unknown or external'],
  [/^patient(?:ly)?$/, 'the mechanism'],
  // A promise of JavaScript is settled.
  [/^(?:settles?|settling|settlement)$/, 'resolve, complete or assign'],
];

/** Names that cannot contain one of WORDS are passed over without splitting them. */
const CANDIDATE =
  /judg|lift|lens|answer|surroundings|wish|hear|told|tell|kept|strange|patient|settl/i;

const PERSON = /\b(?:who(?:m|so)?ever|(?:some|any|every)body|(?<!")nobody(?!"))\b/i;
const PRONOUN = /(?:^|[.:;!?]\s+)(?:Who|Whom|Whose|What|Whatever)\b/;

/** File names and identifiers, each once per file. */
export function namesUseOurWords(tree: Tree): string[] {
  return tree.files.flatMap((path) => [
    ...wordsOfPath(path),
    ...(isSource(path) ? wordsOfCode(path, tree.read(path)) : []),
  ]);
}

/** The subject of a comment is a part of the program or of Kubernetes: a client, a watcher, the registry. */
export function commentsHaveSubjects(tree: Tree): string[] {
  return tree.files.filter(isSource).flatMap((path) =>
    commentsOf(tree.read(path)).flatMap(({ line, text }) => {
      const word = (PERSON.exec(text) ?? PRONOUN.exec(text))?.[0].replace(/^\W+/, '');
      const instead = 'a part of the program or of Kubernetes is the subject of a comment';
      return word === undefined ? [] : [`${path}:${line}: "${word}": ${instead}`];
    }),
  );
}

function wordsOfPath(path: string): string[] {
  const name = path.split('/').find((segment) => insteadOf(segment) !== undefined);
  return name === undefined ? [] : [`${path}: instead of ${name} write ${insteadOf(name)}`];
}

function wordsOfCode(path: string, source: string): string[] {
  const names = new Set(blankLiterals(source).match(/[A-Za-z_$][\w$]*/g));
  return [...names].flatMap((name) => {
    const instead = /^Eventually/.test(name) ? 'MaybePromise' : insteadOf(name);
    return instead === undefined ? [] : [`${path}: instead of ${name} write ${instead}`];
  });
}

function insteadOf(name: string): string | undefined {
  if (!CANDIDATE.test(name)) return undefined;
  const words = splitName(name);
  return WORDS.find(([word]) => words.some((each) => word.test(each)))?.[1];
}

/** `readHTTPAnswer2`, `read_answer` and `read-answer.ts` contain the word `answer`. */
function splitName(name: string): string[] {
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/);
}

function isSource(path: string): boolean {
  return /\.(?:ts|mjs|js)$/.test(path);
}
