/** A minimal reader of TypeScript for rules: the positions of literals, and imports. */

/**
 * The source with the contents of comments, strings, templates and regular expressions blanked, at the same length.
 * Code in `${…}` of a template is blanked too.
 */
export function blankLiterals(source: string): string {
  let out = '';
  let from = 0;
  for (const { start, end } of literalsOf(source)) {
    const literal = source.slice(start, end);
    const keep = literal.startsWith('/') ? 0 : 1; // Quotes stay, so that an argument is still one.
    const inside = literal.slice(keep, literal.length - keep).replace(/[^\n]/g, ' ');
    out += source.slice(from, start);
    out += literal.slice(0, keep) + inside + literal.slice(literal.length - keep);
    from = end;
  }
  return out + source.slice(from);
}

export interface Comment {
  /** Line in the source, from 1. */
  readonly line: number;
  /** The text without its markers. Consecutive `//` lines are one comment. */
  readonly text: string;
}

export function commentsOf(source: string): Comment[] {
  const comments: { line: number; text: string; end: number }[] = [];
  for (const { start, end } of literalsOf(source)) {
    const literal = source.slice(start, end);
    if (!/^\/[/*]/.test(literal)) continue;
    const text = literal
      .replace(/^\/[/*]+|\*\/$/g, '')
      .replace(/\n\s*\*?/g, ' ')
      .trim();
    const last = comments.at(-1);
    if (
      last !== undefined &&
      literal.startsWith('//') &&
      /^\n[ \t]*$/.test(source.slice(last.end, start))
    ) {
      last.text += ` ${text}`;
      last.end = end;
    } else comments.push({ line: source.slice(0, start).split('\n').length, text, end });
  }
  return comments.map(({ line, text }) => ({ line, text }));
}

/** Comments, strings, templates and regular expressions, in order. */
function* literalsOf(source: string): Generator<{ start: number; end: number }> {
  let code = ''; // The last characters of code before the index, blanks collapsed.
  for (let index = 0; index < source.length; ) {
    const end = literalEnd(source, index, code);
    if (end !== undefined) yield { start: index, end };
    if (end !== undefined && source.charAt(index) !== '/') code = source.charAt(end - 1);
    else if (end === undefined && /\S/.test(source.charAt(index))) {
      code = (code + source.charAt(index)).slice(-CODE_CHARACTERS);
    } else if (end === undefined && !code.endsWith(' ')) code += ' ';
    index = end ?? index + 1;
  }
}

/** The longest keyword before a regular expression, with the character in front of it. */
const CODE_CHARACTERS = ' return '.length;

/** Index after the literal or comment that begins here; undefined when none begins here. */
function literalEnd(source: string, index: number, before: string): number | undefined {
  const rest = source.slice(index, index + 2);
  if (rest === '//') return endOf(source, '\n', index);
  if (rest === '/*') return endOf(source, '*/', index + 2) + 2;
  const quote = source.charAt(index);
  if (quote === "'" || quote === '"') return quotedEnd(source, index);
  if (quote === '`') return templateEnd(source, index);
  if (quote === '/' && startsExpression(before)) return regexEnd(source, index);
  return undefined;
}

function endOf(source: string, mark: string, from: number): number {
  const found = source.indexOf(mark, from);
  return found === -1 ? source.length : found;
}

function quotedEnd(source: string, index: number): number {
  const quote = source.charAt(index);
  for (let at = index + 1; at < source.length; at += 1) {
    if (source.charAt(at) === '\\') at += 1;
    else if (source.charAt(at) === quote) return at + 1;
  }
  return source.length;
}

function templateEnd(source: string, index: number): number {
  for (let at = index + 1; at < source.length; at += 1) {
    if (source.charAt(at) === '\\') at += 1;
    else if (source.charAt(at) === '`') return at + 1;
    else if (source.startsWith('${', at)) at = substitutionEnd(source, at + 2) - 1;
  }
  return source.length;
}

/** The index after the brace that closes a substitution, which may contain strings and templates. */
function substitutionEnd(source: string, index: number): number {
  let depth = 1;
  for (let at = index; at < source.length; at += 1) {
    const character = source.charAt(at);
    if (character === '`') at = templateEnd(source, at) - 1;
    else if (character === "'" || character === '"') at = quotedEnd(source, at) - 1;
    else if (character === '{') depth += 1;
    else if (character === '}') depth -= 1;
    if (depth === 0) return at + 1;
  }
  return source.length;
}

function regexEnd(source: string, index: number): number {
  let inClass = false;
  for (let at = index + 1; at < source.length; at += 1) {
    const character = source.charAt(at);
    if (character === '\\') at += 1;
    else if (character === '[') inClass = true;
    else if (character === ']') inClass = false;
    else if ((character === '/' && !inClass) || character === '\n') return at + 1;
  }
  return source.length;
}

/** A slash divides after a value and begins a regular expression everywhere else. */
function startsExpression(before: string): boolean {
  const code = before.trimEnd();
  return code === '' || /(?:[([{,;:=!&|?+\-*%<>~^]|=>|\b(?:return|typeof|case|in|of))$/.test(code);
}

/** Every module specifier of a file: imports, re-exports and dynamic imports, types included. */
export function importsOf(source: string): string[] {
  const statements =
    /^[ \t]*(?:import|export)\b[^'"`;]*?\bfrom\s*['"]([^'"\n]+)['"]|^[ \t]*import\s*['"]([^'"\n]+)['"]/gm;
  const expressions = /\bimport\(\s*['"]([^'"\n]+)['"]\s*\)/g;
  return [...source.matchAll(statements), ...source.matchAll(expressions)].map(
    (match) => match[1] ?? match[2] ?? '',
  );
}

/** The package of a specifier: `@a/b/c` is from `@a/b`. Undefined for a path or a Node module. */
export function packageOf(specifier: string): string | undefined {
  if (/^(\.|\/|node:|file:)/.test(specifier)) return undefined;
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
}
